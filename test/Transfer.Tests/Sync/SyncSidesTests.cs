using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Sync;

/// <summary>The sides of a synchronization.</summary>
public sealed class SyncSidesTests : TransferTest
{
    private const int Files = 2500;

    [Fact]
    public async Task Folder_IsReadWhileItsFirstEntryIsUsed()
    {
        for (int i = 0; i < 20; i++)
        {
            File.WriteAllText(Path.Combine(Folder.Path, $"file-{i:D2}"), string.Empty);
        }

        string own = Path.Combine(Folder.Path, "z");
        File.WriteAllText(own, string.Empty);
        TaskCompletionSource reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
        LogLines log = new() { Added = _ => reached.TrySetResult() };
        using Microsoft.Extensions.Logging.LoggerFactory factory = new([log]);

        await foreach (TreeEntry entry in Read(NewClient(o => (o.OwnFiles, o.LoggerFactory) = ([own], factory)), CancellationToken.None))
        {
            Assert.Equal("file-00", entry.Name);
            await reached.Task.Within();
            break;
        }
    }

    [Fact]
    public async Task Folder_OfAnySize_IsReadCompletelyAndInOrder()
    {
        for (int i = 0; i < Files; i++)
        {
            string path = Path.Combine(Folder.Path, $"{i / 500}");
            Directory.CreateDirectory(path);
            File.WriteAllText(Path.Combine(path, $"{i:D4}"), string.Empty);
        }

        List<string> names = [];
        await foreach (TreeEntry entry in Read(NewClient(), CancellationToken.None))
        {
            names.Add(entry.Name);
        }

        IEnumerable<string> folders = Enumerable.Range(0, Files / 500).Select(static folder => $"{folder}/");
        Assert.Equal(folders.Concat(Enumerable.Range(0, Files).Select(static i => $"{i / 500}/{i:D4}")).Order(StringComparer.Ordinal), names);
    }

    [Fact]
    public async Task Folder_Canceled_EndsThere()
    {
        File.WriteAllText(Path.Combine(Folder.Path, "file"), string.Empty);
        using CancellationTokenSource canceled = new();
        await canceled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (TreeEntry _ in Read(NewClient(), canceled.Token))
            {
                Assert.Fail("nothing is returned");
            }
        });
    }

    /// <summary>What isn't known about a file selects nothing, neither as an old file nor as a new one.</summary>
    [Fact]
    public void File_WithoutATime_IsSelectedByNoTime()
    {
        DateTimeOffset at = DateTimeOffset.UnixEpoch;
        foreach (ObjectFilter times in (ObjectFilter[])[new() { ModifiedBefore = at }, new() { ModifiedSince = at }])
        {
            using Pairing pair = Pairing.Plan(NewClient().Context, null, Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket), new DirectoryOptions { Filter = times }, PairingUse.Sync);

            Assert.False(pair.IsSelected(new TreeEntry("a", 1) { Path = Folder.File("a") }));
        }
    }

    private IAsyncEnumerable<TreeEntry> Read(TransferClient client, CancellationToken cancellationToken)
        => new FolderSide(client.Context, Folder.Path, new ObjectAddress("bucket", "prefix/")).ReadAsync(new SideReading(PathFilter.All), cancellationToken);
}
