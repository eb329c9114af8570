using System.Text.Json;
using Amazon.S3.Model;
using Transfer.IntegrationTests.Infrastructure;

namespace Transfer.IntegrationTests.Cli;

public sealed class AbortTests : ToolTest
{
    [Fact]
    public async Task Abort_Prefix_EndsThoseUploadsAndShowsThem()
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
        Assert.Equal(("would abort 2 unfinished uploads\n", "aborted 2 unfinished uploads\n"), (dry.Error, done.Error));
        Assert.Equal(1, await CountUnfinishedUploadsAsync());
    }

    [Fact]
    public async Task Abort_OlderThan_LeavesYoungerOnesAlone()
    {
        await BeginAsync("k");
        Assert.Equal("aborted 0 unfinished uploads, 1 younger\n", (await RunAsync("abort", "--older-than", "1d", $"s3://{Bucket}")).Expect(0).Error);
        Assert.Equal(1, await CountUnfinishedUploadsAsync());
    }

    [Fact]
    public async Task Abort_Json_IsOneUploadALineAndTheResultAtTheEnd()
    {
        string id = await BeginAsync("k");

        ToolOutcome outcome = (await RunAsync("abort", $"s3://{Bucket}/k", "--json", "--quiet")).Expect(0);

        Assert.Equal(2, outcome.Lines.Length);
        JsonElement upload = ToolOutcome.Parse(outcome.Lines[0]);
        Assert.Equal(("k", id), (upload.GetProperty("key").GetString(), upload.GetProperty("upload_id").GetString()));
        Assert.Equal(("abort", 1, 0), (outcome.Json.GetProperty("operation").GetString(), outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("failed").GetInt32()));
        Assert.Empty(outcome.Error);
        Assert.Equal(0, await CountUnfinishedUploadsAsync());
    }

    [Fact]
    public async Task Abort_MissingBucket_NamesIt()
        => Assert.Contains("there is no such bucket", (await RunAsync("abort", "s3://nobucket")).Expect(1).Error, StringComparison.Ordinal);

    private async Task<string> BeginAsync(string key)
        => (await S3.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = Bucket, Key = key }).InTime()).UploadId;
}
