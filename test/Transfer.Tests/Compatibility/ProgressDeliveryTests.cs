using System.Collections.Concurrent;
using Amazon.S3.Transfer;
using Amazon.Util;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests.Compatibility;

/// <summary>Which progress events a caller has received when the call returns.</summary>
public sealed class ProgressDeliveryTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    public static TheoryData<string> Calls => ["upload", "upload in parts", "download", "download in parts", "upload directory", "download directory"];

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task LastEvent_PrecedesTheCompletedEvent(string call)
    {
        // Other work in the SDK's queue must not matter, because the whole process shares it.
        Gate gate = new();
        AWSSDKUtils.InvokeInBackground<EventArgs>((_, _) => gate.PassAsync(CancellationToken.None).Block(), EventArgs.Empty, this);
        ConcurrentQueue<string> heard = new();

        await RunAsync(call, percent => heard.Enqueue($"{percent} %"), () => heard.Enqueue("completed")).Within();
        string[] atTheEnd = [.. heard];
        gate.Open();

        Assert.Equal(["100 %", "completed"], atTheEnd[^2..]);
        Assert.Single(atTheEnd, "100 %");
    }

    [Theory]
    [InlineData("upload in parts")]
    [InlineData("download in parts")]
    public async Task Parts_AreReportedWhenTheyComplete(string call)
    {
        ConcurrentQueue<int> heard = new();

        await RunAsync(call, heard.Enqueue, () => { }).Within();

        Assert.InRange(heard.Count, 3, 4); // the clock doesn't advance, so there is one event for each part, and one for 100 KiB of the download
        Assert.Equal(heard.Order(), heard);
        Assert.All(heard.SkipLast(1), percent => Assert.InRange(percent, 1, 99));
    }

    [Theory]
    [InlineData("upload in parts", 3 * Part)]
    [InlineData("download in parts", 3 * 64 * 1024)]
    public async Task Bytes_AreReportedAsOftenAsBySdk(string call, int length)
    {
        S3.ReceiveAsync = (_, _, _) => Task.CompletedTask; // bodies are read in small pieces
        int heard = 0;

        await RunAsync(call, _ => heard++, () => { }, concurrency: 1).Within(); // two parts that move on at the same moment raise one event

        Assert.InRange(heard, length / (int)AWSSDKUtils.DefaultProgressUpdateInterval, (length / (int)AWSSDKUtils.DefaultProgressUpdateInterval) + 4);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task SlowListener_IsAwaited(string call)
    {
        Gate gate = new();
        Task running = RunAsync(call, _ => gate.PassAsync(CancellationToken.None).Block(), () => { });
        await gate.Reached;

        await Deadline.Until(() => Time.Delays.Contains(ListenerQueue.Patience)); // only the listener is not complete
        Assert.False(running.IsCompleted);
        gate.Open();

        await running.Within();
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task ListenerThatWaitsForTheCall_DelaysItOnlyUntilTheLimit(string call)
    {
        TaskCompletionSource returned = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Gate reached = new();
        Task running = RunAsync(
            call,
            percent =>
            {
                _ = reached.PassAsync(CancellationToken.None);
                returned.Task.Block();
            },
            () => { });
        await reached.Reached;
        await Time.AdvanceToTimerAsync(ListenerQueue.Patience);

        await running.Within();
        returned.SetResult();
    }

    [Fact]
    public async Task Listeners_OfAllTransfers_RunSequentially()
    {
        int running = 0;
        int atOnce = 0;
        int calls = 0;

        await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => RunAsync("upload", Listen, () => { }))).Within();

        Assert.EachEqual((20, 1), (calls, atOnce));

        void Listen(int percent)
        {
            atOnce = Math.Max(atOnce, Interlocked.Increment(ref running));
            calls++;
            Thread.Yield();
            Interlocked.Decrement(ref running);
        }
    }

    [Theory]
    [InlineData("upload in parts")]
    [InlineData("download in parts")]
    public async Task ListenerThatThrows_OthersAreStillCalled(string call)
    {
        List<int> heard = [];

        await RunAsync(call, heard.Add, () => { }, _ => throw new InvalidOperationException("a listener")).Within();

        Assert.InRange(heard.Count, 3, 4);
    }

    [Theory]
    [InlineData("upload in parts")]
    [InlineData("download in parts")]
    public async Task Failure_IsReportedAfterEarlierProgress(string call)
    {
        S3.Before = (asked, _) => asked.Part == 2 || asked.First > 0 ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        ConcurrentQueue<string> heard = new();

        await Assert.ThrowsAnyAsync<Amazon.Runtime.AmazonServiceException>(
            () => RunAsync(call, percent => heard.Enqueue("progress"), () => heard.Enqueue("completed"), null, () => heard.Enqueue("failed")).Within());

        Assert.Equal("failed", heard.Last());
        Assert.Single(heard, "failed");
    }

    private async Task RunAsync(string call, Action<int> progress, Action completed, Action<int>? before = null, Action? failed = null, int concurrency = 2)
    {
        TransferClient client = NewClient(options => (options.MaxConcurrency, options.ProgressInterval) = (concurrency, TimeSpan.FromHours(1)));
        Time.SkipDelaysBelow = TimeSpan.Zero;
        using TransferUtilityAdapter adapter = new(client);
        string name = Guid.NewGuid().ToString();
        switch (call)
        {
            case "upload" or "upload in parts":
                TransferUtilityUploadRequest upload = new() { BucketName = FakeS3.Bucket, Key = name, InputStream = new MemoryStream(Sample.Bytes(call == "upload" ? 100 : 3 * Part)) };
                upload.UploadProgressEvent += (_, e) => before?.Invoke(e.PercentDone);
                upload.UploadProgressEvent += (_, e) => progress(e.PercentDone);
                upload.UploadCompletedEvent += (_, _) => completed();
                upload.UploadFailedEvent += (_, _) => failed?.Invoke();
                await adapter.UploadAsync(upload);
                break;
            case "download" or "download in parts":
                S3.Put(name, call == "download" ? 100 : 3 * 64 * 1024);
                TransferUtilityDownloadRequest download = new() { BucketName = FakeS3.Bucket, Key = name, FilePath = Folder.File(name) };
                download.WriteObjectProgressEvent += (_, e) => before?.Invoke(e.PercentDone);
                download.WriteObjectProgressEvent += (_, e) => progress(e.PercentDone);
                download.DownloadCompletedEvent += (_, _) => completed();
                download.DownloadFailedEvent += (_, _) => failed?.Invoke();
                await adapter.DownloadAsync(download);
                break;
            case "upload directory":
                string directory = Directory.CreateDirectory(Folder.File(name)).FullName;
                await File.WriteAllBytesAsync(Path.Combine(directory, "a"), [1]);
                await File.WriteAllBytesAsync(Path.Combine(directory, "b"), [1]);
                TransferUtilityUploadDirectoryRequest uploads = new() { BucketName = FakeS3.Bucket, KeyPrefix = name, Directory = directory };
                uploads.UploadDirectoryProgressEvent += (_, e) => progress(e.NumberOfFilesUploaded * 50);
                uploads.UploadDirectoryCompletedEvent += (_, _) => completed();
                await adapter.UploadDirectoryAsync(uploads);
                break;
            default:
                S3.Put(name + "/a", 1);
                S3.Put(name + "/b", 1);
                TransferUtilityDownloadDirectoryRequest downloads = new() { BucketName = FakeS3.Bucket, S3Directory = name, LocalDirectory = Folder.File(name) };
                downloads.DownloadedDirectoryProgressEvent += (_, e) => progress(e.NumberOfFilesDownloaded * 50);
                downloads.DownloadDirectoryCompletedEvent += (_, _) => completed();
                await adapter.DownloadDirectoryAsync(downloads);
                break;
        }
    }
}
