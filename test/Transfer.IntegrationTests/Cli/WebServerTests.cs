using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>A web server responds with status 200 to everything. Nothing was created, changed, or removed.</summary>
public sealed class WebServerTests : ToolTest
{
    [Theory]
    [InlineData("mb", "s3://newbucket")]
    [InlineData("rb", "s3://bucket")]
    [InlineData("tag", "s3://bucket/key")]
    [InlineData("tag", "--set", "a=b", "--clear", "s3://bucket/key")]
    [InlineData("tag", "--clear", "s3://bucket/key")]
    [InlineData("stat", "s3://bucket/key")]
    [InlineData("ls")]
    [InlineData("ls", "s3://bucket")]
    [InlineData("du", "s3://bucket")]
    [InlineData("abort", "s3://bucket")]
    public async Task Command_WebServerRespondsToAll_Fails(params string[] command)
    {
        await using ScriptedServer server = new(request => ScriptedAnswer.Text(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html", request.Method == "HEAD" ? string.Empty : "<html><body>Welcome</body></html>"));
        Environment["AWS_ENDPOINT_URL_S3"] = server.Url;

        ToolOutcome outcome = (await RunAsync(command)).Expect(1);

        Assert.Contains("S3", outcome.Error, StringComparison.Ordinal);
    }
}
