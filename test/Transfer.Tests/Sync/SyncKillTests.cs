using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Sync;

/// <summary>
/// Random synchronizations that end at a random request, once or twice, and forget everything that they had in memory. The store stays unreachable until the next run, so
/// nothing can be cleaned up there. The same call again must complete, and leave nothing behind.
/// </summary>
public sealed class SyncKillTests : TransferTest
{
    private static readonly string[] Folders = ["k/", "l/m/"];
    private static readonly string[] Names = ["a", "a!", "b", "big", "d/a", "d/big", "d/e/x", "é", "e/y", "g/big", "x.log", .. Folders];
    private static readonly string[] Contents = ["", "1", "2", "33"];
    private static readonly string[] LargeContents = [new('x', 150_000), new('y', 150_000), new('z', 200_000)];

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Download)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task EndedAtAnyRequest_TheSameCallCompletes(SyncDirection direction)
    {
        int interrupted = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 500, quick: 80); seed++)
        {
            interrupted += await CheckAsync(direction, seed);
        }

        Assert.True(interrupted > 20, $"only {interrupted} calls were interrupted");
    }

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task TargetIsUpToDateAfterAnInterruption_TheInterruptedUploadIsDiscarded(SyncDirection direction)
    {
        string state = Folder.File("state");
        using SyncPair pair = new(direction, new FakeS3(), s3 => NewClient(s3.Client, options =>
        {
            options.StateDirectory = state;
            options.MaxAttempts = 1;
            options.MultipartThresholdBytes = 100_000;
        }));
        pair.Store.HasManyUploads = pair.Target.HasManyUploads = true;
        Dictionary<string, string> tree = new() { ["big"] = LargeContents[0] };
        pair.SetSource(tree);
        bool isGone = false;
        pair.Intervene(call =>
        {
            isGone |= call.Operation == S3Call.Complete;
            if (isGone)
            {
                throw new HttpRequestException("the network is gone");
            }
        });
        _ = await Record.ExceptionAsync(() => pair.RunAsync(new SyncOptions()));
        Assert.EachEqual((true, true), (isGone, pair.Target.HasOpenUpload));
        Assert.Contains(Directory.EnumerateFiles(state), file => file.EndsWith(".journal", StringComparison.Ordinal));
        pair.Intervene(_ => { });
        pair.SetTarget(tree); // as if the store had completed the upload, and the response had been lost
        await pair.RestartAsync();

        DirectoryResult result = await pair.RunAsync(new SyncOptions { Comparison = SyncComparison.Size });

        Assert.EachEqual((1, 0), (result.Counts.Same, result.Counts.Copied));
        Assert.False(pair.Target.HasOpenUpload);
        Assert.DoesNotContain(Directory.EnumerateFiles(state), file => file.EndsWith(".journal", StringComparison.Ordinal));
    }

    private async Task<int> CheckAsync(SyncDirection direction, int seed)
    {
        Random random = new((seed * 4) + (int)direction);
        string state = Folder.File($"{direction}-{seed}");
        FakeS3 store = new() { PageSize = random.Next(1, 6) };
        using SyncPair pair = new(direction, store, s3 => NewClient(s3.Client, options =>
        {
            options.StateDirectory = state;
            options.MaxAttempts = 2;
            options.MultipartThresholdBytes = 100_000;
        }))
        { Folders = Folders };
        pair.Store.HasManyUploads = pair.Target.HasManyUploads = true;
        Dictionary<string, string> source = NewTree(random);
        Dictionary<string, string> target = NewTree(random);
        pair.SetSource(source);
        pair.SetTarget(target);
        SyncOptions options = new()
        {
            OnFailure = random.Next(2) == 0 ? FailurePolicy.Continue : FailurePolicy.Abort,
            MaxConcurrentObjects = random.Next(1, 5),
            EmptyFolders = pair.HasLocalSource,
            Delete = true,
            MaxDelete = DeletionLimit.Percent(100),
            AllowEmptySource = true,
            Backup = random.Next(2) == 0 ? pair.Backup : null,
        };
        string about = $"seed {seed} {direction} backup {options.Backup is not null}: {Show(source)} -> {Show(target)}";

        int interrupted = 0;
        for (int times = random.Next(1, 3); times > 0; times--)
        {
            bool isReached = false;
            using CancellationTokenSource stop = new();
            int left = random.Next(1, 50);
            bool cancels = random.Next(2) == 0;
            pair.Intervene(_ =>
            {
                if (Interlocked.Decrement(ref left) <= 0)
                {
                    isReached = true;
                    if (cancels)
                    {
                        stop.Cancel();
                    }

                    throw new HttpRequestException("the network is gone");
                }
            });
            DirectoryResult? ended = null;
            Exception? error = await Record.ExceptionAsync(async () => ended = await pair.RunAsync(options, stop.Token));

            Assert.True(isReached ? error is OperationCanceledException or TransferException || ended is not null : ended is { Counts.IsComplete: true }, $"{about}\n{error}");
            interrupted += isReached ? 1 : 0;
            CheckNothingIsLost(source, target, pair, options, about);
            pair.Intervene(_ => { });
            await pair.RestartAsync();
        }

        DirectoryResult result = await pair.RunAsync(options);

        Assert.True(result.Counts.IsComplete, $"{about}\n{string.Join("\n", result.Failures.Select(failure => $"{failure} {failure.Error}"))}");
        Assert.True(Show(source) == Show(pair.GetTarget()), $"{about}\nended with {Show(pair.GetTarget())}");
        CheckNothingIsLost(source, target, pair, options, about);
        Assert.True(pair.GetBackup().All(one => target.GetValueOrDefault(one.Key) == one.Value), $"{about}\nthe backup has more: {Show(pair.GetBackup())}");
        Assert.True(await pair.VerifyAsync(), $"verify finds a difference: {about}");
        Assert.False(pair.Store.HasOpenUpload || pair.Target.HasOpenUpload, $"an upload is left behind: {about}");
        string[] remaining = Directory.Exists(state) ? [.. Directory.EnumerateFileSystemEntries(state).Select(path => Path.GetFileName(path))] : [];
        Assert.True(remaining is [] or [_] && remaining.All(name => name.EndsWith(".sync", StringComparison.Ordinal)), $"{string.Join(" ", remaining)} are left behind: {about}");

        await pair.RestartAsync();
        DirectoryResult again = await pair.RunAsync(options);
        Assert.True(again.Counts.Copied + again.Counts.Replaced + again.Counts.Deleted == 0, $"the last run did something: {about}");
        return interrupted;
    }

    /// <summary>Each target still has its content, has that of the source, or is deleted, and then everything else is done. If there is a backup, it has what isn't there anymore.</summary>
    private static void CheckNothingIsLost(Dictionary<string, string> source, Dictionary<string, string> target, SyncPair pair, SyncOptions options, string about)
    {
        Dictionary<string, string> now = pair.GetTarget();
        Dictionary<string, string> backup = pair.GetBackup();
        bool isCopied = source.All(one => now.GetValueOrDefault(one.Key) == one.Value);
        foreach ((string name, string content) in target)
        {
            string? here = now.GetValueOrDefault(name);
            bool isKept = options.Backup is null || backup.GetValueOrDefault(name) == content || (pair.HasLocalTarget && name.EndsWith('/'));
            bool isRight = here == content || (isKept && (here is null ? isCopied && !source.ContainsKey(name) : here == source.GetValueOrDefault(name)));
            Assert.True(isRight, $"{about}\n'{name}' is lost or was deleted too early: {Show(now)}, and the backup has {Show(backup)}");
        }
    }

    private static Dictionary<string, string> NewTree(Random random)
    {
        double share = random.NextDouble();
        return Names.Where(_ => random.NextDouble() < share).ToDictionary(
            name => name,
            name => name.EndsWith('/') ? string.Empty : name.EndsWith("big", StringComparison.Ordinal) ? LargeContents[random.Next(LargeContents.Length)] : Contents[random.Next(Contents.Length)]);
    }

    private static string Show(Dictionary<string, string> tree)
        => SyncTree.Show(tree.ToDictionary(one => one.Key, one => one.Value.Length > 100 ? $"{one.Value[0]}*{one.Value.Length}" : one.Value));
}
