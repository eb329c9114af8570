using System.Collections.Concurrent;
using System.Text.Json;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Runs <c>cp -r</c> as a process.</summary>
public sealed class FolderCopyTests : ToolTest
{
    private static readonly string[] Names = ["a.txt", "d/b.log", "d/e/c é.txt", ".hidden/x", "large.bin"];

    [Fact]
    public async Task Copy_FolderUploadedAndDownloaded_IsTheSame()
    {
        Dictionary<string, byte[]> tree = WriteTree("tree");
        Directory.CreateDirectory(GetPath("tree/empty"));
        DateTime time = new(2020, 2, 3, 4, 5, 6, DateTimeKind.Utc);
        File.SetLastWriteTimeUtc(GetPath("tree/a.txt"), time);

        ToolOutcome up = (await RunAsync("cp", "-r", "--keep-time", "--empty-folders", GetPath("tree"), $"s3://{Bucket}/p")).Expect(0);
        ToolOutcome down = (await RunAsync("cp", "--recursive", "--keep-time", $"s3://{Bucket}/p/", GetPath("back"))).Expect(0);

        string[] keys = await KeysAsync();
        Assert.Equal(Names.Select(name => "p/" + name).Append("p/empty/").Order(StringComparer.Ordinal), keys);
        Assert.All(tree, file => Assert.Equal(file.Value, File.ReadAllBytes(GetPath("back/" + file.Key))));
        Assert.True(Directory.Exists(GetPath("back/empty")));
        Assert.Equal(time, File.GetLastWriteTimeUtc(GetPath("back/a.txt")));
        Assert.Equal("text/plain", (await S3.GetObjectMetadataAsync(Bucket, "p/a.txt").Within()).Headers.ContentType);
        Assert.Contains("6 objects, ", up.Error, StringComparison.Ordinal);
        Assert.Contains("all verified", down.Error, StringComparison.Ordinal);
        Assert.Empty(up.Output);
        Assert.Empty(down.Output);
    }

    [Theory]
    [InlineData("cp")]
    [InlineData("sync")]
    public async Task Copy_NamesThatOnlyUnixAllows_ComeBackOnRequest(string command)
    {
        if (OperatingSystem.IsWindows())
        {
            return; // it has no such files
        }

        string[] names = ["back\\slash", "C:x", "new\nline/tab\t.txt", "plain", "red\u001b[31m"];
        foreach (string name in names)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(GetPath("tree/" + name))!);
            await WriteFileAsync("tree/" + name, System.Text.Encoding.UTF8.GetBytes(name));
        }

        string[] many = command == "cp" ? ["cp", "-r"] : [command];
        string[] up = (await RunAsync([.. many, GetPath("tree"), $"s3://{Bucket}/p"])).Expect(0).Error.Split('\n');
        ToolOutcome refused = (await RunAsync([.. many, $"s3://{Bucket}/p", GetPath("refused")])).Expect(1);
        (await RunAsync([.. many, "--allow-special-names", $"s3://{Bucket}/p", GetPath("back")])).Expect(0);
        (await RunAsync("verify", GetPath("back"), $"s3://{Bucket}/p")).Expect(0);

        Assert.Equal(2, up.Count(line => line.StartsWith("transfer: warning: ", StringComparison.Ordinal)));
        Assert.Contains(up, line => line.Contains("Use --allow-special-names to download it", StringComparison.Ordinal));
        Assert.Contains(up, line => line.Contains("the names of 4 uploaded files", StringComparison.Ordinal));
        Assert.Equal([GetPath("refused/plain")], Directory.GetFiles(GetPath("refused"), "*", SearchOption.AllDirectories));
        Assert.DoesNotContain('\u001b', refused.Error);
        Assert.All(names, name => Assert.Equal(name, File.ReadAllText(GetPath("back/" + name))));
        Assert.Equal(names.Length, Directory.GetFiles(GetPath("back"), "*", SearchOption.AllDirectories).Length);
        Assert.Equal(command == "cp", refused.Error.Contains("use --allow-special-names to write it", StringComparison.Ordinal));
        Assert.Contains("--allow-special-names", (await RunAsync([.. many, "--allow-special-names", GetPath("tree"), $"s3://{Bucket}/p"])).Expect(2).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_Patterns_SelectPaths()
    {
        WriteTree("tree");
        (await RunAsync("cp", "-r", "--include", "*.txt", "--include", "d/", "--exclude", "*.log", GetPath("tree"), $"s3://{Bucket}")).Expect(0);
        (await RunAsync("cp", "-r", "--no-hidden", "--exclude", "large*", GetPath("tree"), $"s3://{Bucket}/q/")).Expect(0);
        Assert.Equal(["a.txt", "d/e/c é.txt", "q/a.txt", "q/d/b.log", "q/d/e/c é.txt"], await KeysAsync());
    }

    [Theory]
    [InlineData("refuses")]
    [InlineData("ignores")]
    public async Task Copy_NoClobberToAStoreWithoutConditions_CopiesMissingObjectsAndWarnsOnce(string way)
    {
        ConcurrentDictionary<string, byte[]> objects = new();
        await using ScriptedServer store = new(request => request switch
        {
            { Method: "HEAD" } => ScriptedAnswer.Of(objects.ContainsKey(request.Target)
                ? "HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Length: 1"
                : "HTTP/1.1 404 Not Found\r\nx-amz-request-id: R1\r\nContent-Length: 0"),
            { Method: "PUT" } when way == "refuses" && request.Header("If-None-Match") is not null => ScriptedAnswer.Error(501, "NotImplemented"),
            _ => Put(request),
        });
        Environment["AWS_ENDPOINT_URL_S3"] = store.Url;
        byte[] old = [9];
        objects["/bucket/p/b"] = old;
        foreach (string name in (string[])["a", "b", "c"])
        {
            Directory.CreateDirectory(GetPath("tree"));
            await WriteFileAsync("tree/" + name, [1]);
        }

        ToolOutcome folder = (await RunAsync("cp", "-r", "--no-clobber", "--concurrency", "1", GetPath("tree"), $"s3://{Bucket}/p")).Expect(0);
        ToolOutcome again = (await RunAsync("cp", "-r", "--no-clobber", GetPath("tree"), $"s3://{Bucket}/p")).Expect(0);
        ToolOutcome single = (await RunAsync("cp", "--no-clobber", GetPath("tree/a"), $"s3://{Bucket}/single")).Expect(0);

        Assert.Equal(["/bucket/p/a", "/bucket/p/b", "/bucket/p/c", "/bucket/single"], objects.Keys.Order(StringComparer.Ordinal));
        Assert.Same(old, objects["/bucket/p/b"]);
        string warning = $"transfer: warning: s3://bucket does not support If-None-Match ({(way == "ignores" ? "Ignored" : "Refused")}: ";
        Assert.EachEqual((1, 0, way == "refuses" ? 1 : 0), (Count(folder), Count(again), Count(single))); // a single object is not sent twice for a check
        Assert.Contains("2 objects, ", folder.Error, StringComparison.Ordinal);
        Assert.Contains("1 skipped (target exists)", folder.Error, StringComparison.Ordinal);
        Assert.Contains("3 skipped (target exists)", again.Error, StringComparison.Ordinal);

        ScriptedAnswer Put(ScriptedRequest request)
        {
            objects[request.Target] = request.Body;
            return ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"", string.Empty);
        }

        int Count(ToolOutcome outcome) => outcome.Error.Split(warning).Length - 1;
    }

    [Fact]
    public async Task Copy_InsideTheStore_TransfersNoData()
    {
        await PutAsync("p/a", [1, 2]);
        await PutAsync("p/d/b", [3]);

        ToolOutcome outcome = (await RunAsync("cp", "-r", $"s3://{Bucket}/p", $"s3://{Bucket}/q/r", "--json")).Expect(0);
        ToolOutcome again = (await RunAsync("cp", "-r", "--no-clobber", $"s3://{Bucket}/p", $"s3://{Bucket}/q/r")).Expect(0);
        ToolOutcome inItself = (await RunAsync("cp", "-r", $"s3://{Bucket}/p", $"s3://{Bucket}/p/below")).Expect(2);

        Assert.Equal(["p/a", "p/d/b", "q/r/a", "q/r/d/b"], await KeysAsync());
        Assert.EachEqual((3, 2), (outcome.Json.GetProperty("bytes").GetInt32(), outcome.Json.GetProperty("objects").GetInt32()));
        Assert.DoesNotContain(Server.Requests, request => request.Operation == "GetObject");
        Assert.Contains("0 objects in ", again.Error, StringComparison.Ordinal);
        Assert.Contains("2 skipped (target exists)", again.Error, StringComparison.Ordinal);
        Assert.Contains("or under it", inItself.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_KeysThatCannotBeFiles_FailAndOthersContinue()
    {
        string[] hostile = ["p/../../up", "p/a\u001b[31m", "p/n\nn", "p/a//b"];
        foreach (string key in hostile.Append("p/good"))
        {
            await PutAsync(key, [1]);
        }

        ToolOutcome outcome = (await RunAsync("cp", "-r", $"s3://{Bucket}/p", GetPath("target/below"))).Expect(1);
        ToolOutcome json = (await RunAsync("cp", "-r", $"s3://{Bucket}/p", GetPath("target/below"), "--json")).Expect(1);
        ToolOutcome abort = (await RunAsync("cp", "-r", "--on-failure", "abort", $"s3://{Bucket}/p", GetPath("target/below"))).Expect(1);

        Assert.Equal([GetPath("target/below/good")], Directory.EnumerateFiles(GetPath("target"), "*", SearchOption.AllDirectories));
        string[] lines = outcome.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(5, lines.Length);
        Assert.Contains(lines, line => line.StartsWith($"transfer: s3://{Bucket}/p/a\\u001b[31m can't be a file", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.StartsWith($"transfer: s3://{Bucket}/p/n\\nn can't be a file", StringComparison.Ordinal));
        Assert.EndsWith("all verified, 4 failed", lines[^1], StringComparison.Ordinal);
        Assert.DoesNotContain("transfer:", json.Error, StringComparison.Ordinal);
        Assert.EachEqual((1, 4), (json.Json.GetProperty("objects").GetInt32(), json.Json.GetProperty("failed").GetInt32()));
        Assert.Equal(hostile.Order(StringComparer.Ordinal), json.Json.GetProperty("errors").EnumerateArray().Select(error => error.GetProperty("key").GetString()).Order(StringComparer.Ordinal));
        Assert.Single(abort.Error.Split('\n'), line => line.StartsWith("transfer:", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Copy_DryRun_ShowsSourcesAndTargetsAndTransfersNothing()
    {
        WriteTree("tree");
        ToolOutcome up = (await RunAsync("cp", "-r", "--dry-run", "--include", "d/", GetPath("tree"), $"s3://{Bucket}/p")).Expect(0);
        await PutAsync("p/x", [1]);
        ToolOutcome down = (await RunAsync("cp", "-r", "--dry-run", $"s3://{Bucket}/p", GetPath("new"))).Expect(0);
        ToolOutcome json = (await RunAsync("cp", "-r", "--dry-run", $"s3://{Bucket}/p", $"s3://{Bucket}/q", "--json")).Expect(0);

        Assert.Equal(
            [$"{GetPath("tree/d/b.log")} → s3://{Bucket}/p/d/b.log", $"{GetPath("tree/d/e/c é.txt")} → s3://{Bucket}/p/d/e/c é.txt"],
            up.Lines.Order(StringComparer.Ordinal));
        Assert.Equal([$"s3://{Bucket}/p/x → {GetPath("new/x")}"], down.Lines);
        Assert.Equal($$"""{"action":"copy","source":"s3://{{Bucket}}/p/x","target":"s3://{{Bucket}}/q/x","bytes":1}""", json.Lines[0]);
        Assert.EachEqual((1, 1), (json.Lines.Length, json.Json.GetProperty("objects").GetInt32()));
        Assert.Equal(["p/x"], await KeysAsync());
        Assert.False(Directory.Exists(GetPath("new")));
    }

    [Fact]
    public async Task Copy_NothingAtTheSource_Fails()
    {
        await PutAsync("one", [1]);
        Assert.Contains("no objects found", (await RunAsync("cp", "-r", $"s3://{Bucket}/nothing", GetPath("t"))).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("omit -r", (await RunAsync("cp", "-r", $"s3://{Bucket}/one", GetPath("t"))).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("there is no such bucket", (await RunAsync("cp", "-r", "s3://nobucket", GetPath("t"))).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("nothing matched", (await RunAsync("cp", "-r", "--exclude", "*", $"s3://{Bucket}", GetPath("t"))).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_ManyFilesToAMissingBucket_StopsEarly()
    {
        for (int i = 0; i < 300; i++)
        {
            await WriteFileAsync($"f{i}", [1]);
        }

        ToolOutcome outcome = (await RunAsync("cp", "-r", "--json", GetPath("."), "s3://nobucket/p")).Expect(1);

        JsonElement json = outcome.Json;
        Assert.InRange(json.GetProperty("failed").GetInt32(), 1, 100);
        Assert.Contains("stopped because every object would fail with the same error", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("there is no such bucket", json.GetProperty("errors")[0].GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_Interrupted_ReportsCompletedObjects()
    {
        await using EmbeddedS3Server slow = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], FirstByteDelay = TimeSpan.FromMilliseconds(200) });
        Environment["AWS_ENDPOINT_URL_S3"] = slow.Endpoint.ToString();
        for (int i = 0; i < 500; i++)
        {
            await WriteFileAsync($"f{i}", [1]);
        }

        using ToolProcess tool = ToolProcess.Start(Environment, "cp", "-r", "--concurrency", "1", GetPath("."), $"s3://{Bucket}/p", "--json");
        await Deadline.Until(() => slow.Requests.Count >= 5);
        await tool.SignalAsync("INT");

        ToolOutcome outcome = (await tool.EndAsync()).Expect(130);
        Assert.InRange(outcome.Json.GetProperty("objects").GetInt32(), 3, 499);
        Assert.EndsWith("transfer: interrupted\n", outcome.Error, StringComparison.Ordinal);
        Assert.Contains(" objects, ", outcome.Error, StringComparison.Ordinal);
    }

    private Dictionary<string, byte[]> WriteTree(string root)
    {
        Dictionary<string, byte[]> tree = Names.ToDictionary(name => name, name => Sample.Bytes(name == "large.bin" ? (9 << 20) + 5 : name.Length));
        foreach ((string name, byte[] content) in tree)
        {
            string path = GetPath($"{root}/{name}");
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllBytes(path, content);
        }

        return tree;
    }
}
