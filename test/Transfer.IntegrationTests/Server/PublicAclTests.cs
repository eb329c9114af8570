using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>A server whose buckets and objects can be public: what their access control lists allow needs no signature.</summary>
public sealed class PublicAclTests : RawServerTest
{
    private const string Header = "x-amz-acl";

    [Theory]
    [InlineData("private", 403, 403, 403)]
    [InlineData("authenticated-read", 403, 403, 403)]
    [InlineData("public-read", 200, 403, 404)]
    [InlineData("public-read-write", 200, 200, 404)]
    public async Task Bucket_AllowsWhatItsListSays(string acl, int list, int put, int missing)
    {
        Assert.Equal(200, (await Raw.SendSignedAsync("PUT", "/other", null, (Header, acl))).Status);
        await PutAsync("/other/k", [1]);

        Assert.Equal(list, (await SendAsync("GET", "/other?list-type=2")).Status);
        Assert.Equal(list, (await SendAsync("HEAD", "/other")).Status);
        Assert.Equal(missing, (await SendAsync("GET", "/other/missing")).Status);
        Assert.Equal(put, (await SendAsync("PUT", "/other/new", [1])).Status);
        Fails(await SendAsync("GET", "/other/k"), 403, "AccessDenied"); // the object has its own list
        Fails(await SendAsync("GET", "/other?acl"), 403, "AccessDenied");
        Fails(await SendAsync("GET", "/none/k"), 404, "NoSuchBucket");
        Fails(await SendAsync("PUT", "/none"), 403, "AccessDenied");
        Fails(await SendAsync("GET", "/"), 403, "AccessDenied");
    }

    [Fact]
    public async Task Object_CanBecomePublicAndPrivate()
    {
        Assert.Equal(200, (await Raw.SendSignedAsync("PUT", "/bucket/k", [1], (Header, "public-read"))).Status);
        Assert.Equal([1], (await SendAsync("GET", "/bucket/k")).Body);
        Assert.Equal(200, (await Raw.SendSignedAsync("PUT", "/bucket/copy", null, ("x-amz-copy-source", "bucket/k"))).Status);
        Fails(await SendAsync("GET", "/bucket/copy"), 403, "AccessDenied");

        Assert.Equal(200, (await Raw.SendSignedAsync("PUT", "/bucket/k?acl", null, (Header, "private"))).Status);
        Fails(await SendAsync("GET", "/bucket/k"), 403, "AccessDenied");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/none?acl"), 404, "NoSuchKey");
    }

    [Fact]
    public async Task List_IsReturnedAsGrants()
    {
        Assert.Equal(200, (await Raw.SendSignedAsync("PUT", "/bucket?acl", null, (Header, "public-read-write"))).Status);

        string text = (await Raw.SendSignedAsync("GET", "/bucket?acl")).Text;

        Assert.Equal(["READ", "WRITE", "FULL_CONTROL"], System.Xml.Linq.XDocument.Parse(text).Descendants().Where(static e => e.Name.LocalName == "Permission").Select(static e => e.Value));
        Assert.Contains("http://acs.amazonaws.com/groups/global/AllUsers", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task List_ThatIsNotPredefined_IsRejected()
    {
        Fails(await Raw.SendSignedAsync("PUT", "/bucket/k", [1], (Header, "public")), 400, "InvalidArgument");
        Fails(await Raw.SendSignedAsync("PUT", "/bucket/k", [1], ("x-amz-grant-read", "id=x")), 400, "AccessControlListNotSupported");
        Fails(await Raw.SendSignedAsync("PUT", "/bucket?acl", "<AccessControlPolicy/>"u8.ToArray()), 501, "NotImplemented");
    }

    protected override EmbeddedS3ServerOptions Options() => new() { Buckets = ["bucket"], AllowPublicAcls = true };

    private Task<RawAnswer> SendAsync(string method, string target, byte[]? body = null) => Raw.SendAsync(Raw.Plain(method, target, body));
}
