using System.Text;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Copies, moves, compares, and deletes the objects in a list of keys with the tool.</summary>
public sealed class KeysFromTests : ToolTest
{
    private readonly byte[] _content = [1, 2, 3];

    private string Prefix { get; } = $"s3://{Bucket}/p";

    [Fact]
    public async Task Remove_KeysInAFile_AreDeletedWithoutAListing()
    {
        await PutManyAsync("p/a b", "p/c", "p/d");
        string file = await WriteListAsync("p/a b\r\np/c\n");

        ToolOutcome dry = (await RunAsync("rm", "-r", "--dry-run", "--keys-from", file, Prefix)).Expect(0);
        Assert.Equal([$"s3://{Bucket}/p/a b", $"s3://{Bucket}/p/c"], dry.Lines);
        Assert.StartsWith("would delete 2 objects\nwould send 1 request: ", dry.Error, StringComparison.Ordinal);
        Assert.Equal(["PutObject"], Operations());

        Assert.StartsWith("deleted 2 objects in ", (await RunAsync("rm", "-r", "-y", "--progress", "none", "--keys-from", file, Prefix)).Expect(0).Error, StringComparison.Ordinal);
        Assert.Equal(["DeleteObjects", "PutObject"], Operations());
        Assert.Equal(["p/d"], await KeysAsync());
    }

    [Fact]
    public async Task Remove_EmptyList_IsNoError()
    {
        Assert.StartsWith("deleted 0 objects", (await RunAsync("rm", "-r", "-y", "--keys-from", "-", Prefix)).Expect(0).Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task Remove_StandardInput_IsUsedUpToItsFirstWrongLine()
    {
        await PutManyAsync("p/a", "p/b", "p/c");
        using ToolProcess tool = ToolProcess.Start(Environment, "rm", "-r", "-y", "--progress", "none", "--keys-format", "csv", "--keys-from", "-", $"s3://{Bucket}");
        await tool.Input.WriteAsync(Encoding.UTF8.GetBytes($"{Bucket},p%2Fa\n{Bucket},p/b\nother,p/c\n{Bucket},p/c\n"));
        tool.CloseInput();

        ToolOutcome outcome = (await tool.EndAsync()).Expect(1);

        Assert.Contains("deleted 2 objects in ", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("line 3 of standard input: its bucket is 'other' instead of 'bucket'; the list was used up to this line", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(["p/c"], await KeysAsync());
    }

    [Fact]
    public async Task Copy_KeysInAFile_AreDownloadedAndCopiedWithoutAListing()
    {
        await PutManyAsync("p/d/a", "p/b", "p/c");
        string file = await WriteListAsync("p/d/a\np/missing\np/b\n");

        ToolOutcome outcome = (await RunAsync("cp", "-r", "--keys-from", file, Prefix, GetPath("new"))).Expect(1);
        Assert.Contains("p/missing", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("2 objects, 6 B in ", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(_content, await File.ReadAllBytesAsync(GetPath("new/d/a")));
        Assert.Equal(2, Directory.GetFiles(GetPath("new"), "*", SearchOption.AllDirectories).Length);
        Assert.Equal(["GetObject", "PutObject"], Operations());

        (await RunAsync("cp", "-r", "--keys-from", file, "--exclude", "missing", Prefix, $"s3://{Bucket}/q")).Expect(0);
        Assert.DoesNotContain("ListObjectsV2", Operations());
        Assert.Equal(["p/b", "p/c", "p/d/a", "q/b", "q/d/a"], await KeysAsync());
    }

    [Fact]
    public async Task Move_KeysInAFile_AreMovedWithoutAListing()
    {
        await PutManyAsync("p/a", "p/b", "p/d/c", "p/e");
        string file = await WriteListAsync("p/a\np/d/c\n");

        (await RunAsync("mv", "-r", "--keys-from", file, Prefix, $"s3://{Bucket}/q")).Expect(0);
        Assert.DoesNotContain("ListObjectsV2", Operations());
        Assert.Equal(["p/b", "p/e", "q/a", "q/d/c"], await KeysAsync());
        Server.ClearRequests();
        Assert.Contains("p/a", (await RunAsync("mv", "-r", "--keys-from", file, Prefix, GetPath("new"))).Expect(1).Error, StringComparison.Ordinal);
        (await RunAsync("mv", "-r", "--keys-from", await WriteListAsync("p/b"), Prefix, GetPath("new"))).Expect(0);
        Assert.DoesNotContain("ListObjectsV2", Operations());
        Assert.Equal(_content, await File.ReadAllBytesAsync(GetPath("new/b")));
        Assert.Equal(["p/e", "q/a", "q/d/c"], await KeysAsync());
    }

    [Fact]
    public async Task Verify_KeysInAFile_ComparesOnlyThese()
    {
        await PutManyAsync("p/a", "p/b", "p/c");
        Directory.CreateDirectory(GetPath("here"));
        await WriteFileAsync("here/a", _content);
        await WriteFileAsync("here/b", [3, 2, 1]);
        Server.ClearRequests();

        (await RunAsync("verify", "--keys-from", await WriteListAsync("p/a\n"), GetPath("here"), Prefix)).Expect(0);
        Assert.Contains("p/b", (await RunAsync("verify", "--keys-from", await WriteListAsync("p/a\np/b\n"), GetPath("here"), Prefix)).Expect(3).Text, StringComparison.Ordinal);
        Assert.Contains("p/c", (await RunAsync("verify", "--keys-from", await WriteListAsync("p/c\n"), GetPath("here"), Prefix)).Expect(3).Text, StringComparison.Ordinal);
        Assert.DoesNotContain("ListObjectsV2", Operations());
    }

    [Fact]
    public async Task Remove_NulSeparatedKeys_CanContainLineBreaks()
    {
        await PutManyAsync("p/a\nb", "p/c", "p/d");
        using ToolProcess tool = ToolProcess.Start(Environment, "rm", "-r", "-y", "--progress", "none", "--keys-format", "nul", "--keys-from", "-", Prefix);
        await tool.Input.WriteAsync(Encoding.UTF8.GetBytes("p/a\nb\0p/d"));
        tool.CloseInput();

        Assert.StartsWith("deleted 2 objects in ", (await tool.EndAsync()).Expect(0).Error, StringComparison.Ordinal);
        Assert.Equal(["p/c"], await KeysAsync());
    }

    /// <summary>A report tells what is left to do: what failed is tried again, and what is done can be removed.</summary>
    [Fact]
    public async Task Report_SelectsLinesByTheirStatus()
    {
        await PutManyAsync("p/a", "p/b", "p/c");
        Directory.CreateDirectory(GetPath("new/b"));
        string report = GetPath("report.jsonl");
        (await RunAsync("cp", "-r", "--report", report, Prefix, GetPath("new"))).Expect(1);
        Directory.Delete(GetPath("new/b"));
        Server.ClearRequests();

        Assert.Contains("1 object, 3 B in ", (await RunAsync("cp", "-r", "--keys-from", report, "--keys-format", "report:failed", Prefix, GetPath("new"))).Expect(0).Error, StringComparison.Ordinal);
        Assert.Equal(_content, await File.ReadAllBytesAsync(GetPath("new/b")));
        (await RunAsync("verify", "--keys-from", report, "--keys-format", "report:done,failed", GetPath("new"), Prefix)).Expect(0);
        Assert.StartsWith("deleted 2 objects in ", (await RunAsync("rm", "-r", "-y", "--progress", "none", "--keys-from", report, "--keys-format", "report", Prefix)).Expect(0).Error, StringComparison.Ordinal);
        Assert.DoesNotContain("ListObjectsV2", Operations());
        Assert.Equal(["p/b"], await KeysAsync());
    }

    /// <summary>The command that wrote the report was killed in the middle of a line.</summary>
    [Fact]
    public async Task Report_EndsWithinALine_IsUsedUpToIt()
    {
        await PutManyAsync("p/a", "p/b");
        string report = GetPath("report.jsonl");
        (await RunAsync("cp", "-r", "--concurrency", "1", "--report", report, Prefix, GetPath("new"))).Expect(0);
        await File.WriteAllTextAsync(report, (await File.ReadAllTextAsync(report))[..^20]);

        ToolOutcome outcome = (await RunAsync("rm", "-r", "-y", "--progress", "none", "--keys-from", report, "--keys-format", "report", Prefix)).Expect(1);

        Assert.Contains("deleted 1 object in ", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("line 2 of '", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("it isn't a line of a report", outcome.Error, StringComparison.Ordinal);
        Assert.Single(await KeysAsync());
    }

    /// <summary>If both ends of a copy are under the prefix, a deletion must not guess which one is meant.</summary>
    [Fact]
    public async Task Report_BothSidesAreUnderThePrefix_DeletesOnlyTheSideThatIsNamed()
    {
        await PutManyAsync("p/a", "p/b");
        string report = GetPath("report.jsonl");
        (await RunAsync("cp", "-r", "--report", report, Prefix, $"s3://{Bucket}/q")).Expect(0);
        string[] remove = ["rm", "-r", "-y", "--progress", "none", "--keys-from", report, "--keys-format"];

        string error = (await RunAsync([.. remove, "report", $"s3://{Bucket}"])).Expect(1).Error;
        Assert.Contains("line 1 of '", error, StringComparison.Ordinal);
        Assert.Contains("say which to use with --keys-format report-source or report-target", error, StringComparison.Ordinal);
        Assert.Equal(["p/a", "p/b", "q/a", "q/b"], await KeysAsync());

        (await RunAsync([.. remove, "report-target", $"s3://{Bucket}"])).Expect(0);
        Assert.Equal(["p/a", "p/b"], await KeysAsync());
        (await RunAsync([.. remove, "report-source", $"s3://{Bucket}"])).Expect(0);
        Assert.Empty(await KeysAsync());
    }

    private string[] Operations() => [.. Server.Requests.Select(request => request.Operation).Distinct().Order(StringComparer.Ordinal)];

    private Task<string> WriteListAsync(string text) => WriteFileAsync("keys.txt", Encoding.UTF8.GetBytes(text));
}
