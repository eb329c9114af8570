using System.Text.Json;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Compares a folder with a prefix with the tool.</summary>
public sealed class VerifyTreeTests : ToolTest
{
    private static readonly string[] Kinds = ["same", "different", "missing_here", "missing_there", "not_compared", "failed"];
    private static readonly byte[] Content = Sample.Bytes(10_001);

    private string Tree => GetPath("tree");

    [Fact]
    public async Task TheSame_InEitherOrder_ExitsWith0()
    {
        await CreateOnBothSidesAsync("a", "d/b c", "d/e/é");
        foreach (string[] line in (string[][])[[Tree, $"s3://{Bucket}/p"], [Tree + "/", $"s3://{Bucket}/p/"], [$"s3://{Bucket}/p/", Tree], [$"s3://{Bucket}/p", Tree, "-r"]])
        {
            ToolOutcome outcome = (await RunAsync(["verify", .. line])).Expect(0);
            Assert.StartsWith("the same: 3 objects, 29.3 KiB in ", outcome.Error, StringComparison.Ordinal);
            Assert.Empty(outcome.Text);
        }

        Assert.All(Server.Requests.Skip(3), request => Assert.Equal("ListObjectsV2", request.Operation)); // the ETags are sufficient
    }

    [Fact]
    public async Task Differences_AreOneLineEachAndExitWith3()
    {
        await CreateOnBothSidesAsync("a", "d/less", "d/same", "here", "there");
        await WriteFileAsync("tree/d/less", Content[1..]);
        File.Delete(GetPath("tree/there"));
        await S3.DeleteObjectAsync(Bucket, "p/here").Within();
        await WriteFileAsync("tree/a", [.. Content[..^1], (byte)(Content[^1] ^ 1)]);

        ToolOutcome outcome = (await RunAsync("verify", Tree, $"s3://{Bucket}/p")).Expect(3);

        string[] lines = [.. outcome.Lines.Order(StringComparer.Ordinal)]; // they are written in the order in which they are found
        Assert.Equal(4, lines.Length);
        Assert.StartsWith("different      p/a: the file's Crc", lines[0].Replace("CRC", "Crc", StringComparison.OrdinalIgnoreCase), StringComparison.Ordinal);
        Assert.Equal("different      p/d/less: the file has 10000 bytes, and the object has 10001", lines[1]);
        Assert.Equal("missing here   p/there: there is no such file", lines[2]);
        Assert.Equal("missing there  p/here: there is no such object", lines[3]);
        Assert.Equal($"transfer: '{Tree}' differs from s3://{Bucket}/p: 1 the same, 2 different, 1 missing here, 1 missing there", outcome.Error.Trim());
    }

    /// <summary>A name must neither end a line nor control a terminal that shows it later.</summary>
    [Fact]
    public async Task Differences_NamesWithControlCharacters_AreEscaped()
    {
        Directory.CreateDirectory(Tree);
        await PutAsync("p/a\nb\u001b[31m", Content);

        ToolOutcome outcome = (await RunAsync("verify", Tree, $"s3://{Bucket}/p")).Expect(3);

        Assert.Equal(@"missing here   p/a\nb\u001b[31m: the key can't be a file: it contains a control character", Assert.Single(outcome.Lines));
    }

    [Fact]
    public async Task Differences_AreWrittenAsJson()
    {
        await CreateOnBothSidesAsync("a", "b");
        File.Delete(GetPath("tree/b"));

        ToolOutcome outcome = (await RunAsync("verify", Tree, $"s3://{Bucket}/p", "--json", "--quiet")).Expect(3);

        Assert.Single(outcome.Lines);
        JsonElement line = ToolOutcome.Parse(outcome.Lines[0]);
        Assert.EachEqual(("missing_here", "p/b"), (line.GetProperty("difference").GetString(), line.GetProperty("key").GetString()));
        Assert.EachEqual((GetPath("tree/b"), "there is no such file"), (line.GetProperty("path").GetString(), line.GetProperty("text").GetString()));
        JsonElement compared = outcome.Json.GetProperty("compared");
        Assert.Equal(
            [1, 0, 1, 0, 0, 0],
            Kinds.Select(name => compared.GetProperty(name).GetInt32()));
        Assert.EachEqual(("verify", 2, 1, 1), (outcome.Json.GetProperty("operation").GetString(), outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("failed").GetInt32(), outcome.Json.GetProperty("requests").GetInt32()));
        Assert.Equal("mismatch", outcome.Json.GetProperty("checksum").GetProperty("verdict").GetString());
    }

    [Fact]
    public async Task OutputIsClosed_ComparisonEnds()
    {
        await CreateOnBothSidesAsync("a");
        for (int i = 0; i < 1_100; i++)
        {
            await PutAsync($"p/b{i:d4}", []);
        }

        using ToolProcess tool = ToolProcess.Start(Environment, "verify", Tree, $"s3://{Bucket}/p", "--json");
        tool.CloseInput();
        tool.CloseOutput();

        ToolOutcome outcome = (await tool.EndAsync(readOutput: false)).Expect(1);

        Assert.Equal("verify", ToolOutcome.Parse(Assert.Single(outcome.ErrorLines)).GetProperty("operation").GetString());
    }

    [Fact]
    public async Task ObjectsThatCannotBeCompared_ExitWith1()
    {
        await CreateOnBothSidesAsync("a");
        File.CreateSymbolicLink(GetPath("tree/nowhere"), "nowhere");

        ToolOutcome outcome = (await RunAsync("verify", Tree, $"s3://{Bucket}/p", "--json")).Expect(1);

        Assert.Equal("failed", ToolOutcome.Parse(outcome.Lines[0]).GetProperty("difference").GetString());
        Assert.Equal("p/nowhere", outcome.Json.GetProperty("errors")[0].GetProperty("key").GetString());
        Assert.Equal("unverified", outcome.Json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.Contains("was not compared with all of", outcome.Error, StringComparison.Ordinal);
    }

    /// <summary>What a synchronization with these options leaves out, the comparison with the same options leaves out, too.</summary>
    [Fact]
    public async Task LinksAndHiddenFiles_AreLeftOutAsBySync()
    {
        await CreateOnBothSidesAsync("a", "d/b");
        File.CreateSymbolicLink(GetPath("tree/link"), "a");
        File.CreateSymbolicLink(GetPath("tree/nowhere"), "missing");
        await File.WriteAllTextAsync(GetPath("tree/.hidden"), "x");
        string[] options = ["--links", "skip", "--no-hidden"];

        (await RunAsync(["verify", .. options, Tree, $"s3://{Bucket}/p"])).Expect(0);
        Assert.Equal(2, (await RunAsync("verify", Tree, $"s3://{Bucket}/p")).Expect(3).Lines.Length);
        (await RunAsync(["sync", "--delete", .. options, Tree, $"s3://{Bucket}/p"])).Expect(0);
        (await RunAsync(["verify", .. options, Tree, $"s3://{Bucket}/p"])).Expect(0);
        Assert.Contains("symbolic link to something that doesn't exist. --links skip leaves out", (await RunAsync("sync", Tree, $"s3://{Bucket}/p")).Expect(0).Error, StringComparison.Ordinal);
        (await RunAsync("verify", Tree, $"s3://{Bucket}/p")).Expect(0);
    }

    /// <summary>The files of the command itself, under any name, are neither moved nor deleted.</summary>
    [Fact]
    public async Task OwnFiles_AreNoContent()
    {
        await CreateOnBothSidesAsync("a", "b");
        File.CreateSymbolicLink(GetPath("link.jsonl"), GetPath("tree/report.jsonl"));
        string[] own = ["--report", GetPath("link.jsonl"), "--events", GetPath("tree/events.jsonl"), "--trace", GetPath("tree/trace.har")];

        (await RunAsync(["sync", "--delete", .. own, $"s3://{Bucket}/p", Tree])).Expect(0);
        (await RunAsync(["sync", "--delete", .. own, Tree, $"s3://{Bucket}/p"])).Expect(0);
        (await RunAsync(["verify", .. own[2..], "--exclude", "report.jsonl", Tree, $"s3://{Bucket}/p"])).Expect(0);
        (await RunAsync(["mv", "-r", .. own, Tree, $"s3://{Bucket}/q"])).Expect(0);

        Assert.Equal(["events.jsonl", "report.jsonl", "trace.har"], Directory.EnumerateFiles(Tree).Select(Path.GetFileName).Order());
        Assert.Equal(2, (await File.ReadAllLinesAsync(GetPath("tree/report.jsonl"))).Length);
    }

    [Fact]
    public async Task InvalidCommandLines_AreUsageErrorsWithoutARequest()
    {
        await CreateOnBothSidesAsync("a");
        int before = Server.Requests.Count;
        foreach (string[] line in (string[][])[
            [Tree, $"s3://{Bucket}/p", "--version-id", "1"], [GetPath("tree/a"), $"s3://{Bucket}/p/a", "--include", "x"], [GetPath("tree/a"), $"s3://{Bucket}/p", "-r"],
            [Tree, "s3://"], [Tree, $"s3://{Bucket}/p", "--include", " "]])
        {
            (await RunAsync(["verify", .. line])).Expect(2);
        }

        Assert.Contains("no such folder", (await RunAsync("verify", "-r", GetPath("nothing"), $"s3://{Bucket}/p")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Equal(before, Server.Requests.Count);
        Assert.Contains("there is no such bucket", (await RunAsync("verify", Tree, "s3://nothing/p")).Expect(1).Error, StringComparison.Ordinal);
    }

    private async Task CreateOnBothSidesAsync(params string[] names)
    {
        foreach (string name in names)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(GetPath("tree/" + name))!);
            await WriteFileAsync("tree/" + name, Content);
            await PutAsync("p/" + name, Content);
        }
    }
}
