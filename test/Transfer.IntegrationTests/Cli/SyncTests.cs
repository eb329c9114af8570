using System.Text.Json;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Synchronizes folders and prefixes with the tool.</summary>
public sealed class SyncTests : ToolTest
{
    private const string Target = $"s3://{Bucket}/t";

    private string Tree => GetPath("tree");

    [Fact]
    public async Task EveryDirection_VerifyFindsNoDifference()
    {
        await WriteAsync("a", "1");
        await WriteAsync("d/b c", "2");
        await WriteAsync("d/é", new string('x', 100_000));
        await PutAsync("t/a", "0"u8.ToArray());
        await PutAsync("t/gone/x", []);

        string summary = (await RunAsync("sync", "--delete", Tree, Target)).Expect(0).Error;
        Assert.StartsWith("3 objects, 97.7 KiB in ", summary, StringComparison.Ordinal);
        Assert.Contains("all verified, 1 deleted", summary, StringComparison.Ordinal);
        (await RunAsync("verify", Tree, Target)).Expect(0);

        (await RunAsync("sync", "--delete", Target, $"s3://{Bucket}/copy")).Expect(0);
        Directory.CreateDirectory(GetPath("back/old"));
        await WriteFileAsync("back/old/file", []);
        (await RunAsync("sync", "--delete", $"s3://{Bucket}/copy", GetPath("back"))).Expect(0);
        (await RunAsync("verify", GetPath("back"), Target)).Expect(0);
        Assert.False(Directory.Exists(GetPath("back/old")));

        foreach (string[] line in (string[][])[[Tree, Target], [Target, $"s3://{Bucket}/copy"], [$"s3://{Bucket}/copy", GetPath("back")]])
        {
            Server.ClearRequests();
            Assert.Contains("3 unchanged", (await RunAsync(["sync", "--delete", .. line])).Expect(0).Error, StringComparison.Ordinal);
            Assert.All(Server.Requests, request => Assert.Equal("ListObjectsV2", request.Operation));
        }
    }

    [Fact]
    public async Task EmptyFolders_AreCopiedAndCompared()
    {
        await WriteAsync("a", "1");
        Directory.CreateDirectory(Path.Combine(Tree, "empty/below"));

        Assert.Equal(["copy      a: missing", "copy      empty/below/: missing"], (await RunAsync("sync", "--dry-run", "--empty-folders", Tree, Target)).Expect(0).Lines);
        (await RunAsync("sync", "--empty-folders", Tree, Target)).Expect(0);
        (await RunAsync("verify", Tree, Target)).Expect(0);
        Directory.Delete(Path.Combine(Tree, "empty/below"));
        Directory.Delete(Path.Combine(Tree, "empty"));
        (await RunAsync("verify", Tree, Target)).Expect(3);
        Assert.Contains("--empty-folders", (await RunAsync("sync", "--empty-folders", Target, GetPath("back"))).Expect(2).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Backup_KeepsWhatIsReplacedOrDeleted()
    {
        await WriteAsync("a", "new");
        await PutAsync("t/a", "before"u8.ToArray());
        await PutAsync("t/d/gone", "gone"u8.ToArray());

        (await RunAsync("sync", "--delete", "--backup", $"s3://{Bucket}/old", Tree, Target)).Expect(0);
        Assert.EachEqual(("new", "before", "gone"), (await TextOfAsync("t/a"), await TextOfAsync("old/a"), await TextOfAsync("old/d/gone")));

        Directory.CreateDirectory(GetPath("back"));
        string gone = await WriteFileAsync("back/gone", "local"u8.ToArray());
        (await RunAsync("sync", "--delete", "--backup", GetPath("kept"), Target, GetPath("back"))).Expect(0);
        Assert.EachEqual(("local", false), (await File.ReadAllTextAsync(GetPath("kept/gone")), File.Exists(gone)));

        foreach ((string backup, string target, string message) in ((string, string, string)[])
        [
            ($"s3://{Bucket}/t/old", Target, "overlaps the target"),
            ("folder", Target, "it accepts s3://BUCKET/PREFIX, because the target is in a store"),
            ($"s3://{Bucket}/old", GetPath("back"), "it accepts a folder, because the target is one"),
        ])
        {
            Assert.Contains(message, (await RunAsync("sync", "--dry-run", "--backup", backup, target == Target ? Tree : Target, target)).Expect(2).Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task DryRun_ShowsEachActionWithItsReasonAndChangesNothing()
    {
        await WriteAsync("a", "1234567");
        await WriteAsync("new", "");
        await WriteAsync("same", "s");
        await PutAsync("t/a", "12345"u8.ToArray());
        await PutAsync("t/same", "s"u8.ToArray());
        await PutAsync("t/gone", []);

        ToolOutcome outcome = (await RunAsync("sync", "--dry-run", "--delete", "--exit-code", Tree, Target)).Expect(3);

        Assert.Equal(["replace   a: size 5 → 7", "copy      new: missing", "delete    gone: not at the source"], outcome.Lines);
        Assert.Equal("would copy 1 object and replace 1, 7 B, would delete 1, 1 unchanged", outcome.ErrorLines[0]);
        (await RunAsync("sync", "--dry-run", Tree, Target)).Expect(0);
        outcome = (await RunAsync("sync", "--dry-run", "--delete", "--json", Tree, Target)).Expect(0);
        JsonElement line = ToolOutcome.Parse(outcome.Lines[0]);
        Assert.EachEqual(("replace", "a", 7, "size 5 → 7"), (line.GetProperty("action").GetString(), line.GetProperty("name").GetString(), line.GetProperty("bytes").GetInt32(), line.GetProperty("reason").GetString()));
        JsonElement synced = outcome.Json.GetProperty("synced");
        Assert.EachEqual((1, 1, 1, 1), (synced.GetProperty("copied").GetInt32(), synced.GetProperty("replaced").GetInt32(), synced.GetProperty("deleted").GetInt32(), synced.GetProperty("kept").GetInt32()));
        Assert.All(Server.Requests, request => Assert.True(request.Operation is "ListObjectsV2" or "HeadObject" or "PutObject", request.Operation));
        Assert.Equal(5, (await GetAsync("t/a")).Length);
        (await RunAsync("sync", "--delete", Tree, Target)).Expect(0);
        (await RunAsync("sync", "--dry-run", "--delete", "--exit-code", Tree, Target)).Expect(0);
    }

    [Fact]
    public async Task Refusals_HaveTheirExitCodes()
    {
        Directory.CreateDirectory(Tree);
        await PutAsync("t/a", []);
        await PutAsync("t/b", []);

        Assert.Contains("would be deleted; check the source, or add --allow-empty-source", (await RunAsync("sync", "--delete", Tree, Target)).Expect(2).Error, StringComparison.Ordinal);
        (await RunAsync("sync", Tree, Target)).Expect(0);
        (await RunAsync("sync", GetPath("nothing"), Target)).Expect(2);
        Assert.Contains("no objects found", (await RunAsync("sync", $"s3://{Bucket}/nothing", Tree)).Expect(2).Error, StringComparison.Ordinal);
        Assert.Contains("no such bucket", (await RunAsync("sync", "s3://no-such-bucket/x", Tree)).Expect(2).Error, StringComparison.Ordinal);
        Assert.Contains("overlap", (await RunAsync("sync", $"s3://{Bucket}/t", $"s3://{Bucket}/t/u")).Expect(2).Error, StringComparison.Ordinal);

        await WriteAsync("new", "");
        foreach (string dry in (string[])["--dry-run", "--delete"])
        {
            Assert.Contains("which is more than the limit of 1", (await RunAsync("sync", "--delete", "--max-delete", "1", dry == "--delete" ? "--quiet" : dry, Tree, Target)).Expect(6).Error, StringComparison.Ordinal);
        }

        Assert.DoesNotContain(Server.Requests, request => request.Operation.StartsWith("Delete", StringComparison.Ordinal));
        (await RunAsync("stat", $"{Target}/new")).Expect(0);
        (await RunAsync("sync", "--delete", "--max-delete", "100%", Tree, Target)).Expect(0);
        (await RunAsync("verify", Tree, Target)).Expect(0);
    }

    [Fact]
    public async Task KeyThatCantBeAFile_ExitsWith1AndDeletesNothing()
    {
        await PutAsync("t/a//b", []);
        await PutAsync("t/ok", []);
        await WriteAsync("gone", "");

        ToolOutcome outcome = (await RunAsync("sync", "--delete", Target, Tree)).Expect(1);

        Assert.Contains("it contains an empty name", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("1 not deleted because of failures", outcome.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(GetPath("tree/ok")));
        Assert.True(File.Exists(GetPath("tree/gone")));
    }

    private async Task WriteAsync(string name, string content)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(GetPath("tree/" + name))!);
        await File.WriteAllTextAsync(GetPath("tree/" + name), content).Within();
    }

    private async Task<string> TextOfAsync(string key) => System.Text.Encoding.UTF8.GetString(await GetAsync(key));
}
