using System.Net;
using System.Reflection;
using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Transfer;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.TransferUtility;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>The members of the SDK that aren't public: where they are used, and what happens without them.</summary>
public sealed class SdkMembersTests : TransferTest
{
    private const string Header = "| Type | Members | Without it |";

    [Theory]
    [InlineData(typeof(SdkMembers))]
    [InlineData(typeof(SdkUtilityMembers))]
    public void Assembly_UsesThemInOneType(Type one)
        => Assert.Equal([one], one.Assembly.GetTypes().Where(static type => GetAccessors(type).Any()));

    [Fact]
    public void Documentation_ListsAllOfThem()
    {
        IEnumerable<string> used = GetAccessors(typeof(SdkMembers)).Concat(GetAccessors(typeof(SdkUtilityMembers))).Select(GetName).Distinct();
        IEnumerable<string> documented = MarkdownPages.Lines("docs/versions.md").SkipWhile(static line => line != Header).Skip(2).TakeWhile(static line => line.StartsWith('|'))
            .Select(static line => line.Split('|')).SelectMany(static cells => MarkdownPages.Spans(cells[2]), static (cells, member) => $"{cells[1].Trim(' ', '`')}.{member}");

        Assert.Equal(used.Order(StringComparer.Ordinal), documented.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void MembersThatReallyDontExist_AreFoundToBeMissing()
    {
        using AmazonS3Client s3 = new(new AnonymousAWSCredentials(), Amazon.RegionEndpoint.USEast1);

        Assert.All(
            (Action[])[() => NoMethod(s3), () => NoField(s3), () => NoType(null), () => NoConstructor(null!)],
            static use => Assert.True(SdkMembers.IsMissing(Assert.ThrowsAny<Exception>(use))));
    }

    [Fact]
    public async Task Credentials_Missing_SdkSendsTheRequests()
    {
        SdkMembers.Missing = "get_ExplicitAWSCredentials";
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\"")));
        using AmazonS3Client s3 = http.NewS3();
        LogLines lines = new();
        using ILoggerFactory logging = LoggerFactory.Create(builder => builder.AddProvider(lines));
        await using TransferClient client = NewClient(s3, options => options.LoggerFactory = logging);

        await client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within();

        Assert.True(FakeHttp.IsOfSdk(Assert.Single(http.Requests)));
        string warning = Assert.Single(lines.Written, static line => line.StartsWith("Warning: Requests are sent by the AWS SDK", StringComparison.Ordinal));
        AssertNamesVersions(warning, "get_ExplicitAWSCredentials");
    }

    [Fact]
    public void Credentials_MissingForOwnConnections_ThrowsBeforeAnything()
    {
        SdkMembers.Missing = "get_ExplicitAWSCredentials";
        using AmazonS3Client s3 = new FakeHttp(_ => FakeHttp.Answer(HttpStatusCode.OK)).NewS3();

        NotSupportedException e = Assert.Throws<NotSupportedException>(() => new TransferClient(s3, new TransferClientOptions { Advanced = { Wire = TransferWire.Http } }));

        AssertNamesVersions(e.Message, "get_ExplicitAWSCredentials");
    }

    /// <summary>Without the handlers, a redirection could take secrets to another host. So nothing is sent, however often it is tried.</summary>
    [Fact]
    public async Task Pipeline_Missing_NothingIsSentThroughTheSdk()
    {
        SdkMembers.Missing = "get_RuntimePipeline";
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\"")));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = NewClient(s3, options => options.Advanced.Wire = TransferWire.Sdk);

        for (int i = 0; i < 2; i++)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within());
            AssertNamesVersions(e.Message, "get_RuntimePipeline");
        }

        Assert.Empty(http.Requests);
    }

    [Fact]
    public async Task Pipeline_Missing_OwnConnectionsAreUsed()
    {
        SdkMembers.Missing = "get_RuntimePipeline";
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\"")));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = NewClient(s3);

        await client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within();

        Assert.False(FakeHttp.IsOfSdk(Assert.Single(http.Requests)));
    }

    [Theory]
    [InlineData("GenerateNewCredentialsAsync")]
    [InlineData("currentState")]
    public async Task Renewal_Missing_StoreDecidesWithTheOldCredentials(string member)
    {
        SdkMembers.Missing = member;
        RenewedCredentials credentials = new();
        FakeHttp http = new(_ => FakeHttp.Error(HttpStatusCode.BadRequest, "ExpiredToken"));
        AmazonS3Config config = new() { RegionEndpoint = Amazon.RegionEndpoint.USWest2, HttpClientFactory = http };
        using AmazonS3Client s3 = new(credentials, config);
        await using TransferClient client = NewClient(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null).Within());

        Assert.Equal("ExpiredToken", e.ErrorCode);
        Assert.Equal(1, credentials.Generated);
    }

    [Fact]
    public void Clock_Missing_CorrectionStays()
    {
        SdkMembers.Missing = "SetClockCorrectionForEndpoint";

        SdkMembers.ResetClock("http://clock.example");
    }

    public static TheoryData<string, string> AdapterCalls => new()
    {
        { "upload", nameof(TransferUtilityUploadRequest) },
        { "download", nameof(TransferUtilityDownloadRequest) },
        { "stream", nameof(TransferUtilityOpenStreamRequest) },
        { "upload directory", nameof(TransferUtilityUploadDirectoryRequest) },
        { "upload directory", nameof(TransferUtilityUploadRequest) },
        { "download directory", nameof(TransferUtilityDownloadDirectoryRequest) },
        { "download directory", nameof(TransferUtilityDownloadRequest) },
    };

    [Theory]
    [MemberData(nameof(AdapterCalls))]
    public async Task Adapter_MembersMissing_ThrowsBeforeAnythingIsSent(string call, string request)
    {
        S3.Put(10);
        using TransferUtilityAdapter adapter = new(NewClient());
        SdkMembers.Missing = request;

        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => CallAsync(adapter, call).Within());

        AssertNamesVersions(e.Message, request);
        Assert.Empty(S3.Calls);
    }

    private Task CallAsync(TransferUtilityAdapter adapter, string call) => call switch
    {
        "upload" => adapter.UploadAsync(new MemoryStream(new byte[10]), FakeS3.Bucket, "new"),
        "download" => adapter.DownloadAsync(Folder.File("copy"), FakeS3.Bucket, FakeS3.Key),
        "stream" => adapter.OpenStreamWithResponseAsync(FakeS3.Bucket, FakeS3.Key),
        "upload directory" => adapter.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket),
        "download directory" => adapter.DownloadDirectoryAsync(FakeS3.Bucket, "in", Folder.Path),
        _ => throw new ArgumentOutOfRangeException(nameof(call)),
    };

    private static void AssertNamesVersions(string message, string member)
    {
        Assert.Contains(member, message, StringComparison.Ordinal);
        Assert.Contains("AWSSDK.S3 4.", message, StringComparison.Ordinal);
        Assert.Contains("AWSSDK.Core 4.", message, StringComparison.Ordinal);
    }

    private static IEnumerable<MethodInfo> GetAccessors(Type type)
        => type.GetMethods(BindingFlags.DeclaredOnly | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic).Where(static method => method.IsDefined(typeof(UnsafeAccessorAttribute)));

    private static string GetName(MethodInfo accessor)
    {
        UnsafeAccessorAttribute access = accessor.GetCustomAttribute<UnsafeAccessorAttribute>()!;
        if (access.Kind == UnsafeAccessorKind.Constructor)
        {
            return $"{accessor.ReturnType.Name}.constructor";
        }

        ParameterInfo target = accessor.GetParameters()[0];
        string type = target.GetCustomAttribute<UnsafeAccessorTypeAttribute>() is { } named ? named.TypeName.Split(',')[0].Split('.')[^1] : target.ParameterType.Name;
        string name = access.Name!;
        return $"{type}.{(name.StartsWith("get_", StringComparison.Ordinal) || name.StartsWith("set_", StringComparison.Ordinal) ? name[4..] : name)}";
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_NoSuchMember")]
    private static extern string NoMethod(AmazonServiceClient client);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "noSuchMember")]
    private static extern ref string NoField(AmazonServiceClient client);

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = "NoSuchMember")]
    private static extern void NoType([UnsafeAccessorType("Amazon.Runtime.NoSuchType, AWSSDK.Core")] object? type);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    private static extern UploadInitiatedEventArgs NoConstructor(AmazonServiceClient client);

    private sealed class RenewedCredentials : RefreshingAWSCredentials
    {
        public int Generated { get; private set; }

        protected override CredentialsRefreshState GenerateNewCredentials()
        {
            Generated++;
            return new CredentialsRefreshState(new ImmutableCredentials("access", "secret", "token"), DateTime.UtcNow.AddHours(1));
        }

        protected override Task<CredentialsRefreshState> GenerateNewCredentialsAsync() => Task.FromResult(GenerateNewCredentials());
    }
}
