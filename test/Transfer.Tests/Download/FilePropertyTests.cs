using Microsoft.Win32.SafeHandles;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Download;

/// <summary>Properties of a downloaded file other than its content.</summary>
public sealed class FilePropertyTests : TransferTest
{
    private const int Part = 64 * 1024;

    private static readonly DateTime LastModified = new(2020, 3, 4, 5, 6, 7, DateTimeKind.Utc);

    [Fact]
    public async Task FileMode_OutOfRange_RejectedWithoutARequest()
    {
        ArgumentOutOfRangeException e = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, Folder.File("target"), new DownloadOptions { FileMode = (UnixFileMode)4096 }).Within());

        Assert.Contains("FileMode is 4096", e.Message, StringComparison.Ordinal);
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task KeepLastModified_SetsTheTimeOfTheObject(bool keep)
    {
        S3.Put(2 * Part);
        S3.Answer = (_, answer) => answer.LastModified = LastModified;

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target"), new DownloadOptions { KeepLastModified = keep }).Within();

        Assert.Equal(keep, File.GetLastWriteTimeUtc(Folder.File("target")) == LastModified);
    }

    [Fact]
    public async Task FlushToDisk_CreatesTheFile()
    {
        byte[] content = S3.Put(2 * Part);

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("new/folder/target"), new DownloadOptions { FlushToDisk = true }).Within();

        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("new/folder/target")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void FlushToDisk_FlushesContentBeforeRenameThenFolders(bool flushes)
    {
        string target = Folder.File("new/folder/target");
        TransferReporter reporter = NewReporter();
        RecordingFlush flush = new(target, Time);
        FileTarget file = new(target, Overwrite: true, flushes, Mode: null, KeepLastModified: false);
        using PartialFile partial = new(file, new DownloadRequest(new ObjectAddress(FakeS3.Bucket, FakeS3.Key), Part, 1, null, Verify: true), "store");
        using PartWindow window = new(new RequestQueue(1, TimeProvider.System), new TransferFlow(RequestDirection.Download), 1, isFixed: true);
        using FileSink sink = new(NewPool(), file, partial, window, flush, reporter);

        sink.Open(10, "\"etag\"");
        sink.Publish(new ObjectInfo { Length = 10 });

        string[] expected =
        [
            "content, no name", $"{Path.GetDirectoryName(target)}, named", $"{Folder.File("new")}, named", $"{Folder.Path}, named",
        ];
        Assert.Equal(flushes ? expected : [], flush.Calls);
        Assert.Equal(TimeSpan.FromSeconds(flush.Calls.Count), reporter.Bottleneck.GetTimes().Disk);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task NotEnoughSpace_ThrowsBeforeAnyDataIsTransferred(bool withHint)
    {
        const long size = Sizes.MaxObject;
        S3.Put(Part);
        bool read = false;
        S3.Answer = (_, answer) => answer.ContentRange = $"bytes 0-{Part - 1}/{size}";
        S3.Body = (_, bytes) => new ScriptedStream(bytes)
        {
            Cue = _ =>
            {
                read = true;
                return Task.CompletedTask;
            },
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, Folder.File("target"), new DownloadOptions { Hint = withHint ? new ObjectHint { Length = size } : null }).Within());

        Assert.Contains("There is not enough space for 256 TiB", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((FakeS3.Key, withHint ? 0 : 1), (e.Key, S3.Calls.Count));
        Assert.False(read);
        Assert.Empty(Folder.Files);
    }

    /// <summary>Records flushes. Each takes a second.</summary>
    private sealed class RecordingFlush(string target, SteppedClock time) : IDiskFlush
    {
        public List<string> Calls { get; } = [];

        void IDiskFlush.File(SafeFileHandle handle) => Add("content");

        public void Folder(string path) => Add(path);

        private void Add(string what)
        {
            Calls.Add($"{what}, {Named()}");
            time.Advance(TimeSpan.FromSeconds(1));
        }

        private string Named() => File.Exists(target) ? "named" : "no name";
    }
}
