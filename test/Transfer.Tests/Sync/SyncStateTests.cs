using Transfer.S3.Integrity;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Sync;

/// <summary>The state of the last run saves comparisons, and never keeps what has changed.</summary>
public sealed class SyncStateTests : TransferTest
{
    private static readonly Dictionary<string, string> Tree = new() { ["a"] = "1234", ["d/b"] = "5678", ["d/é"] = "9", ["e"] = "" };

    private static SyncOptions Options => new() { Delete = true, OnFailure = FailurePolicy.Continue };

    private string State => Folder.File("state");

    public override Task InitializeAsync()
    {
        Time.Advance(DateTimeOffset.UtcNow.AddHours(1) - Time.GetUtcNow()); // files that were just created are old
        return base.InitializeAsync();
    }

    [LinuxFact]
    public async Task SecondUpload_TakesOnlyTheListingAndReadsNoFile()
    {
        using SyncPair pair = NewOpaquePair(SyncDirection.Upload, Tree, []);
        Assert.Equal(4, (await pair.RunAsync(Options)).Counts.Copied);
        pair.Target.Calls.Clear();

        DirectoryResult result = await pair.RunAsync(Options);

        Assert.EachEqual((4, 0), (result.Counts.Same, result.Counts.Replaced));
        Assert.All(pair.Target.Calls, call => Assert.Equal(S3Call.List, call.Operation));
        Assert.Equal(["Same a: last run", "Same d/b: last run", "Same d/é: last run", "Same e: size"], await ShowAsync(pair, Options));
        Assert.Equal(3, (await pair.RunAsync(Options with { UseState = false })).Counts.Replaced);
        Assert.Equal(3, (await pair.RunAsync(Options with { Comparison = SyncComparison.Content })).Counts.Same - 1);
    }

    [Theory]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task SecondCopy_TakesOnlyTheListings(SyncDirection direction)
    {
        using SyncPair pair = NewOpaquePair(direction, Tree, []);
        Assert.Equal(4, (await pair.RunAsync(Options)).Counts.Copied);
        pair.Target.Calls.Clear();

        DirectoryResult result = await pair.RunAsync(Options);

        Assert.EachEqual((4, 0), (result.Counts.Same, result.Counts.Replaced));
        Assert.All(pair.Target.Calls, call => Assert.Equal(S3Call.List, call.Operation));
    }

    /// <summary>What was downloaded is known, although nothing at the store proves what its content is, and whatever the size of the parts is.</summary>
    [LinuxTheory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task SecondDownload_TakesOnlyTheListing(bool isLarge, bool isOld)
    {
        Dictionary<string, string> tree = isLarge ? new(Tree) { ["d/large"] = new string('x', 300_000) + new string('y', 123_456) } : Tree;
        using SyncPair pair = NewOpaquePair(SyncDirection.Download, tree, []);
        SyncOptions options = Options with { Download = new DownloadOptions { PartSizeBytes = 64 * 1024 } };
        Assert.Equal(tree.Count, (await pair.RunAsync(options)).Counts.Copied);
        if (isOld)
        {
            Time.Advance(TimeSpan.FromHours(1));
        }

        for (int run = 0; run < 3; run++)
        {
            pair.Store.Calls.Clear();

            DirectoryResult result = await pair.RunAsync(options);

            Assert.EachEqual((tree.Count, 0), (result.Counts.Same, result.Counts.Replaced));
            Assert.All(pair.Store.Calls, call => Assert.Equal(S3Call.List, call.Operation));
        }

        Assert.Equal(["Same a: last run", "Same d/b: last run"], (await ShowAsync(pair, options)).Take(2));
    }

    [LinuxFact]
    public async Task DownloadThatWasCompared_IsNotReadAgain()
    {
        using SyncPair pair = NewOpaquePair(SyncDirection.Download, Tree, Tree);
        Assert.Equal(4, (await pair.RunAsync(Options with { Comparison = SyncComparison.Content })).Counts.Same);
        pair.Store.Calls.Clear();

        Assert.Equal(4, (await pair.RunAsync(Options)).Counts.Same);

        Assert.All(pair.Store.Calls, call => Assert.Equal(S3Call.List, call.Operation));
    }

    /// <summary>Whoever writes to a new file at once changes neither its size nor, on many file systems, its times. Its content shows that.</summary>
    [LinuxTheory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Download)]
    public async Task FileIsChangedWithoutAnotherMark_IsComparedAgain(SyncDirection direction)
    {
        using SyncPair pair = NewOpaquePair(direction, Tree, []);
        Now();
        await pair.RunAsync(Options);
        File.WriteAllText(pair.Folder.File("a"), "4321");
        Forget("a", pair.Folder.File("a"));

        DirectoryResult result = await pair.RunAsync(Options);

        Assert.EachEqual((1, 3), (result.Counts.Replaced, result.Counts.Same));
        Assert.Equal(direction == SyncDirection.Upload ? "4321" : "1234", pair.GetTarget()["a"]);
        Assert.Equal(direction == SyncDirection.Upload ? "4321" : "1234", File.ReadAllText(pair.Folder.File("a")));
    }

    /// <summary>A file that was read when it was new is known by its mark alone as soon as it has been read once more.</summary>
    [LinuxFact]
    public async Task FileIsNotNewAnymore_IsNotReadAgain()
    {
        using SyncPair pair = NewOpaquePair(SyncDirection.Upload, Tree, []);
        Now();
        await pair.RunAsync(Options);
        Assert.All(ReadState(), entry => Assert.NotNull(entry.Content));
        await pair.RunAsync(Options);
        Assert.All(ReadState(), entry => Assert.NotNull(entry.Content));
        Time.Advance(TimeSpan.FromHours(1));

        Assert.Equal(4, (await pair.RunAsync(Options)).Counts.Same);

        SyncStateEntry[] known = [.. ReadState()];
        Assert.Equal(["a", "d/b", "d/é"], known.Select(entry => entry.Name));
        Assert.All(known, entry => Assert.Null(entry.Content));
    }

    /// <summary>A change with the same size and the same last-write time is still a change.</summary>
    [LinuxFact]
    public async Task FileIsChanged_IsComparedAgain()
    {
        using SyncPair pair = NewOpaquePair(SyncDirection.Upload, Tree, []);
        await pair.RunAsync(Options);
        string path = pair.Folder.File("a");
        DateTime time = File.GetLastWriteTimeUtc(path);
        File.WriteAllText(pair.Folder.File("other"), "4321");
        File.Move(pair.Folder.File("other"), path, overwrite: true);
        File.SetLastWriteTimeUtc(path, time);

        Assert.Equal((1, 3), await pair.RunAsync(Options) is var result ? (result.Counts.Replaced, result.Counts.Same) : default);
        Assert.Equal("4321", pair.GetTarget()["a"]);
    }

    /// <summary>The file that was read is recorded, and not another one that has taken its path meanwhile.</summary>
    [LinuxFact]
    public async Task FolderIsReplacedDuringTheUpload_IsComparedAgain()
    {
        using SyncPair pair = NewOpaquePair(SyncDirection.Upload, new() { ["d/a"] = "1234" }, []);
        SyncTree.WriteAll(Folder, new Dictionary<string, string> { ["new/a"] = "4321" });
        pair.Target.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Put && Directory.Exists(Folder.File("new")))
            {
                Directory.Move(pair.Folder.File("d"), Folder.File("old"));
                Directory.Move(Folder.File("new"), pair.Folder.File("d"));
            }

            return Task.CompletedTask;
        };
        await pair.RunAsync(Options);
        Assert.Equal("1234", pair.GetTarget()["d/a"]);

        Assert.Equal(1, (await pair.RunAsync(Options)).Counts.Replaced);

        Assert.Equal("4321", pair.GetTarget()["d/a"]);
    }

    [LinuxFact]
    public async Task ObjectIsChanged_IsComparedAgain()
    {
        using SyncPair pair = NewOpaquePair(SyncDirection.Upload, Tree, []);
        await pair.RunAsync(Options);
        pair.Target.Objects["t/a"] = new FakeObject(SyncTree.Bytes("4321"), "\"by another writer\"");

        Assert.Equal((1, 3), await pair.RunAsync(Options) is var result ? (result.Counts.Replaced, result.Counts.Same) : default);
        Assert.Equal("1234", pair.GetTarget()["a"]);
    }

    /// <summary>Without a checksum of what was sent, nothing shows whether a new file was changed after it was read.</summary>
    [LinuxFact]
    public async Task NewFileHasNoChecksum_IsNotRecorded()
    {
        using SyncPair pair = NewOpaquePair(SyncDirection.Upload, Tree, []);
        Now();
        SyncOptions options = Options with { Upload = new UploadOptions { Checksum = ChecksumAlgorithm.None } };

        await pair.RunAsync(options);

        Assert.Equal(3, (await pair.RunAsync(options)).Counts.Replaced);
    }

    /// <summary>Any byte of the state is damaged, or its end is missing: something is compared again, and the result is the same.</summary>
    [LinuxFact]
    public async Task StateIsDamaged_CostsTimeOnly()
    {
        Dictionary<string, string> tree = Enumerable.Range(0, 50).ToDictionary(i => $"d{i % 7}/{i}", i => $"{i}");
        using SyncPair pair = NewOpaquePair(SyncDirection.Upload, tree, []);
        await pair.RunAsync(Options);
        string path = Assert.Single(Directory.GetFiles(State, "*.sync"));
        byte[] bytes = File.ReadAllBytes(path);
        Random random = new(1);
        for (int i = 0; i < LongTests.Choose(full: 300, quick: 40); i++)
        {
            byte[] damaged = [.. bytes];
            damaged[i < 20 ? i : random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            File.WriteAllBytes(path, i % 4 == 0 ? damaged[..random.Next(damaged.Length)] : damaged);
            pair.Target.Objects["t/d1/1"] = new FakeObject(SyncTree.Bytes("x"), $"\"writer {i}\"");

            Assert.True((await pair.RunAsync(Options)).Counts.IsComplete);

            Assert.Equal(SyncTree.Show(tree), SyncTree.Show(pair.GetTarget()));
        }
    }

    [LinuxFact]
    public async Task Interrupted_KeepsWhatIsKnown()
    {
        using SyncPair pair = NewOpaquePair(SyncDirection.Upload, Tree, []);
        await pair.RunAsync(Options);
        SyncTree.Write(pair.Folder, "new", "1");
        using CancellationTokenSource stop = new();
        pair.Target.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Put)
            {
                stop.Cancel();
                stop.Token.ThrowIfCancellationRequested();
            }

            return Task.CompletedTask;
        };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pair.RunAsync(Options, stop.Token));
        pair.Target.Before = null;

        DirectoryResult result = await pair.RunAsync(Options);

        Assert.EachEqual((1, 4, 0), (result.Counts.Copied, result.Counts.Same, result.Counts.Replaced));
    }

    [Fact]
    public void Entries_AreMergedInOrder()
    {
        Random random = new(1);
        SyncStateEntry[] entries = [.. Enumerable.Range(0, 1000).Select(i => new SyncStateEntry($"{random.Next(5)}/{i}é\uD800", Mark(i, "source"), Mark(i, i % 2 == 0 ? "target" : null), i % 3 == 0 ? new ContentChecksum(ChecksumAlgorithm.Crc32C, $"{i}") : null))];
        TransferClient client = NewClient(options => options.StateDirectory = State);
        for (int run = 0; run < 3; run++)
        {
            using SyncState state = SyncState.TryOpen(client.Context, "s", "t", runLength: 70)!;
            foreach (SyncStateEntry entry in entries.OrderBy(entry => entry.Name, Transfer.S3.Wire.KeyOrder.Instance))
            {
                Assert.Equal(run == 0 ? null : entry, state.Find(entry.Name));
                Assert.Null(state.Find(entry.Name + "\0"));
            }

            foreach (SyncStateEntry entry in entries.Where((_, i) => run != 1 || i % 3 == 0))
            {
                state.Add(entry);
            }

            state.Save(isComplete: run != 1);
        }

        static SyncMark Mark(int i, string? etag) => new(i, etag, etag is null ? i * 3L : 0, etag is null ? i * 5L : 0, etag is null ? (ulong)i : 0);
    }

    /// <summary>Sets the clock to the real time, so that files that were just created are new.</summary>
    private void Now() => Time.Advance(DateTimeOffset.UtcNow - Time.GetUtcNow());

    private List<SyncStateEntry> ReadState()
    {
        using FileStream file = File.OpenRead(Assert.Single(Directory.GetFiles(State, "*.sync")));
        return [.. SyncStateFile.Read(file)];
    }

    /// <summary>Gives the file that the state has under a name the mark that the file has now, as if its change had left no trace.</summary>
    private void Forget(string name, string path)
    {
        SyncMark now = SyncMark.OfFile(Transfer.S3.Files.FileIdentity.At(path, followsLinks: false))!;
        SyncStateEntry[] entries = [.. ReadState().Select(entry => entry.Name != name ? entry : entry.Source.ETag is null ? entry with { Source = now } : entry with { Target = now })];
        using FileStream file = File.Create(Assert.Single(Directory.GetFiles(State, "*.sync")));
        SyncStateFile.Write(file, entries);
    }

    private SyncPair NewOpaquePair(SyncDirection direction, Dictionary<string, string> source, Dictionary<string, string> target)
    {
        SyncPair pair = new(direction, new FakeS3 { PageSize = 7 }, s3 => NewClient(s3.Client, options => options.StateDirectory = State));
        pair.Store.HasMd5Tags = pair.Target.HasMd5Tags = false;
        pair.Store.HasOpaqueTags = pair.Target.HasOpaqueTags = true;
        pair.SetSource(source);
        pair.SetTarget(target);
        return pair;
    }

    private static async Task<string[]> ShowAsync(SyncPair pair, SyncOptions options)
        => [.. (await pair.PlanAsync(options)).Select(action => $"{action.Status switch { OutcomeStatus.Planned => action.Operation.ToString(), var status => status.ToString() }} {action.Name}: {action.Reason}")];
}
