using System.Net;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>URLs of <c>transfer presign</c> are accepted by stores, without credentials and without the SDK.</summary>
public sealed class PresignTests : IDisposable
{
    // Uri would fold the dots of a path, as some HTTP clients do.
    private static readonly UriCreationOptions Verbatim = new() { DangerousDisablePathAndQueryCanonicalization = true };
    private readonly HttpClient _http = new();

    public void Dispose() => _http.Dispose();

    [Theory]
    [Stores("plain", "a b+c&d=ä%2B/k", "dir//x", OurWireOnly = true)]
    public async Task Presign_Get_DownloadsTheObject(string store, string key)
    {
        if (store == Store.Minio && key.Contains("//", StringComparison.Ordinal))
        {
            return; // MinIO rejects such keys
        }

        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync(key, Sample.Bytes(1000));

        string url = await PresignAsync(tool, $"s3://{tool.Bucket}/{key}");

        Assert.Equal(Sample.Bytes(1000), await _http.GetByteArrayAsync(new Uri(url, Verbatim)).Within());
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Presign_Put_UploadsTheObject(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);

        string url = await PresignAsync(tool, "--method", "put", $"s3://{tool.Bucket}/new");
        using ByteArrayContent body = new(Sample.Bytes(1000));
        using HttpResponseMessage put = await _http.PutAsync(new Uri(url, Verbatim), body).Within();
        using HttpResponseMessage get = await _http.GetAsync(new Uri(url, Verbatim)).Within();

        Assert.Equal(HttpStatusCode.OK, put.StatusCode);
        Assert.Equal(HttpStatusCode.Forbidden, get.StatusCode);
        Assert.Equal(1000, (await tool.Store.S3.GetObjectMetadataAsync(tool.Bucket, "new").Within()).ContentLength);
    }

    [Theory]
    [Stores("/k?", "X-Amz-Expires=", "X-Amz-Signature=", OurWireOnly = true)]
    public async Task Presign_TamperedUrl_IsRejected(string store, string part)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync("k", [1]);
        await tool.PutAsync("other", [1]);

        string url = await PresignAsync(tool, $"s3://{tool.Bucket}/k");
        string tampered = url.Replace(part, part == "/k?" ? "/other?" : part + "1", StringComparison.Ordinal);
        using HttpResponseMessage response = await _http.GetAsync(new Uri(tampered, Verbatim)).Within();

        Assert.NotEqual(url, tampered);
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    [Fact]
    public async Task Presign_ExpiredUrl_IsRejected()
    {
        FakeTimeProvider clock = new(TimeProvider.System.GetUtcNow());
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(clock, new EmbeddedS3ServerOptions { Buckets = ["bucket"] });
        Dictionary<string, string> environment = new()
        {
            ["AWS_ENDPOINT_URL_S3"] = server.Endpoint.ToString(),
            ["AWS_ACCESS_KEY_ID"] = server.AccessKeyId,
            ["AWS_SECRET_ACCESS_KEY"] = server.SecretAccessKey,
        };
        string url = (await ToolProcess.RunAsync(environment, "presign", "--expires", "1h", "s3://bucket/k")).Expect(0).Text.TrimEnd();

        using HttpResponseMessage before = await _http.GetAsync(new Uri(url, Verbatim)).Within();
        clock.Advance(TimeSpan.FromHours(2));
        using HttpResponseMessage after = await _http.GetAsync(new Uri(url, Verbatim)).Within();

        Assert.Equal(HttpStatusCode.NotFound, before.StatusCode);
        Assert.Equal(HttpStatusCode.Forbidden, after.StatusCode);
        Assert.Contains("Request has expired", await after.Content.ReadAsStringAsync().Within(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Presign_StoreIsNotThere_NeedsNoRequest()
    {
        Dictionary<string, string> environment = new() { ["AWS_ACCESS_KEY_ID"] = "id", ["AWS_SECRET_ACCESS_KEY"] = "secret" };
        ToolOutcome outcome = (await ToolProcess.RunAsync(environment, "presign", "s3://bucket/k", "--endpoint-url", "http://127.0.0.1:1")).Expect(0);
        Assert.StartsWith("http://127.0.0.1:1/bucket/k?", outcome.Text, StringComparison.Ordinal);
        Assert.Empty(outcome.Error);
    }

    /// <summary>The variables that select an endpoint, a region, or credentials. Dual stack and FIPS are for Amazon S3 only.</summary>
    [Theory]
    [InlineData("AWS_REGION=us-west-2", "https://bucket.s3.us-west-2.amazonaws.com/k?")]
    [InlineData("AWS_REGION= AWS_DEFAULT_REGION=us-west-2", "https://bucket.s3.us-west-2.amazonaws.com/k?")]
    [InlineData("AWS_USE_DUALSTACK_ENDPOINT=true", "https://bucket.s3.dualstack.eu-west-1.amazonaws.com/k?")]
    [InlineData("AWS_USE_FIPS_ENDPOINT=true AWS_REGION=us-west-2", "https://bucket.s3-fips.us-west-2.amazonaws.com/k?")]
    [InlineData("AWS_USE_DUALSTACK_ENDPOINT=true AWS_USE_FIPS_ENDPOINT=true AWS_ENDPOINT_URL_S3=https://store", "https://store/bucket/k?")]
    [InlineData("AWS_ENDPOINT_URL=https://store", "https://store/bucket/k?")]
    [InlineData("AWS_ENDPOINT_URL=https://store AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true", "https://bucket.s3.eu-west-1.amazonaws.com/k?")]
    [InlineData("AWS_ACCESS_KEY_ID=other", "X-Amz-Credential=other%2F")]
    [InlineData("AWS_SESSION_TOKEN=token", "X-Amz-Security-Token=token&")]
    [InlineData("AWS_MAX_ATTEMPTS=abc AWS_RETRY_MODE=abc AWS_DEFAULTS_MODE=abc AWS_S3_USE_ARN_REGION=abc", "https://bucket.s3.eu-west-1.amazonaws.com/k?")]
    public async Task Presign_VariableOfTheEnvironment_IsHeededOrIgnored(string variables, string expected)
    {
        Dictionary<string, string> environment = new() { ["AWS_ACCESS_KEY_ID"] = "id", ["AWS_SECRET_ACCESS_KEY"] = "secret", ["AWS_REGION"] = "eu-west-1" };
        foreach (string[] variable in variables.Split(' ').Select(static variable => variable.Split('=', 2)))
        {
            environment[variable[0]] = variable[1];
        }

        Assert.Contains(expected, (await ToolProcess.RunAsync(environment, "presign", "s3://bucket/k")).Expect(0).Text, StringComparison.Ordinal);
    }

    private static async Task<string> PresignAsync(ToolStore tool, params string[] arguments)
        => (await tool.RunAsync(["presign", .. arguments])).Expect(0).Text.TrimEnd();
}
