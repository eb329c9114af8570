using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>
/// Kills a synchronization with SIGKILL at a request, once or twice, and runs the same command again. The server answers no request from that one on, so the moment is the
/// same in every run.
/// </summary>
[LongRunning]
public sealed class SyncKillTests : ToolTest
{
    private static readonly byte[][] Small = [[], [1], [2], [3, 4]];
    private static readonly byte[] Large = Sample.Bytes((6 << 20) + 1, 1);
    private static readonly string[] Names = ["a", "b", "big", "c d", "d/a", "d/b", "d/e/é", "f/g", "h", "i/j/k", "l", "m"];

    private string Temporary => GetPath("tmp");

    [Theory]
    [InlineData("upload")]
    [InlineData("download")]
    [InlineData("inside")]
    public async Task KilledAtAnyRequest_TheSameCommandCompletes(string direction)
    {
        Directory.CreateDirectory(Temporary);
        Environment["TMPDIR"] = Temporary;
        Environment["DOTNET_EnableDiagnostics"] = "0"; // the pipes of a runtime that is killed remain
        int kills = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 20, quick: 4); seed++)
        {
            kills += await CheckAsync(direction, seed);
        }

        Assert.True(kills > 0, "nothing was killed");
    }

    private async Task<int> CheckAsync(string direction, int seed)
    {
        Random random = new(seed);
        Dictionary<string, byte[]> source = NewTree(random);
        Dictionary<string, byte[]> target = NewTree(random);
        string sourcePrefix = $"s{seed}/";
        string targetPrefix = $"t{seed}/";
        string backupPrefix = $"old{seed}/";
        (string here, string backupFolder) = (GetPath($"here{seed}"), GetPath($"old{seed}"));
        bool isUpload = direction == "upload";
        bool isDownload = direction == "download";
        await (isUpload ? WriteAllAsync(here, source) : PutAllAsync(sourcePrefix, source));
        await (isDownload ? WriteAllAsync(here, target) : PutAllAsync(targetPrefix, target));
        string from = isUpload ? here : $"s3://{Bucket}/{sourcePrefix}";
        string to = isDownload ? here : $"s3://{Bucket}/{targetPrefix}";
        bool hasBackup = random.Next(2) == 0;
        string[] backup = hasBackup ? ["--backup", isDownload ? backupFolder : $"s3://{Bucket}/{backupPrefix}"] : [];
        string[] arguments = ["sync", "--delete", "--max-delete", "100%", "--concurrency", "3", "--part-size", "5MiB", "--quiet", .. backup, from, to];
        string about = $"seed {seed} {direction}: transfer {string.Join(' ', arguments)}";

        int kills = 0;
        for (int times = random.Next(1, 3); times > 0; times--)
        {
            ToolOutcome[] ended = await KillAtAsync(random.Next(random.Next(3) == 0 ? 30 : 7), arguments);
            Array.ForEach(ended, outcome => outcome.Expect(0));
            kills += 1 - ended.Length;
            await CheckNothingIsLostAsync();
        }

        (await RunAsync(arguments)).Expect(0);

        await CheckNothingIsLostAsync();
        Dictionary<string, byte[]> made = await ReadTargetAsync();
        Assert.True(AreSame(source, made), $"{about}: the target isn't the same: {string.Join(", ", source.Keys.Union(made.Keys).Where(name => !source.TryGetValue(name, out byte[]? content) || !IsIn(made, name, content)))}");
        Assert.True(AreSame(source, isUpload ? await ReadAllAsync(here) : await GetAllAsync(sourcePrefix)), $"{about}: the source has changed");
        if (direction != "inside")
        {
            (await RunAsync("verify", here, isUpload ? to : from)).Expect(0);
        }

        // A process that is killed before it receives the ID of its upload leaves that upload open, without parts.
        Assert.Equal(0, await CountPartsAsync());
        Assert.Empty(Directory.EnumerateFileSystemEntries(Temporary));
        Assert.All(Directory.EnumerateFiles(State, "*", SearchOption.AllDirectories), file => Assert.EndsWith(".sync", file, StringComparison.Ordinal));
        return kills;

        Task<Dictionary<string, byte[]>> ReadTargetAsync() => isDownload ? ReadAllAsync(here) : GetAllAsync(targetPrefix);

        // Each target still has its content, has that of the source, or is deleted, and then everything else is done. The backup has what isn't there anymore.
        async Task CheckNothingIsLostAsync()
        {
            Dictionary<string, byte[]> now = await ReadTargetAsync();
            Dictionary<string, byte[]> kept = isDownload ? await ReadAllAsync(backupFolder) : await GetAllAsync(backupPrefix);
            bool isCopied = source.All(one => IsIn(now, one.Key, one.Value));
            foreach ((string name, byte[] content) in target)
            {
                bool isKept = !hasBackup || IsIn(kept, name, content);
                bool isRight = IsIn(now, name, content) || (isKept && (now.ContainsKey(name) ? source.TryGetValue(name, out byte[]? copied) && IsIn(now, name, copied) : isCopied && !source.ContainsKey(name)));
                Assert.True(isRight, $"{about}: '{name}' is lost or was deleted too early");
            }
        }
    }

    private async Task<int> CountPartsAsync()
    {
        int parts = 0;
        foreach (MultipartUpload upload in (await S3.ListMultipartUploadsAsync(Bucket).Within()).MultipartUploads ?? [])
        {
            parts += (await S3.ListPartsAsync(Bucket, upload.Key, upload.UploadId).Within()).Parts?.Count ?? 0;
        }

        return parts;
    }

    private static Dictionary<string, byte[]> NewTree(Random random)
        => Names.Where(_ => random.Next(3) > 0).ToDictionary(name => name, name => name == "big" && random.Next(3) > 0 ? Large : Small[random.Next(Small.Length)]);

    private static bool IsIn(Dictionary<string, byte[]> tree, string name, byte[] content) => tree.TryGetValue(name, out byte[]? there) && there.AsSpan().SequenceEqual(content);

    private static bool AreSame(Dictionary<string, byte[]> one, Dictionary<string, byte[]> other) => one.Count == other.Count && one.All(item => IsIn(other, item.Key, item.Value));

    private static async Task WriteAllAsync(string folder, Dictionary<string, byte[]> tree)
    {
        Directory.CreateDirectory(folder);
        foreach ((string name, byte[] content) in tree)
        {
            string path = Path.Combine(folder, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await File.WriteAllBytesAsync(path, content);
        }
    }

    private static async Task<Dictionary<string, byte[]>> ReadAllAsync(string folder)
    {
        Dictionary<string, byte[]> tree = [];
        EnumerationOptions everything = new() { AttributesToSkip = 0, RecurseSubdirectories = true };
        foreach (string path in Directory.Exists(folder) ? Directory.GetFiles(folder, "*", everything) : [])
        {
            tree[Path.GetRelativePath(folder, path)] = await File.ReadAllBytesAsync(path);
        }

        return tree;
    }

    private async Task PutAllAsync(string prefix, Dictionary<string, byte[]> tree)
    {
        foreach ((string name, byte[] content) in tree)
        {
            await PutAsync(prefix + name, content);
        }
    }

    private async Task<Dictionary<string, byte[]>> GetAllAsync(string prefix)
    {
        Dictionary<string, byte[]> tree = [];
        ListObjectsV2Response listed = await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket, Prefix = prefix }).Within();
        foreach (S3Object item in listed.S3Objects ?? [])
        {
            tree[item.Key[prefix.Length..]] = await GetAsync(item.Key);
        }

        return tree;
    }
}
