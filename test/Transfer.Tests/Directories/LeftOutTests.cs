using Microsoft.Extensions.Logging;
using Transfer.S3.Files;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Verify;

namespace Transfer.S3.Tests.Directories;

/// <summary>What is in a local directory and isn't content: files of transfers, and what the program writes itself. Every call leaves out the same.</summary>
public sealed class LeftOutTests : TransferTest, IDisposable
{
    private const string Id = "0123456789abcdef";
    private static readonly SyncOptions Deleting = new() { Delete = true, OnFailure = FailurePolicy.Continue };

    private readonly LogLines _log = new();
    private LoggerFactory? _factory;

    private string[] Warnings => [.. _log.Written.Where(line => line.StartsWith("Warning: ", StringComparison.Ordinal))];

    public void Dispose()
    {
        _factory?.Dispose();
        _log.Dispose();
    }

    [Theory]
    [InlineData("cp")]
    [InlineData("mv")]
    [InlineData("sync")]
    [InlineData("verify")]
    public async Task FilesOfTransfers_AreCountedAndLeftOut(string call)
    {
        string[] hidden = [HiddenFileName.OfFile("big", Id), HiddenFileName.OfJournal("big", Id), "d/" + HiddenFileName.Create("x")];
        Make(["a", "d/.b.transfer", .. hidden]);
        string stored = "p/" + HiddenFileName.OfFile("old", Id);
        S3.Put(stored, 1);
        Tag(call, "p/a", "p/d/.b.transfer");

        await RunAsync(call, []);

        Assert.Equal([stored, "p/a", "p/d/.b.transfer"], S3.Objects.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(call == "mv" ? 3 : 5, Directory.GetFiles(Folder.Path, "*", SearchOption.AllDirectories).Length);
        Assert.All(hidden, name => Assert.True(File.Exists(Folder.File(name))));
        string[] counts = call is "verify" or "sync" ? ["left out: 3,", "left out: 1,"] : ["left out: 3,"]; // each side that is read has its count
        Assert.Equal(counts.Length, Warnings.Length);
        Assert.All(counts, count => Assert.Contains(Warnings, warning => warning.Contains(count, StringComparison.Ordinal)));
    }

    /// <summary>A synchronization removes what an interrupted download has left at its target, and neither downloads nor touches what a running one uses.</summary>
    [UnixFact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task SyncDownload_DeletesOnlyFilesOfTransfersThatNobodyUses()
    {
        Make("a", HiddenFileName.OfFile("old", Id), HiddenFileName.OfJournal("old", Id), HiddenFileName.OfFile("big", Id), HiddenFileName.OfJournal("big", Id));
        foreach (string path in Directory.GetFiles(Folder.Path))
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        Tag("sync", "p/a");
        S3.Put("p/" + HiddenFileName.OfFile("other", Id), 1);
        using LocalFolder folder = LocalFolder.Open(Folder.Path);
        using (PrivateFile.TryOpen(folder, HiddenFileName.OfJournal("big", Id), create: false, locked: true))
        {
            DirectoryResult result = await NewClient([]).SyncAsync(Place.InBucket(FakeS3.Bucket, "p"), Place.InDirectory(Folder.Path), Deleting).Within();

            Assert.EachEqual((2, 1, 0, 0), (result.Counts.Deleted, result.Counts.Same, result.Counts.Failed, result.Counts.Copied));
        }

        Assert.Equal([HiddenFileName.OfFile("big", Id), HiddenFileName.OfJournal("big", Id), "a"], Directory.GetFiles(Folder.Path).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        Assert.True((await NewClient([]).VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p")).Within()).Counts.IsComplete);
    }

    /// <summary>A file of the program is recognized by what it is: also by another name of it, and through a link.</summary>
    [UnixTheory]
    [InlineData("cp", false)]
    [InlineData("mv", false)]
    [InlineData("sync", false)]
    [InlineData("verify", false)]
    [InlineData("cp", true)]
    [InlineData("mv", true)]
    [InlineData("sync", true)]
    [InlineData("verify", true)]
    public async Task OwnFiles_AreLeftOut(string call, bool isElsewhere)
    {
        using TemporaryFolder elsewhere = new();
        Make("a", "d/report");
        string own = Folder.File("d/../d/report");
        if (isElsewhere)
        {
            own = elsewhere.File("report", "x"u8.ToArray());
            File.Delete(Folder.File("d/report"));
            System.Diagnostics.Process.Start("ln", [own, Folder.File("d/report")]).WaitForExit();
            File.CreateSymbolicLink(Folder.File("link"), own);
        }

        Tag(call, "p/a");

        await RunAsync(call, [own]);

        Assert.Equal(["p/a"], S3.Objects.Keys.Order(StringComparer.Ordinal));
        Assert.True(File.Exists(Folder.File("d/report")));
        Assert.Empty(Warnings);
    }

    [Fact]
    public async Task OwnFiles_AreNeitherReplacedNorDeleted()
    {
        Make("report", "log", "gone");
        S3.Put("p/report", 5);
        TransferClient client = NewClient([Folder.File("report"), Folder.File("log")]);

        DirectoryResult synced = await client.SyncAsync(Place.InBucket(FakeS3.Bucket, "p"), Place.InDirectory(Folder.Path), Deleting with { DeleteDespiteFailures = true, MaxDelete = DeletionLimit.Percent(100) }).Within();
        DirectoryResult copied = await client.DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.EachEqual((1, 1, 0), (synced.Counts.Conflicts, synced.Counts.Deleted, synced.Counts.Copied));
        Assert.Contains("writes the file itself", Assert.Single(copied.Failures).Error!.Message, StringComparison.Ordinal);
        Assert.All(["report", "log"], name => Assert.Equal("x", File.ReadAllText(Folder.File(name))));
        Assert.False(File.Exists(Folder.File("gone")));
    }

    [UnixTheory]
    [InlineData("cp")]
    [InlineData("sync")]
    [InlineData("verify")]
    public async Task LinksToNothing_AreLeftOutWithAWarning(string call)
    {
        Make("a");
        Tag(call, "p/a");
        File.CreateSymbolicLink(Folder.File("link"), "nowhere");
        File.CreateSymbolicLink(Folder.File("other"), "a/b"); // a file isn't a directory

        await RunAsync(call, []);

        Assert.Equal(["p/a"], S3.Objects.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(2, Warnings.Length);
        Assert.Contains("symbolic link to something that doesn't exist", Warnings[0], StringComparison.Ordinal);
        Assert.Contains("2 symbolic links", Warnings[1], StringComparison.Ordinal);
    }

    /// <summary>Only a link whose target is known to be missing is left out.</summary>
    [UnixFact]
    public async Task LinkThatLeadsInACircle_IsAFailure()
    {
        Make("a");
        File.CreateSymbolicLink(Folder.File("link"), "link");

        DirectoryResult result = await NewClient([]).UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.Equal("link", Assert.Single(result.Failures).Name);
    }

    private async Task RunAsync(string call, string[] own)
    {
        TransferClient client = NewClient(own);
        switch (call)
        {
            case "cp":
                Assert.True((await client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p").Within()).Counts.Copied > 0);
                break;
            case "mv":
                DirectoryOptions moving = new() { DeleteSource = true, SymbolicLinks = SymbolicLinks.Skip };
                Assert.True((await client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", moving).Within()).Counts.Copied > 0);
                break;
            case "sync":
                Assert.True((await client.SyncAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), Deleting).Within()).Counts.IsComplete);
                break;
            default:
                DirectoryResult result = await client.VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p")).Within();
                Assert.True(result.Counts.IsComplete, string.Join(" ", result.Failures));
                break;
        }
    }

    private TransferClient NewClient(string[] own)
    {
        _factory ??= new LoggerFactory([_log]);
        return NewClient(options => (options.OwnFiles, options.LoggerFactory) = (own, _factory));
    }

    /// <summary>Stores what a comparison needs.</summary>
    private void Tag(string call, params string[] keys)
    {
        foreach (string key in call is "verify" or "sync" ? keys : [])
        {
            S3.Objects[key] = new FakeObject("x"u8.ToArray(), Sums.Tag("x"u8.ToArray()));
        }
    }

    private void Make(params string[] names)
    {
        foreach (string name in names)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Folder.File(name))!);
            File.WriteAllText(Folder.File(name), "x");
        }
    }
}
