using System.Net;
using System.Runtime.Versioning;
using Transfer.S3.Files;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Sync;

/// <summary>What a synchronization replaces or deletes is in the backup before, whatever happens.</summary>
public sealed class SyncBackupTests : TransferTest
{
    private static readonly Dictionary<string, string> Source = new() { ["a"] = "new", ["b"] = "same", ["c/d"] = "other size", ["c/e"] = "1234" };
    private static readonly Dictionary<string, string> Target = new() { ["b"] = "same", ["c/d"] = "x", ["c/e"] = "4321", ["g"] = "gone 1", ["h/i"] = "gone 2" };
    private static readonly Dictionary<string, string> Kept = new() { ["c/d"] = "x", ["c/e"] = "4321", ["g"] = "gone 1", ["h/i"] = "gone 2" };

    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Download, SyncDirection.Inside, SyncDirection.Between];

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Sync_KeepsWhatItReplacesOrDeletes_AndNothingElse(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction);

        Assert.True((await pair.RunAsync(Options(pair))).Counts.IsComplete);

        Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.GetTarget()));
        Assert.Equal(SyncTree.Show(Kept), SyncTree.Show(pair.GetBackup()));

        Assert.Equal(4, (await pair.RunAsync(Options(pair))).Counts.Same);
        Assert.Equal(SyncTree.Show(Kept), SyncTree.Show(pair.GetBackup()));
    }

    /// <summary>A backup is never overwritten, so two runs with the same one keep both states.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Sync_BackupExists_GetsANumber(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction);
        await pair.RunAsync(Options(pair));
        for (int i = 0; i < 2; i++)
        {
            pair.SetSource(new Dictionary<string, string> { ["c/d"] = new string('y', i + 20) });
            await pair.RunAsync(Options(pair));
        }

        Dictionary<string, string> expected = new(Kept) { ["c/d.~1~"] = "other size", ["c/d.~2~"] = new string('y', 20) };
        Assert.Equal(SyncTree.Show(expected), SyncTree.Show(pair.GetBackup()));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Sync_BackupFails_TargetsAreNotTouched(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction);
        if (pair.HasLocalTarget)
        {
            File.WriteAllText(pair.BackupPath, "a file in the place of the folder");
        }

        Intervene(pair, call =>
        {
            if (call.Key?.StartsWith(SyncPair.BackupPrefix, StringComparison.Ordinal) == true)
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }
        });

        DirectoryResult result = await pair.RunAsync(Options(pair) with { DeleteDespiteFailures = true });

        Assert.EachEqual((1, 0, 0, 4, 0), (result.Counts.Copied, result.Counts.Replaced, result.Counts.Deleted, result.Counts.Failed, result.Counts.Conflicts));
        Assert.Equal(SyncTree.Show(new Dictionary<string, string>(Target) { ["a"] = "new" }), SyncTree.Show(pair.GetTarget()));
    }

    /// <summary>Each request fails for good, or is the last one before an interruption. Then the same happens to the second run. The third one completes.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task FailsOrInterruptedTwice_NothingIsLost(SyncDirection direction)
    {
        foreach (bool isCanceled in new[] { false, true })
        {
            for (int number = 1; number <= 120; number++)
            {
                using SyncPair pair = NewPair(direction);
                bool isReached = false;
                for (int run = 1; run <= 2; run++)
                {
                    isReached |= await RunUntilAsync(pair, Math.Max(1, number / run), isCanceled);
                    CheckNothingIsLost(pair, $"{direction} {number} canceled {isCanceled}, run {run}");
                }

                Intervene(pair, _ => { });
                Assert.True((await pair.RunAsync(Options(pair))).Counts.IsComplete);
                Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.GetTarget()));
                CheckNothingIsLost(pair, $"{direction} {number} canceled {isCanceled}");
                if (!isReached)
                {
                    Assert.True(number > 4, "there are more requests");
                    break;
                }
            }
        }
    }

    /// <summary>Another writer replaces a target after it was listed: what it wrote is neither moved nor lost.</summary>
    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Inside)]
    public async Task SecondWriterBetweenAnyRequests_NothingOfItIsLost(SyncDirection direction)
    {
        for (int number = 1; number <= 80; number++)
        {
            using SyncPair pair = NewPair(direction);
            int calls = 0;
            bool isDone = false;
            Intervene(pair, call =>
            {
                if (call.Operation != S3Call.List && Interlocked.Increment(ref calls) == number)
                {
                    isDone = true;
                    foreach (string name in Kept.Keys)
                    {
                        pair.Target.Put(SyncPair.TargetPrefix + name, SyncTree.Bytes("second writer " + name));
                    }
                }
            });

            await pair.RunAsync(Options(pair));

            Dictionary<string, string> end = pair.GetTarget();
            Assert.True(!isDone || Kept.Keys.All(name => end.GetValueOrDefault(name) == "second writer " + name), $"{direction} {number}: {SyncTree.Show(end)}");
            if (!isDone)
            {
                break;
            }
        }
    }

    /// <summary>A run was killed between the backup of a file and its replacement.</summary>
    [LinuxFact]
    [SupportedOSPlatform("linux")]
    public async Task File_HasItsBackupAlready_GetsNoOther()
    {
        using SyncPair pair = NewPair(SyncDirection.Download);
        using (LocalFolder folder = LocalFolder.Open(pair.BackupPath))
        using (LocalFolder child = folder.OpenChild("c"))
        {
            Assert.True(Libc.TryLink(pair.Folder.File("c/d"), child.Handle!, "d"));
            Assert.True(Libc.TryLink(pair.Folder.File("g"), folder.Handle!, "g"));
        }

        Assert.True((await pair.RunAsync(Options(pair))).Counts.IsComplete);
        Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.GetTarget()));
        Assert.Equal(SyncTree.Show(Kept), SyncTree.Show(pair.GetBackup()));
    }

    /// <summary>A link at the place of a backup, or of its folder, leads nothing elsewhere.</summary>
    [UnixFact]
    public async Task Backup_HasLinks_AreNotFollowed()
    {
        using SyncPair pair = NewPair(SyncDirection.Download);
        using TemporaryFolder outside = new();
        Directory.CreateDirectory(pair.BackupPath);
        Directory.CreateSymbolicLink(Path.Combine(pair.BackupPath, "c"), outside.Path);
        File.CreateSymbolicLink(Path.Combine(pair.BackupPath, "g"), outside.File("g"));

        DirectoryResult result = await pair.RunAsync(Options(pair) with { DeleteDespiteFailures = true });

        Assert.EachEqual((2, 2), (result.Counts.Failed, result.Counts.Deleted));
        Assert.Empty(SyncTree.ReadAll(outside));
        Assert.Equal("gone 1", File.ReadAllText(Path.Combine(pair.BackupPath, "g.~1~")));
    }

    [Theory]
    [InlineData(SyncDirection.Upload, "t", "overlaps the target")]
    [InlineData(SyncDirection.Upload, "t/old", "overlaps the target")]
    [InlineData(SyncDirection.Upload, "", "overlaps the target")]
    [InlineData(SyncDirection.Inside, "s/old", "overlaps the source")]
    [InlineData(SyncDirection.Inside, "t/old", "overlaps the target")]
    [InlineData(SyncDirection.Between, "t/old", "overlaps the target")]
    [InlineData(SyncDirection.Download, "old", "overlaps the target")]
    [InlineData(SyncDirection.Download, "", "overlaps the target")]
    [InlineData(SyncDirection.Download, "..", "overlaps the target")]
    public async Task Backup_Overlaps_IsRefusedUnlessItIsExcluded(SyncDirection direction, string path, string expected)
    {
        using SyncPair pair = NewPair(direction);
        Place backup = pair.HasLocalTarget ? Place.InDirectory(pair.Folder.File(path)) : Place.InBucket(FakeS3.Bucket, path);
        SyncOptions options = Options(pair) with { Backup = backup };

        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => pair.RunAsync(options));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ArgumentException>(() => pair.PlanAsync(options));
        Assert.Equal(SyncTree.Show(Target), SyncTree.Show(pair.GetTarget()));
        if (!path.EndsWith("old", StringComparison.Ordinal) || expected.EndsWith("source", StringComparison.Ordinal))
        {
            return;
        }

        SyncOptions excluding = options with { Exclude = ["old/"] };
        await Assert.ThrowsAsync<ArgumentException>(() => pair.RunAsync(excluding with { DeleteExcluded = true }));
        Assert.True((await pair.RunAsync(excluding)).Counts.IsComplete);
        Assert.Equal(
            SyncTree.Show(Source.Concat(Kept.Select(one => new KeyValuePair<string, string>($"old/{one.Key}", one.Value))).ToDictionary()),
            SyncTree.Show(pair.GetTarget()));
    }

    [UnixFact]
    public async Task Backup_OverlapsUnderAnotherName_IsRefused()
    {
        using SyncPair pair = NewPair(SyncDirection.Download);
        using TemporaryFolder other = new();
        Directory.CreateSymbolicLink(other.File("link"), pair.Folder.Path);
        await Assert.ThrowsAsync<ArgumentException>(() => pair.RunAsync(Options(pair) with { Backup = Place.InDirectory(other.File("link/old")) }));
    }

    [Fact]
    public async Task Backup_OfTheOtherKind_IsRefused()
    {
        using SyncPair up = NewPair(SyncDirection.Upload);
        using SyncPair down = NewPair(SyncDirection.Download);
        Assert.Contains(nameof(Place.InBucket), (await Assert.ThrowsAsync<ArgumentException>(() => up.RunAsync(Options(down)))).Message, StringComparison.Ordinal);
        Assert.Contains(nameof(Place.InDirectory), (await Assert.ThrowsAsync<ArgumentException>(() => down.RunAsync(Options(up)))).Message, StringComparison.Ordinal);
    }

    /// <summary>Without hard links, and on another file system, the file is copied with its properties.</summary>
    [LinuxFact]
    [SupportedOSPlatform("linux")]
    public void File_OnAnotherFileSystem_IsCopied()
    {
        const string Memory = "/dev/shm";
        using TemporaryFolder folder = new();
        string directory = Path.Combine(Memory, $"transfer-test-{Guid.NewGuid():N}");
        File.WriteAllText(folder.File("a"), "content");
        File.SetUnixFileMode(folder.File("a"), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);
        DateTime time = new(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        File.SetLastWriteTimeUtc(folder.File("a"), time);
        try
        {
            using Transfer.S3.Trees.FileBackup backup = Transfer.S3.Trees.FileBackup.From(
                new SyncOptions { Backup = Place.InDirectory(directory) }, folder.Path, flushes: true)!;
            backup.Keep(folder.File("a"), new Transfer.S3.Trees.TreeEntry("d/a", 7) { LastWrite = time.Ticks });
            backup.Keep(folder.File("a"), new Transfer.S3.Trees.TreeEntry("d/a", 7) { LastWrite = time.Ticks });

            // A file that isn't the listed one anymore could have been changed while it was copied.
            Assert.ThrowsError(TransferError.PreconditionFailed, () => backup.Keep(folder.File("a"), new Transfer.S3.Trees.TreeEntry("d/a", 7) { LastWrite = time.Ticks + 1 }));

            FileInfo copy = new(Path.Combine(directory, "d/a"));
            Assert.EachEqual(("content", time, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead), (File.ReadAllText(copy.FullName), copy.LastWriteTimeUtc, copy.UnixFileMode));
            Assert.Equal(["a", "a.~1~"], copy.Directory!.EnumerateFiles().Select(file => file.Name).Order(StringComparer.Ordinal));
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static SyncOptions Options(SyncPair pair)
        => new() { Delete = true, Backup = pair.Backup, OnFailure = FailurePolicy.Continue, MaxConcurrentObjects = 1 };

    /// <summary>Runs until a request, which fails or is canceled.</summary>
    /// <returns>Whether there was such a request.</returns>
    private static async Task<bool> RunUntilAsync(SyncPair pair, int number, bool isCanceled)
    {
        using CancellationTokenSource stop = new();
        int calls = 0;
        Intervene(pair, _ =>
        {
            if (Interlocked.Increment(ref calls) == number)
            {
                if (isCanceled)
                {
                    stop.Cancel();
                    stop.Token.ThrowIfCancellationRequested();
                }

                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }
        });
        Exception? error = await Record.ExceptionAsync(() => pair.RunAsync(Options(pair), stop.Token));
        Assert.True(error is null or TransferException or OperationCanceledException, error?.ToString());
        return calls >= number;
    }

    private static void CheckNothingIsLost(SyncPair pair, string about)
    {
        Dictionary<string, string> target = pair.GetTarget();
        Dictionary<string, string> backup = pair.GetBackup();
        foreach ((string name, string content) in Target)
        {
            bool isThere = target.GetValueOrDefault(name) == content || backup.Any(one => one.Value == content && (one.Key == name || one.Key.StartsWith(name + ".~", StringComparison.Ordinal)));
            Assert.True(isThere, $"{name} is lost: {about}: {SyncTree.Show(target)} backup {SyncTree.Show(backup)}");
        }
    }

    private SyncPair NewPair(SyncDirection direction)
    {
        SyncPair pair = new(direction, new FakeS3(), s3 => NewClient(s3.Client, options => options.MaxAttempts = 3));
        pair.SetSource(Source);
        pair.SetTarget(Target);
        return pair;
    }

    private static void Intervene(SyncPair pair, Action<S3Call> before)
    {
        Func<S3Call, CancellationToken, Task> intervene = (call, _) =>
        {
            before(call);
            return Task.CompletedTask;
        };
        pair.Store.Before = intervene;
        pair.Target.Before = intervene;
    }
}
