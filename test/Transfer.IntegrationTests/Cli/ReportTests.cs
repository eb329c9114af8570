using System.Text.Json;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>The report of each object that commands copy, move, or delete.</summary>
public sealed class ReportTests : ToolTest
{
    private const int Files = 100;
    private const int FileBytes = 64 << 10;

    /// <summary>Limits the rate, so that a copy takes several seconds and can be killed in its middle.</summary>
    protected override EmbeddedS3ServerOptions ServerOptions => new() { Buckets = [Bucket], LinkBytesPerSecond = 1 << 20 };

    private string Report => GetPath("report.jsonl");

    [Fact]
    public async Task EveryCommand_AppendsALineForEachObject()
    {
        string tree = GetPath("tree");
        Directory.CreateDirectory(tree);
        string a = await WriteFileAsync("tree/a", "1"u8.ToArray());
        string b = await WriteFileAsync("tree/b", "22"u8.ToArray());

        Assert.Equal(["cp copy done a → s3://bucket/one"], await NewLinesAsync(0, "cp", a, $"s3://{Bucket}/one"));
        Assert.Equal(["cp copy skipped a → s3://bucket/one"], await NewLinesAsync(0, "cp", "--no-clobber", a, $"s3://{Bucket}/one"));
        Assert.Equal(["cp copy failed s3://bucket/none → none"], await NewLinesAsync(1, "cp", $"s3://{Bucket}/none", GetPath("none")));
        Assert.Equal(
            ["cp copy done a → s3://bucket/p/a", "cp copy done b → s3://bucket/p/b", "cp copy failed none → s3://bucket/p/none"],
            await NewLinesAsync(1, "cp", a, b, GetPath("none"), $"s3://{Bucket}/p/"));
        Assert.Equal(
            ["cp copy done b → s3://bucket/one/b", "cp copy skipped a → s3://bucket/one/a"],
            await NewLinesAsync(0, () => PutAsync("one/a", []), "cp", "-r", "--no-clobber", tree, $"s3://{Bucket}/one"));
        Assert.Equal(["cp copy done s3://bucket/one/a → a", "cp copy done s3://bucket/one/b → b"], await NewLinesAsync(0, "cp", "-r", $"s3://{Bucket}/one", GetPath("down")));
        Assert.Equal(["mv move done s3://bucket/one → s3://bucket/two"], await NewLinesAsync(0, "mv", $"s3://{Bucket}/one", $"s3://{Bucket}/two"));
        Assert.Equal(["mv move done s3://bucket/p/a → s3://bucket/m/a", "mv move done s3://bucket/p/b → s3://bucket/m/b"], await NewLinesAsync(0, "mv", "-r", $"s3://{Bucket}/p", $"s3://{Bucket}/m"));
        Assert.Equal(
            ["sync copy done b → s3://bucket/s/b", "sync delete done s3://bucket/s/gone", "sync replace done a → s3://bucket/s/a"],
            await NewLinesAsync(0, () => Task.WhenAll(PutAsync("s/a", []), PutAsync("s/gone", [])), "sync", "--delete", tree, $"s3://{Bucket}/s"));
        Assert.Empty(await NewLinesAsync(0, "sync", "--delete", tree, $"s3://{Bucket}/s"));
        Assert.Equal(["rm delete done s3://bucket/two"], await NewLinesAsync(0, "rm", $"s3://{Bucket}/two"));
        Assert.Equal(["rm delete failed s3://bucket/two"], await NewLinesAsync(1, "rm", $"s3://{Bucket}/two"));
        Assert.Equal(["rm delete done s3://bucket/m/a", "rm delete done s3://bucket/m/b"], await NewLinesAsync(0, "rm", "-r", "--yes", $"s3://{Bucket}/m"));

        JsonElement[] lines = await ReadAsync();
        JsonElement first = lines[0];
        Assert.EachEqual((1, "verified", "\"c4ca4238a0b923820dcc509a6f75849b\"", 0), (first.GetProperty("bytes").GetInt32(), first.GetProperty("checksum").GetProperty("verdict").GetString(), Text(first, "target_etag"), first.GetProperty("retries").GetInt32()));
        Assert.All(lines, line => Assert.True(Text(line, "status") is "skipped" || Text(line, "error") is not null || Text(line, "target_etag") is not null || Text(line, "source_etag") is not null || Text(line, "target_etag_before") is not null, line.ToString()));
        Assert.DoesNotContain(Server.SecretAccessKey, await File.ReadAllTextAsync(Report).Within(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task DiskIsFull_EverythingIsCopiedAndTheCommandFails()
    {
        string tree = GetPath("tree");
        Directory.CreateDirectory(tree);
        await WriteFileAsync("tree/a", [1]);
        await WriteFileAsync("tree/b", [2]);

        ToolOutcome outcome = (await RunAsync("cp", "-r", "--quiet", tree, $"s3://{Bucket}/p", "--report", "/dev/full")).Expect(1);

        Assert.Equal("transfer: warning: the report is incomplete: '/dev/full' can no longer be written: No space left on device; the command continues without it", outcome.Error.Trim());
        Assert.Equal(2, (await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within()).S3Objects.Count);
    }

    [Fact]
    public async Task CopyFolder_IsKilled_LeavesWholeLinesOfWhatWasCopiedAndIsContinued()
    {
        string tree = GetPath("tree");
        Directory.CreateDirectory(tree);
        for (int i = 0; i < Files; i++)
        {
            await WriteFileAsync($"tree/{i}", Sample.Bytes(FileBytes, i));
        }

        string[] arguments = ["cp", "-r", tree, $"s3://{Bucket}/p", "--quiet", "--report", Report];
        using (ToolProcess tool = ToolProcess.Start(Environment, arguments))
        {
            tool.CloseInput();
            await Deadline.Until(() => File.Exists(Report) && new FileInfo(Report).Length > 0);
            Assert.True(tool.Kill());
        }

        string text = await File.ReadAllTextAsync(Report).Within();
        JsonElement[] before = await ReadAsync();
        Assert.EndsWith("}\n", text, StringComparison.Ordinal);
        Assert.InRange(before.Length, 1, Files - 1);
        HashSet<string> there = [.. (await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within()).S3Objects.Select(item => $"s3://{Bucket}/{item.Key}")];
        Assert.All(before, line => Assert.Contains(Text(line, "target")!, there));

        (await RunAsync([.. arguments, "--no-clobber"])).Expect(0);
        JsonElement[] all = await ReadAsync();
        Assert.StartsWith(text, await File.ReadAllTextAsync(Report).Within(), StringComparison.Ordinal);
        Assert.Equal(Files, all.Length - before.Length);
        Assert.Equal(there.Count, all[before.Length..].Count(line => Text(line, "status") == "skipped"));
    }

    private static string? Text(JsonElement line, string name) => line.TryGetProperty(name, out JsonElement value) ? value.GetString() : null;

    private Task<string[]> NewLinesAsync(int exitCode, params string[] arguments) => NewLinesAsync(exitCode, static () => Task.CompletedTask, arguments);

    /// <summary>Runs the tool, and returns the lines that it adds, in a short form and sorted. Local paths are only names.</summary>
    private async Task<string[]> NewLinesAsync(int exitCode, Func<Task> beforeAsync, params string[] arguments)
    {
        await beforeAsync();
        int before = File.Exists(Report) ? (await ReadAsync()).Length : 0;
        (await RunAsync([.. arguments, "--report", Report])).Expect(exitCode);
        return [.. (await ReadAsync())[before..].Select(Short).Order(StringComparer.Ordinal)];
    }

    private static string Short(JsonElement line)
    {
        string? source = Text(line, "source");
        return $"{Text(line, "command")} {Text(line, "operation")} {Text(line, "status")} {(source is null ? string.Empty : $"{Name(source)} → ")}{Name(Text(line, "target")!)}";
    }

    private static string Name(string address) => address.StartsWith("s3://", StringComparison.Ordinal) ? address : Path.GetFileName(address);

    private async Task<JsonElement[]> ReadAsync() => [.. (await File.ReadAllLinesAsync(Report).Within()).Select(ToolOutcome.Parse)];
}
