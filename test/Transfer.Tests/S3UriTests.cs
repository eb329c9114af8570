using System.Reflection;
using System.Runtime.CompilerServices;
using Moq;

namespace Transfer.S3.Tests;

public sealed class S3UriTests
{
    private const string AccessPoint = "arn:aws:s3:us-west-2:123456789012:accesspoint";
    private const string Outpost = "arn:aws:s3-outposts:us-west-2:123456789012:outpost";

    public static TheoryData<string> Overloads => [.. typeof(TransferClientExtensions).GetMethods(BindingFlags.Public | BindingFlags.Static).Where(TakesTheInterface).Select(static method => method.ToString()!)];

    [Theory]
    [InlineData("s3://bucket", "bucket", "")]
    [InlineData("s3://bucket/", "bucket", "")]
    [InlineData("S3://my.bucket_1-A/a/b c", "my.bucket_1-A", "a/b c")]
    [InlineData("s3://bucket//a/", "bucket", "/a/")]
    [InlineData("s3://bucket/../a?versionId=b#c%20", "bucket", "../a?versionId=b#c%20")]
    [InlineData("s3://tenant:bucket/k", "tenant:bucket", "k")]
    [InlineData("s3://" + AccessPoint + "/point/a/b", AccessPoint + "/point", "a/b")]
    [InlineData("s3://" + AccessPoint + "/point", AccessPoint + "/point", "")]
    [InlineData("s3://" + AccessPoint + ":accesspoint/a/b", AccessPoint + ":accesspoint", "a/b")]
    [InlineData("s3://" + Outpost + "/op-1/accesspoint/point/a/b", Outpost + "/op-1/accesspoint/point", "a/b")]
    [InlineData("s3://" + Outpost + ":op-1:accesspoint:point/a/b", Outpost + ":op-1:accesspoint:point", "a/b")]
    public void Parse_Address_KeepsTheKeyAsItIsWritten(string text, string bucket, string key)
    {
        S3Uri uri = S3Uri.Parse(text);

        Assert.Equal(new S3Uri(bucket, key), uri);
        Assert.Equal(uri, S3Uri.Parse(uri.ToString()));
        Assert.True(S3Uri.TryParse(text, out S3Uri tried) && tried == uri);
    }

    [Theory]
    [InlineData("", "'' is not an address in a store; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("bucket/key", "'bucket/key' is not an address in a store; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("s3:/bucket", "'s3:/bucket' is not an address in a store; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("https://user:secret@host/key?signature=secret", "A URL that begins with 'https://host' is not an address in a store; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("s3://", "'s3://' has no bucket; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("s3:///key", "'s3:///key' has no bucket; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("s3://bucket?versionId=1", "'bucket?versionId=1' is not a valid bucket name; it can contain letters, digits, '.', '-', '_', and ':'.")]
    public void Parse_AnythingElse_SaysWhatIsAccepted(string text, string message)
    {
        Assert.Equal(message, Assert.Throws<FormatException>(() => S3Uri.Parse(text)).Message);
        Assert.False(S3Uri.TryParse(text, out S3Uri uri));
        Assert.Equal(default, uri);
    }

    [Fact]
    public void Parse_Null_IsRefused()
    {
        Assert.Throws<ArgumentNullException>(() => S3Uri.Parse(null!));
        Assert.False(S3Uri.TryParse(null, out _));
    }

    /// <summary>Each overload calls the method of its name with the same arguments.</summary>
    [Theory]
    [MemberData(nameof(Overloads))]
    public void Overload_PassesTheBucketAndTheKey(string overload)
    {
        Mock<ITransferClient> client = new();
        MethodInfo method = typeof(TransferClientExtensions).GetMethods().Single(method => method.ToString() == overload);
        object?[] arguments = [.. method.GetParameters().Select((parameter, i) => i == 0 ? client.Object : Argument(parameter.ParameterType))];

        method.Invoke(null, arguments);

        IInvocation call = Assert.Single(client.Invocations);
        Assert.Equal(method.Name, call.Method.Name);
        Assert.Equal(arguments.Skip(1).SelectMany(static argument => argument is S3Uri uri ? [uri.Bucket, uri.Key] : new[] { argument }), call.Arguments);
    }

    private static bool TakesTheInterface(MethodInfo method)
        => method.IsDefined(typeof(ExtensionAttribute)) && method.GetParameters()[0].ParameterType == typeof(ITransferClient);

    /// <summary>Creates a value that isn't the default one where that is simple.</summary>
    private static object? Argument(Type type)
        => type == typeof(S3Uri) ? new S3Uri("bucket", "key")
            : type == typeof(string) ? "path"
            : type == typeof(DateTimeOffset) ? DateTimeOffset.UnixEpoch
            : type == typeof(CancellationToken) ? new CancellationToken(canceled: true)
            : type.IsValueType || (type.IsClass && type.GetConstructor(Type.EmptyTypes) is not null) ? Activator.CreateInstance(type)
            : null;
}
