using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Requests of pages of other origins: a browser asks first whether it can send them, and shows responses only if their headers allow it.</summary>
public sealed class CorsTests : RawServerTest
{
    private const string Page = "https://app.example.com";

    [Fact]
    public async Task Configuration_OfABucket_CanBeReplacedAndDeleted()
    {
        using AmazonS3Client s3 = Server.CreateClient();
        Assert.Equal("NoSuchCORSConfiguration", (await Raw.SendSignedAsync("GET", "/bucket?cors")).Code);

        await s3.PutCORSConfigurationAsync("bucket", Rules(ForUploads())).Within();

        CORSRule rule = Assert.Single((await s3.GetCORSConfigurationAsync("bucket").Within()).Configuration.Rules);
        Assert.Equal("uploads", rule.Id);
        Assert.Equal(["https://*.example.com"], rule.AllowedOrigins);
        Assert.Equal(["PUT", "GET"], rule.AllowedMethods);
        Assert.Equal(["x-amz-*", "Content-Type"], rule.AllowedHeaders);
        Assert.Equal(["ETag", "x-amz-checksum-crc32c"], rule.ExposeHeaders);
        Assert.Equal(600, rule.MaxAgeSeconds);

        await s3.DeleteCORSConfigurationAsync("bucket").Within();
        Assert.Equal("NoSuchCORSConfiguration", (await Raw.SendSignedAsync("GET", "/bucket?cors")).Code);
    }

    [Fact]
    public async Task Preflight_OfAnUpload_AllowsIt()
    {
        await ConfigureAsync(ForUploads());

        RawAnswer answer = await PreflightAsync("/bucket/k?partNumber=1&uploadId=u&X-Amz-Signature=s", Page, "PUT", "X-Amz-Checksum-CRC32C,content-type");

        Assert.Equal(200, answer.Status);
        Assert.Equal(Page, answer.Header("Access-Control-Allow-Origin"));
        Assert.Equal("PUT, GET", answer.Header("Access-Control-Allow-Methods"));
        Assert.Equal("x-amz-checksum-crc32c, content-type", answer.Header("Access-Control-Allow-Headers"));
        Assert.Equal("ETag, x-amz-checksum-crc32c", answer.Header("Access-Control-Expose-Headers"));
        Assert.Equal("600", answer.Header("Access-Control-Max-Age"));
        Assert.Equal("true", answer.Header("Access-Control-Allow-Credentials"));
        Assert.Equal("Origin,Access-Control-Request-Headers,Access-Control-Request-Method", answer.Header("Vary"));
        Assert.Equal("Preflight", Server.Requests[^1].Operation);
    }

    [Theory]
    [InlineData("https://app.example.org", "PUT", "content-type")]
    [InlineData("https://.example.co", "PUT", "content-type")]
    [InlineData("http://app.example.com", "PUT", "content-type")]
    [InlineData(Page, "DELETE", "content-type")]
    [InlineData(Page, "PUT", "content-type, authorization")]
    public async Task Preflight_OfWhatNoRuleAllows_IsRejected(string origin, string method, string headers)
    {
        await ConfigureAsync(ForUploads());

        RawAnswer answer = await PreflightAsync("/bucket/k", origin, method, headers);

        Fails(answer, 403, "AccessForbidden");
        Assert.Null(answer.Header("Access-Control-Allow-Origin"));
    }

    [Fact]
    public async Task Preflight_WithoutRulesOrWhatItMustHave_IsRejected()
    {
        Fails(await PreflightAsync("/bucket/k", Page, "PUT", null), 403, "AccessForbidden");
        Fails(await PreflightAsync("/missing/k", Page, "PUT", null), 403, "AccessForbidden");
        Fails(await Raw.SendAsync(Raw.Plain("OPTIONS", "/bucket/k", null, ("Access-Control-Request-Method", "PUT"))), 400, "BadRequest");
        Fails(await Raw.SendAsync(Raw.Plain("OPTIONS", "/bucket/k", null, ("Origin", Page))), 400, "BadRequest");
    }

    [Fact]
    public async Task Response_ToARequestWithAnOrigin_HasTheHeadersOfItsRule()
    {
        await ConfigureAsync(ForUploads());

        RawAnswer put = await Raw.SendSignedAsync("PUT", "/bucket/k", [1], ("Origin", Page));
        RawAnswer missing = await Raw.SendSignedAsync("GET", "/bucket/missing", null, ("Origin", Page));
        RawAnswer unsigned = await Raw.SendAsync(Raw.Plain("GET", "/bucket/k", null, ("Origin", Page)));
        RawAnswer deleted = await Raw.SendSignedAsync("DELETE", "/bucket/k", null, ("Origin", Page));
        RawAnswer stranger = await Raw.SendSignedAsync("PUT", "/bucket/k", [1], ("Origin", "https://example.org"));
        RawAnswer noPage = await Raw.SendSignedAsync("PUT", "/bucket/k", [1]);

        Assert.Equal([200, 404, 403, 204, 200, 200], new[] { put, missing, unsigned, deleted, stranger, noPage }.Select(static answer => answer.Status));
        Assert.Equal(
            [Page, Page, Page, null, null, null],
            new[] { put, missing, unsigned, deleted, stranger, noPage }.Select(static answer => answer.Header("Access-Control-Allow-Origin")));
        Assert.Equal("ETag, x-amz-checksum-crc32c", put.Header("Access-Control-Expose-Headers"));
        Assert.Null(noPage.Header("Vary"));
    }

    [Fact]
    public async Task Rule_ForAnyOrigin_AllowsNoCredentials()
    {
        await ConfigureAsync("<CORSRule><AllowedOrigin>https://other.example.com</AllowedOrigin><AllowedMethod>POST</AllowedMethod></CORSRule>"
            + "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedHeader>*</AllowedHeader></CORSRule>");

        RawAnswer answer = await PreflightAsync("/bucket/k", Page, "GET", "range");

        Assert.Equal("*", answer.Header("Access-Control-Allow-Origin"));
        Assert.Equal("GET", answer.Header("Access-Control-Allow-Methods"));
        Assert.Null(answer.Header("Access-Control-Allow-Credentials"));
        Assert.Null(answer.Header("Access-Control-Max-Age"));
    }

    [Theory]
    [InlineData("", "MalformedXML")]
    [InlineData("<CORSRule><AllowedMethod>GET</AllowedMethod></CORSRule>", "MalformedXML")]
    [InlineData("<CORSRule><AllowedOrigin>*</AllowedOrigin></CORSRule>", "MalformedXML")]
    [InlineData("<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>OPTIONS</AllowedMethod></CORSRule>", "InvalidRequest")]
    [InlineData("<CORSRule><AllowedOrigin>*.a.*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>", "InvalidRequest")]
    [InlineData("<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><ExposeHeader>x-*</ExposeHeader></CORSRule>", "InvalidRequest")]
    [InlineData("<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><MaxAgeSeconds>-1</MaxAgeSeconds></CORSRule>", "MalformedXML")]
    public async Task Configuration_Invalid_IsRejected(string rules, string code) => Assert.Equal(code, (await PutRulesAsync(rules)).Code);

    [Fact]
    public async Task Configuration_OfAFolder_RemainsAfterARestart()
    {
        using TemporaryFolder folder = new();
        EmbeddedS3ServerOptions options = new() { Directory = folder.Path, Buckets = ["bucket"] };
        await using (EmbeddedS3Server first = await EmbeddedS3Server.StartAsync(options).Within())
        {
            using AmazonS3Client s3 = first.CreateClient();
            await s3.PutCORSConfigurationAsync("bucket", Rules(ForUploads())).Within();
        }

        await using EmbeddedS3Server second = await EmbeddedS3Server.StartAsync(options).Within();
        using AmazonS3Client again = second.CreateClient();
        Assert.Equal("uploads", Assert.Single((await again.GetCORSConfigurationAsync("bucket").Within()).Configuration.Rules).Id);
    }

    private static CORSRule ForUploads() => new()
    {
        Id = "uploads",
        AllowedOrigins = ["https://*.example.com"],
        AllowedMethods = ["PUT", "GET"],
        AllowedHeaders = ["x-amz-*", "Content-Type"],
        ExposeHeaders = ["ETag", "x-amz-checksum-crc32c"],
        MaxAgeSeconds = 600,
    };

    private static CORSConfiguration Rules(CORSRule rule) => new() { Rules = [rule] };

    private async Task ConfigureAsync(CORSRule rule)
    {
        using AmazonS3Client s3 = Server.CreateClient();
        await s3.PutCORSConfigurationAsync("bucket", Rules(rule)).Within();
    }

    private async Task ConfigureAsync(string rules) => Assert.Equal(200, (await PutRulesAsync(rules)).Status);

    private Task<RawAnswer> PutRulesAsync(string rules) => PutXmlAsync("/bucket?cors", $"<CORSConfiguration>{rules}</CORSConfiguration>");

    private Task<RawAnswer> PreflightAsync(string target, string origin, string method, string? headers)
    {
        (string, string)[] all = [("Origin", origin), ("Access-Control-Request-Method", method), .. headers is null ? [] : new[] { ("Access-Control-Request-Headers", headers) }];
        return Raw.SendAsync(Raw.Plain("OPTIONS", target, null, all));
    }
}
