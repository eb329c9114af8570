using System.Text.Json;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

public sealed class AbortTests : ToolTest
{
    [Fact]
    public async Task Abort_Prefix_AbortsAndListsItsUploads()
    {
        string one = await BeginAsync("dir/a b");
        string two = await BeginAsync("dir/c");
        await BeginAsync("other");

        ToolOutcome dry = (await RunAsync("abort", "--dry-run", $"s3://{Bucket}/dir/")).Expect(0);
        Assert.Equal(3, await CountUnfinishedUploadsAsync());
        ToolOutcome done = (await RunAsync("abort", $"s3://{Bucket}/dir/")).Expect(0);

        Assert.Equal(dry.Text, done.Text);
        Assert.EndsWith($"  dir/a b  {one}", done.Lines[0], StringComparison.Ordinal);
        Assert.EndsWith($"  dir/c  {two}", done.Lines[1], StringComparison.Ordinal);
        Assert.EachEqual(("would abort 2 incomplete uploads\n", "aborted 2 incomplete uploads\n"), (dry.Error, done.Error));
        Assert.Equal(1, await CountUnfinishedUploadsAsync());
    }

    [Fact]
    public async Task Abort_OlderThan_KeepsYoungerUploads()
    {
        await BeginAsync("k");
        Assert.Equal("aborted 0 incomplete uploads; kept 1 newer\n", (await RunAsync("abort", "--older-than", "1d", $"s3://{Bucket}")).Expect(0).Error);
        Assert.Equal(1, await CountUnfinishedUploadsAsync());
    }

    [Fact]
    public async Task Abort_Json_WritesALineForEachUploadAndTheResult()
    {
        string id = await BeginAsync("k");

        ToolOutcome outcome = (await RunAsync("abort", $"s3://{Bucket}/k", "--json", "--quiet")).Expect(0);

        Assert.Single(outcome.Lines);
        JsonElement upload = ToolOutcome.Parse(outcome.Lines[0]);
        Assert.EachEqual(("k", id), (upload.GetProperty("key").GetString(), upload.GetProperty("upload_id").GetString()));
        Assert.EachEqual(("abort", 1, 0), (outcome.Json.GetProperty("operation").GetString(), outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("failed").GetInt32()));
        Assert.Equal(0, await CountUnfinishedUploadsAsync());
    }

    [Fact]
    public async Task Abort_MissingBucket_ErrorNamesIt()
        => Assert.Contains("there is no such bucket", (await RunAsync("abort", "s3://nobucket")).Expect(1).Error, StringComparison.Ordinal);

    [Theory]
    [InlineData("<html></html>")]
    [InlineData("<!doctype html><p>hello<br>")]
    public async Task Abort_EndpointIsAWebServer_AsksWhetherItIsS3(string page)
    {
        await using ScriptedServer web = new(_ => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nContent-Type: text/html", page));
        Assert.Contains("is it an S3 endpoint?", (await RunAsync("abort", $"s3://{Bucket}", "--endpoint-url", web.Url)).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Abort_SomeFail_ReportsEachAndAbortsTheOthers()
    {
        const string list = "<ListMultipartUploadsResult><Bucket>bucket</Bucket><IsTruncated>false</IsTruncated>"
            + "<Upload><Key>a</Key><UploadId>1</UploadId></Upload><Upload><Key>b</Key><UploadId>2</UploadId></Upload><Upload><Key>c</Key><UploadId>3</UploadId></Upload>"
            + "</ListMultipartUploadsResult>";
        await using ScriptedServer store = new(request => request switch
        {
            { Method: "GET" } => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Type: application/xml", list),
            _ when request.Target.Contains("uploadId=2", StringComparison.Ordinal) => ScriptedAnswer.Of("HTTP/1.1 204 No Content\r\nx-amz-request-id: R1"),
            _ => ScriptedAnswer.Error(403, "AccessDenied"),
        });

        ToolOutcome outcome = (await RunAsync("abort", $"s3://{Bucket}", "--endpoint-url", store.Url, "--json")).Expect(1);

        Assert.EachEqual((1, 2), (outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("failed").GetInt32()));
        Assert.Equal(["a", "c"], outcome.Json.GetProperty("errors").EnumerateArray().Select(error => error.GetProperty("key").GetString()));
        Assert.Equal("b", ToolOutcome.Parse(outcome.Lines[0]).GetProperty("key").GetString());
        Assert.Contains("s3://bucket/a: access denied", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("s3://bucket/c: access denied", outcome.Error, StringComparison.Ordinal);
    }

    private async Task<string> BeginAsync(string key)
        => (await S3.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = Bucket, Key = key }).Within()).UploadId;
}
