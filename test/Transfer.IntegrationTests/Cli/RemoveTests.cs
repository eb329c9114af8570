using System.Text.Json;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Deletes objects with the tool.</summary>
public sealed class RemoveTests : ToolTest
{
    [Fact]
    public async Task OneObject_IsDeletedWithoutAQuestion()
    {
        await PutManyAsync("p/a b", "p/a b/c");

        Assert.Equal($"would delete s3://{Bucket}/p/a b, 3 B\n", (await RunAsync("rm", "--dry-run", $"s3://{Bucket}/p/a b")).Expect(0).Error);
        Assert.Equal(["p/a b", "p/a b/c"], await KeysAsync());
        Assert.Equal($"deleted s3://{Bucket}/p/a b, 3 B\n", (await RunAsync("rm", $"s3://{Bucket}/p/a b")).Expect(0).Error);
        Assert.Equal(["p/a b/c"], await KeysAsync());
    }

    [Theory]
    [InlineData("missing", "there is no such")]
    [InlineData("p", "2 objects are under s3://bucket/p/; add -r to delete them: transfer rm -r s3://bucket/p/")]
    [InlineData("p/*.txt", "s3://bucket/p/*.txt: nothing matches; * and ? don't match a /", "--yes")]
    public async Task OneObject_Missing_IsAFailureWithAdvice(string key, string advice, params string[] options)
    {
        await PutManyAsync("p/a", "p/b");
        Assert.Contains(advice, (await RunAsync(["rm", $"s3://{Bucket}/{key}", .. options])).Expect(1).Error, StringComparison.Ordinal);
        Assert.Equal(2, (await KeysAsync()).Length);
    }

    [Fact]
    public async Task Versions_StoreDoesNotListThem_DeletesNothing()
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions
        {
            Buckets = [Bucket],
            Refuses = [ServerAbility.ListVersions],
            AccessKeyId = Server.AccessKeyId,
            SecretAccessKey = Server.SecretAccessKey,
        }).Within();
        using Amazon.S3.AmazonS3Client s3 = server.CreateClient();
        await s3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = "logs/a", ContentBody = "a" }).Within();
        ToolOutcome outcome = (await RunAsync("rm", "-r", "-y", "--versions", $"s3://{Bucket}/logs", "--endpoint-url", server.Endpoint.ToString())).Expect(1);
        Assert.Contains("NotImplemented", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("the store may not support versions", outcome.Error, StringComparison.Ordinal);
        Assert.Single((await s3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within()).S3Objects);
        Assert.Contains("--versions is for many objects; use it with -r", (await RunAsync("rm", "--versions", $"s3://{Bucket}/logs/a")).Expect(2).Error, StringComparison.Ordinal);
    }

    [Theory]
    [Stores.Stores(OurWireOnly = true)]
    public async Task Versions_AreDeletedWithTheirMarkers(string storeName)
    {
        await using ToolStore tool = await ToolStore.StartAsync(storeName);
        await tool.Store.KeepVersionsAsync();
        foreach (string key in (string[])["p/a b", "p/a b", "p/c", "q"])
        {
            await tool.PutAsync(key, [1, 2, 3]);
        }

        (await tool.RunAsync("rm", $"s3://{tool.Bucket}/p/c")).Expect(0);
        Assert.StartsWith("would delete 4 versions and delete markers, 9 B\n", (await tool.RunAsync("rm", "-r", "--dry-run", "--versions", $"s3://{tool.Bucket}/p")).Expect(0).Error, StringComparison.Ordinal);
        Assert.StartsWith("deleted 4 versions and delete markers, 9 B in ", (await tool.RunAsync("rm", "-r", "-y", "--versions", $"s3://{tool.Bucket}/p", "--progress", "none")).Expect(0).Error, StringComparison.Ordinal);

        Assert.Equal("q", Assert.Single((await tool.Store.S3.ListVersionsAsync(tool.Bucket).Within()).Versions).Key);
        (await tool.RunAsync("rm", "-r", "-y", "--versions", "--whole-bucket", $"s3://{tool.Bucket}")).Expect(0);
    }

    [Fact]
    public async Task Folder_IsDeleted_AndNoLongerName()
    {
        await PutManyAsync("logs", "logs/", "logs/a", "logs/b/c", "logs-2025/d");

        ToolOutcome dry = (await RunAsync("rm", "-r", "--dry-run", $"s3://{Bucket}/logs")).Expect(0);
        Assert.Equal([$"s3://{Bucket}/logs/", $"s3://{Bucket}/logs/a", $"s3://{Bucket}/logs/b/c"], dry.Lines);
        Assert.Equal("would delete 3 objects, 9 B\nwould send 2 requests: 0 writes, 1 list, 0 reads, 1 delete; 0 B up, 0 B down\n", dry.Error);
        Assert.Equal(
            $$"""{"action":"delete","target":"s3://{{Bucket}}/logs/a","bytes":3}""",
            (await RunAsync("rm", "-r", "--dry-run", "--json", $"s3://{Bucket}/logs")).Expect(0).Lines[1]);
        Assert.Equal(
            $$"""{"action":"delete","target":"s3://{{Bucket}}/logs/a","bytes":3}""",
            (await RunAsync("rm", "--dry-run", "--json", $"s3://{Bucket}/logs/a")).Expect(0).Lines[0]);
        Assert.Equal(5, (await KeysAsync()).Length);

        Assert.StartsWith("deleted 3 objects, 9 B in ", (await RunAsync("rm", "-r", "-y", $"s3://{Bucket}/logs", "--progress", "none")).Expect(0).Error, StringComparison.Ordinal);
        Assert.Equal(["logs", "logs-2025/d"], await KeysAsync());

        Assert.Contains(
            "s3://bucket/logs/: no objects found; there are objects whose keys begin with 'logs': omit -r to delete the object of this name, or add --any-prefix to delete all of them",
            (await RunAsync("rm", "-r", "-y", $"s3://{Bucket}/logs")).Expect(1).Error,
            StringComparison.Ordinal);
        Assert.Equal(2, (await KeysAsync()).Length);
        (await RunAsync("rm", "-r", "-y", "--any-prefix", $"s3://{Bucket}/logs")).Expect(0);
        Assert.Empty(await KeysAsync());
    }

    [Fact]
    public async Task Patterns_SelectObjects()
    {
        await PutManyAsync("p/a.tmp", "p/b.txt", "p/keep/c.tmp");

        (await RunAsync("rm", "-r", "-y", "--include", "*.tmp", "--exclude", "keep/", $"s3://{Bucket}/p")).Expect(0);
        Assert.Equal(["p/b.txt", "p/keep/c.tmp"], await KeysAsync());

        Assert.Contains("nothing matched --include '*.jpg'", (await RunAsync("rm", "-r", "-y", "--include", "*.jpg", $"s3://{Bucket}/p")).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task WholeBucket_NeedsItsOption()
    {
        await PutManyAsync("a", "b/c");

        (await RunAsync("rm", "-r", "-y", $"s3://{Bucket}")).Expect(2);
        Assert.Equal(2, (await KeysAsync()).Length);
        (await RunAsync("rm", "-r", "-y", "--whole-bucket", $"s3://{Bucket}")).Expect(0);
        Assert.Empty(await KeysAsync());
        (await RunAsync("rm", "-r", "-y", "--whole-bucket", $"s3://{Bucket}")).Expect(0);
    }

    [Theory]
    [InlineData("2", 6)]
    [InlineData("3", 0)]
    [InlineData("74%", 6)]
    [InlineData("75%", 0)]
    public async Task MaxDelete_DeletesAllOrNothing(string limit, int code)
    {
        await PutManyAsync("p/a", "p/b", "p/c", "p/keep");

        ToolOutcome outcome = (await RunAsync("rm", "-r", "-y", "--exclude", "keep", "--max-delete", limit, $"s3://{Bucket}/p")).Expect(code);

        Assert.Equal(code == 0 ? 1 : 4, (await KeysAsync()).Length);
        Assert.Equal(code != 0, outcome.Error.Contains("objects would be deleted, and the limit is ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Json_HasTheCounts()
    {
        await PutManyAsync("p/a", "p/b");

        ToolOutcome outcome = (await RunAsync("rm", "-r", "-y", "--json", "--quiet", $"s3://{Bucket}/p")).Expect(0);

        JsonElement json = outcome.Json;
        Assert.EachEqual(("rm", 2, 6, 0), (json.GetProperty("operation").GetString(), json.GetProperty("objects").GetInt32(), json.GetProperty("bytes").GetInt32(), json.GetProperty("failed").GetInt32()));
        Assert.Empty(outcome.Error);
    }

    [Fact]
    public async Task WithoutATerminal_YesIsNeeded()
    {
        await PutManyAsync("p/a");

        ToolOutcome outcome = (await ToolProcess.RunWithoutTerminalAsync(Environment, "rm", "-r", $"s3://{Bucket}/p")).Expect(2);

        Assert.Contains("there is no terminal to ask; add --yes", outcome.Error, StringComparison.Ordinal);
        Assert.Single(await KeysAsync());
        (await ToolProcess.RunWithoutTerminalAsync(Environment, "rm", "-r", "--yes", $"s3://{Bucket}/p")).Expect(0);
        Assert.Empty(await KeysAsync());
    }

    [Theory]
    [InlineData("n\n", 1, 2)]
    [InlineData("\n", 1, 2)]
    [InlineData("y\n", 0, 0)]
    [InlineData("YES\n", 0, 0)]
    public async Task OnATerminal_TheQuestionSaysWhat(string typed, int code, int left)
    {
        await PutManyAsync("p/a", "p/b");

        ToolOutcome outcome = (await ToolProcess.RunOnTerminalAsync(typed, Environment, "rm", "-r", $"s3://{Bucket}/p")).Expect(code);

        Assert.Contains($"Delete 2 objects, 6 B, of s3://{Bucket}/p/? [y/N]", outcome.Text, StringComparison.Ordinal);
        Assert.Equal(left, (await KeysAsync()).Length);
    }

    [Fact]
    public async Task SomeFail_OthersAreDeletedAndEachIsReported()
    {
        const string list = "<ListBucketResult><Name>bucket</Name><IsTruncated>false</IsTruncated>"
            + "<Contents><Key>p/a</Key><Size>3</Size></Contents><Contents><Key>p/b</Key><Size>3</Size></Contents></ListBucketResult>";
        await using ScriptedServer store = new(request => ScriptedAnswer.Text(
            "HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Type: application/xml",
            request.Method == "GET" ? list : "<DeleteResult><Error><Key>p/b</Key><Code>AccessDenied</Code><Message>no</Message></Error></DeleteResult>"));

        ToolOutcome outcome = (await RunAsync("rm", "-r", "-y", $"s3://{Bucket}/p", "--endpoint-url", store.Url, "--json")).Expect(1);

        Assert.EachEqual((1, 1), (outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("failed").GetInt32()));
        Assert.Equal("p/b", Assert.Single(outcome.Json.GetProperty("errors").EnumerateArray()).GetProperty("key").GetString());
    }
}
