using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>
/// Kills a synchronization that publishes everything at once with SIGKILL at a request, once or twice, and runs the same command again. What readers see is the old tree until the first
/// object was published, and the new one after the last run. No upload is left open.
/// </summary>
[LongRunning]
public sealed class PublishKillTests : ToolTest
{
    private static readonly string[] Names = ["a", "b.js", "c d", "d/a", "d/b.html", "d/e/é", "f/g", "index.html", "l", "m"];

    [Fact]
    public async Task KilledAtAnyRequest_IsOldOrNewAfterTheSameCommand()
    {
        Environment["DOTNET_EnableDiagnostics"] = "0"; // the pipes of a runtime that is killed remain
        int kills = 0;
        int committed = 0;
        for (int seed = 0; kills < LongTests.Choose(full: 1_000, quick: 6); seed++)
        {
            (int killed, bool isCommitted) = await CheckAsync(seed);
            kills += killed;
            committed += isCommitted ? 1 : 0;
        }

        Assert.True(committed >= LongTests.Choose(full: 100, quick: 0), $"{committed} runs were killed while they published");
    }

    private async Task<(int Kills, bool IsCommitted)> CheckAsync(int seed)
    {
        Random random = new(seed);
        (Dictionary<string, string> source, Dictionary<string, string> target) = (NewTree(random), NewTree(random));
        string folder = GetPath($"s{seed}");
        Directory.CreateDirectory(folder);
        foreach ((string name, string content) in source)
        {
            string path = Path.Combine(folder, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await File.WriteAllTextAsync(path, content);
        }

        foreach ((string name, string content) in target)
        {
            await PutAsync($"t{seed}/{name}", System.Text.Encoding.UTF8.GetBytes(content));
        }

        string[] arguments = ["sync", "--publish", "--delete", "--max-delete", "100%", "--allow-empty-source", "--concurrency", "3", "--quiet", folder, $"s3://{Bucket}/t{seed}/"];
        (int kills, bool isCommitted) = (0, false);
        for (int times = random.Next(1, 3); times > 0; times--)
        {
            ToolOutcome[] ended = await KillAtAsync(random.Next(random.Next(2) == 0 ? 12 : 45), arguments);
            Array.ForEach(ended, outcome => outcome.Expect(0));
            kills += 1 - ended.Length;
            string now = Show(await ReadAsync(seed));
            isCommitted |= now != Show(target);
            bool isOld = now == Show(target);
            Assert.True(isOld || isCommitted, $"seed {seed}: {now}");
        }

        (await RunAsync(arguments)).Expect(0);

        Assert.Equal($"seed {seed}: {Show(source)}", $"seed {seed}: {Show(await ReadAsync(seed))}");
        Assert.Empty((await S3.ListMultipartUploadsAsync(Bucket).Within()).MultipartUploads ?? []);
        Assert.All(Directory.EnumerateFiles(State, "*", SearchOption.AllDirectories), file => Assert.EndsWith(".sync", file, StringComparison.Ordinal));
        return (kills, isCommitted && kills > 0);
    }

    private async Task<Dictionary<string, string>> ReadAsync(int seed)
    {
        Dictionary<string, string> tree = [];
        string prefix = $"t{seed}/";
        ListObjectsV2Response listed = await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket, Prefix = prefix }).Within();
        foreach (S3Object item in listed.S3Objects ?? [])
        {
            tree[item.Key[prefix.Length..]] = System.Text.Encoding.UTF8.GetString(await GetAsync(item.Key));
        }

        return tree;
    }

    private static Dictionary<string, string> NewTree(Random random)
        => Names.Where(_ => random.Next(3) > 0).ToDictionary(name => name, _ => random.Next(3) switch { 0 => string.Empty, 1 => "1", _ => "22" });

    private static string Show(Dictionary<string, string> tree) => string.Join(" ", tree.OrderBy(one => one.Key, StringComparer.Ordinal).Select(one => $"{one.Key}={one.Value}"));
}
