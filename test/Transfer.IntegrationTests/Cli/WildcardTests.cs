using System.Text.Json;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Wildcards in keys, which match within a name.</summary>
public sealed class WildcardTests : ToolTest
{
    private static readonly string[] All = ["logs/2025/a.gz", "logs/2026/a.gz", "logs/2026/b", "logs/a.gz", "logs/old", "x.gz"];

    /// <summary>One level has the objects and the prefixes that match.</summary>
    [Theory]
    [InlineData("*", "logs/ x.gz")]
    [InlineData("*.gz", "x.gz")]
    [InlineData("logs/*", "2025/ 2026/ a.gz old")]
    [InlineData("logs/?*d", "old")]
    [InlineData("logs/202?", "2025/ 2026/")]
    [InlineData("logs/*", "2025/ a.gz", "--exclude", "old", "--exclude", "2026")]
    [InlineData("logs/*/a.*", "logs/2025/a.gz logs/2026/a.gz")]
    [InlineData("logs/*6", "logs/2026/a.gz logs/2026/b", "-r")]
    public async Task List_OfAPattern_ShowsWhatMatches(string key, string expected, params string[] options)
    {
        await PutManyAsync(All);

        ToolOutcome outcome = (await RunAsync(["ls", $"s3://{Bucket}/{key}", .. options])).Expect(0);

        Assert.Equal(expected.Split(' '), outcome.Lines.Select(line => line.Split("  ")[^1]).Order(StringComparer.Ordinal));
    }

    /// <summary>Nothing is deleted that the whole pattern doesn't match; with -r, also what is in the folders that match.</summary>
    [Theory]
    [InlineData("logs/*", "logs/a.gz logs/old")]
    [InlineData("logs/202?", "")]
    [InlineData("logs/202?", "logs/2025/a.gz logs/2026/a.gz logs/2026/b", "-r")]
    [InlineData("logs/*/a.gz", "logs/2025/a.gz logs/2026/a.gz")]
    [InlineData("*.gz", "x.gz")]
    [InlineData("**/a.gz", "logs/2025/a.gz logs/2026/a.gz logs/a.gz", "-r")]
    [InlineData("*", "x.gz", "--whole-bucket")]
    [InlineData("logs/*", "logs/old", "--exclude", "*.gz")]
    public async Task Remove_OfAPattern_DeletesWhatMatches(string key, string expected, params string[] options)
    {
        await PutManyAsync(All);
        string[] keys = expected.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        int exitCode = keys.Length == 0 ? 1 : 0;

        ToolOutcome dry = (await RunAsync(["rm", "--dry-run", $"s3://{Bucket}/{key}", .. options])).Expect(exitCode);
        Assert.Equal(keys.Select(one => $"s3://{Bucket}/{one}"), dry.Lines);
        Assert.Equal(All, await KeysAsync());
        ToolOutcome outcome = (await RunAsync(["rm", "--yes", $"s3://{Bucket}/{key}", .. options])).Expect(exitCode);
        Assert.Equal(All.Except(keys), await KeysAsync());
        Assert.Contains(keys.Length == 0 ? "nothing matches" : $"deleted {keys.Length} object", outcome.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(2, "rm asks before it deletes, and there is no terminal to ask; add --yes", "logs/*")]
    [InlineData(2, "rm -r asks before it deletes", "logs/*", "-r")]
    [InlineData(2, "'s3://bucket/*' has nothing but wildcards; add --whole-bucket", "*", "--yes")]
    [InlineData(2, "'s3://bucket/**/*' has nothing but wildcards; add --whole-bucket", "**/*", "--yes", "-r")]
    [InlineData(2, "can be combined with --exclude, but not with --include", "logs/*", "--yes", "--include", "a")]
    [InlineData(2, "'s3://bucket/logs/*/' selects what is in folders; add -r", "logs/*/", "--yes")]
    [InlineData(2, "--any-prefix is for many objects; use it with -r", "logs/*", "--yes", "--any-prefix")]
    [InlineData(6, "2 of 5 objects would be deleted, and the limit is 1", "logs/*", "--yes", "--max-delete", "1")]
    [InlineData(6, "2 of 5 objects would be deleted, and the limit is 30", "logs/*", "--yes", "--max-delete", "30%")]
    public async Task Remove_OfAPattern_HasTheGuardsOfMany(int exitCode, string expected, string key, params string[] options)
    {
        await PutManyAsync(All);

        Assert.Contains(expected, (await RunAsync(["rm", $"s3://{Bucket}/{key}", .. options])).Expect(exitCode).Error, StringComparison.Ordinal);
        Assert.Equal(All, await KeysAsync());
    }

    /// <summary>A key or a folder that has wildcards in its name is reached by that name, and nothing else is.</summary>
    [Fact]
    public async Task Name_ThatExists_IsNoPattern()
    {
        await PutManyAsync("a*", "a1", "d?/x", "dd/x");

        (await RunAsync("stat", $"s3://{Bucket}/a*")).Expect(0);
        (await RunAsync("cp", $"s3://{Bucket}/a*", GetPath("one"))).Expect(0);
        Assert.Contains("--exclude is for many objects", (await RunAsync("rm", "--yes", $"s3://{Bucket}/a*", "--exclude", "x")).Expect(2).Error, StringComparison.Ordinal);
        Assert.Equal($"deleted s3://{Bucket}/a*, 3 B\n", (await RunAsync("rm", $"s3://{Bucket}/a*")).Expect(0).Error);
        (await RunAsync("cp", "-r", $"s3://{Bucket}/d?", GetPath("d"))).Expect(0);
        Assert.True(File.Exists(GetPath("d/x")));
        (await RunAsync("rm", "-r", "--yes", $"s3://{Bucket}/d?")).Expect(0);
        Assert.Equal(["a1", "dd/x"], await KeysAsync());
    }

    [Fact]
    public async Task CopyAndMove_OfAPattern_KeepTheNamesInItsFolder()
    {
        await PutManyAsync(All);

        (await RunAsync("cp", "-r", $"s3://{Bucket}/logs/*/a.gz", GetPath("out"))).Expect(0);
        (await RunAsync("mv", "-r", $"s3://{Bucket}/logs/202?", $"s3://{Bucket}/new", "--exclude", "b")).Expect(0);

        Assert.Equal(["2025/a.gz", "2026/a.gz"], Directory.EnumerateFiles(GetPath("out"), "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(GetPath("out"), path)).Order());
        Assert.Equal(["logs/2026/b", "logs/a.gz", "logs/old", "new/2025/a.gz", "new/2026/a.gz", "x.gz"], await KeysAsync());
    }

    [Fact]
    public async Task Remove_SeveralKeys_OneThatIsMissingDoesNotStopTheOthers()
    {
        await PutManyAsync("a", "b c", "d*", "e");

        ToolOutcome dry = (await RunAsync("rm", "--dry-run", "--json", $"s3://{Bucket}/a", $"s3://{Bucket}/a", $"s3://{Bucket}/e")).Expect(0);
        Assert.Equal(["s3://bucket/a", "s3://bucket/e"], dry.Lines.Select(line => ToolOutcome.Parse(line).GetProperty("target").GetString()));
        ToolOutcome outcome = (await RunAsync("rm", $"s3://{Bucket}/a", $"s3://{Bucket}/missing", $"s3://{Bucket}/b c", $"s3://{Bucket}/d*", $"s3://{Bucket}/x*")).Expect(1);

        Assert.Equal(["e"], await KeysAsync());
        Assert.Contains("s3://bucket/missing: there is no such", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("s3://bucket/x*: there is no such object; wildcards are only expanded in a single address", outcome.Error, StringComparison.Ordinal);
        Assert.Matches("deleted 3 objects, 9 B in .*, 2 failed\n$", outcome.Error);
        Assert.Single(Server.Requests, static request => request.Operation == "DeleteObjects");
        Assert.Contains("run rm once for each", (await RunAsync("rm", "-r", "-y", $"s3://{Bucket}/a", $"s3://{Bucket}/e")).Expect(2).Error, StringComparison.Ordinal);
        Assert.Contains("--version-id isn't used for the deletion of several objects", (await RunAsync("rm", "--version-id", "1", $"s3://{Bucket}/a", $"s3://{Bucket}/e")).Expect(2).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task StatAndMakeBucket_OfSeveral_ContinueAfterAFailure()
    {
        await PutManyAsync("a", "b");

        ToolOutcome stat = (await RunAsync("stat", "--json", $"s3://{Bucket}/a", $"s3://{Bucket}/missing", $"s3://{Bucket}/b")).Expect(1);
        ToolOutcome make = (await RunAsync("mb", "s3://new1", "s3://new2")).Expect(0);

        JsonElement[] lines = [.. stat.Lines.Select(ToolOutcome.Parse)];
        Assert.Equal([("bucket", "a"), ("bucket", "b")], lines.Select(line => (line.GetProperty("bucket").GetString()!, line.GetProperty("key").GetString()!)));
        Assert.EachEqual((2, 1), (stat.Json.GetProperty("objects").GetInt32(), stat.Json.GetProperty("failed").GetInt32()));
        Assert.Equal("missing", stat.Json.GetProperty("errors")[0].GetProperty("key").GetString());
        Assert.Equal(["created s3://new1", "created s3://new2"], make.ErrorLines);
    }

    [Theory]
    [Stores.Stores(OurWireOnly = true)]
    public async Task Versions_AreListedWithTheirMarkers(string storeName)
    {
        await using ToolStore tool = await ToolStore.StartAsync(storeName);
        await tool.Store.KeepVersionsAsync();
        foreach (string key in (string[])["p/a", "p/a", "p/c", "p/d/e"])
        {
            await tool.PutAsync(key, [1, 2, 3]);
        }

        (await tool.RunAsync("rm", $"s3://{tool.Bucket}/p/c")).Expect(0);
        ToolOutcome text = (await tool.RunAsync("ls", "-r", "--versions", $"s3://{tool.Bucket}/p")).Expect(0);
        ToolOutcome json = (await tool.RunAsync("ls", "--versions", "--json", $"s3://{tool.Bucket}/p/", "--exclude", "a")).Expect(0);
        ToolOutcome pattern = (await tool.RunAsync("ls", "--versions", $"s3://{tool.Bucket}/p/?")).Expect(0);

        Assert.Equal(["latest p/a", "older p/a", "latest p/c", "older p/c", "latest p/d/e"], text.Lines.Select(line => line.Split("  ", StringSplitOptions.RemoveEmptyEntries)).Select(cells => $"{cells[2].Trim()} {cells[3].Trim()}"));
        Assert.Contains("   deleted  latest  p/c  ", text.Lines[2], StringComparison.Ordinal);
        Assert.Equal("5 versions and delete markers, 12 B\n", text.Error);
        JsonElement[] lines = [.. json.Lines.Select(ToolOutcome.Parse)];
        Assert.Equal([(true, true), (false, false)], lines.Where(line => line.TryGetProperty("key", out _)).Select(line => (line.GetProperty("is_delete_marker").GetBoolean(), line.GetProperty("is_latest").GetBoolean())));
        Assert.Equal(text.Lines[2].Split("  ")[^1], lines[0].GetProperty("version_id").GetString());
        Assert.Equal("p/d/", lines[^1].GetProperty("prefix").GetString());
        Assert.Equal(5, pattern.Lines.Length);
        Assert.Contains("omit --as-of", (await tool.RunAsync("ls", "--versions", "--as-of", "1d", $"s3://{tool.Bucket}")).Expect(2).Error, StringComparison.Ordinal);
        (await tool.RunAsync("rm", "-r", "-y", "--versions", "--whole-bucket", $"s3://{tool.Bucket}")).Expect(0);
    }

    /// <summary>A folder is left out by its name alone.</summary>
    [Fact]
    public async Task Exclude_OfAFolder_LeavesItOut()
    {
        await PutManyAsync(All);

        (await RunAsync("cp", "-r", $"s3://{Bucket}/logs", GetPath("out"), "--exclude", "2026")).Expect(0);

        Assert.Equal(["2025/a.gz", "a.gz", "old"], Directory.EnumerateFiles(GetPath("out"), "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(GetPath("out"), path)).Order(StringComparer.Ordinal));
    }
}
