using System.Collections.Concurrent;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

public sealed class ProgressTests : TransferTest
{
    private const int Part = 64 * 1024;

    [Fact]
    public async Task Download_Listened_InOrderMonotonicAndOneFinalReport()
    {
        S3.Put(5 * Part);
        Recorder recorder = new();
        TransferClient client = NewClient();
        S3.Before = (call, _) =>
        {
            Time.Advance(TimeSpan.FromMilliseconds(200));
            return Task.CompletedTask;
        };

        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Events = recorder.Events }, recorder).Within();

        recorder.CheckEnded("Completed");
        Assert.EachEqual((5 * Part, 5 * Part, 5, 5), (recorder.Last.BytesTransferred, recorder.Last.TotalBytes, recorder.Last.PartsCompleted, recorder.Last.TotalParts));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(Part)]
    public async Task Download_OfAHintedObjectOfOneRange_HasItsTotals(int length)
    {
        S3.Put(length);
        Recorder recorder = new();

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Hint = new ObjectHint { Length = length } }, recorder).Within();

        Assert.EachEqual((length, length, TimeSpan.Zero), (recorder.Last.BytesTransferred, recorder.Last.TotalBytes, recorder.Last.Remaining));
        Assert.EachEqual((1, 1), (recorder.Last.PartsCompleted, recorder.Last.TotalParts));
    }

    [Theory]
    [InlineData(2 * Part)]
    [InlineData((5 * Part) + 1)]
    [InlineData(9 * Part)]
    public async Task Object_ReplacedMeanwhile_IsCountedOnce_AndReportsDoNotGoBack(int length)
    {
        const int kept = 3;
        S3.Put(5 * Part);
        byte[] now = Sample.Bytes(length, 7);
        Recorder recorder = new();
        Recorder ofObject = new();
        S3.Before = async (call, token) =>
        {
            if (call.IfMatch is not null && call.First == kept * Part && S3.Objects[FakeS3.Key].Content.Length == 5 * Part)
            {
                await Deadline.Until(() => S3.BytesRead >= kept * Part);
                Time.Advance(TimeSpan.FromMilliseconds(200));
                S3.Objects[FakeS3.Key] = FakeObject.Checked(now) with { ETag = "\"11111111111111111111111111111111\"" };
            }
        };
        DirectoryOptions options = new() { Download = new DownloadOptions { Events = ofObject.Events, MaxConcurrency = 1, Resume = false } };

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, options, recorder).Within();

        Assert.Equal(now, await File.ReadAllBytesAsync(Folder.File(FakeS3.Key)));
        Assert.EachEqual((length, length, length), (result.Counts.Bytes, recorder.Last.BytesTransferred, recorder.Last.TotalBytes));
        ofObject.CheckEnded("Completed");
        Assert.EachEqual((length, length), (ofObject.Final.BytesTransferred, ofObject.Final.TotalBytes));
        Assert.InRange(ofObject.Final.PartsCompleted, length / Part, (length + Part - 1) / Part);
        Assert.Equal(ofObject.Final.TotalParts, ofObject.Final.PartsCompleted);
        Assert.Equal(length < kept * Part ? 1 : 0, recorder.Faults.Count); // only the last report can be less
    }

    [Fact]
    public async Task Download_ThatBeginsAgainInOnePiece_IsCountedOnce()
    {
        byte[] content = S3.Put(4 * Part);
        Recorder recorder = new();
        S3.Before = async (call, token) =>
        {
            if (call.First == 0)
            {
                await Deadline.Until(() => S3.BytesRead >= 3 * Part);
                S3.IgnoresRanges = true;
            }
        };
        DownloadOptions options = new() { Hint = new ObjectHint { Length = 4 * Part }, Events = recorder.Events };

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("a"), options, recorder).Within();

        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("a")));
        recorder.CheckEnded("Completed");
        Assert.EachEqual((4 * Part, 4 * Part, 1, 1, 1), (recorder.Last.BytesTransferred, recorder.Last.TotalBytes, recorder.Last.PartsCompleted, recorder.Last.TotalParts, result.Parts));
    }

    [Fact]
    public async Task Upload_Listened_InOrderMonotonicAndOneFinalReport()
    {
        const int part = 5 * 1024 * 1024;
        Recorder recorder = new();
        TransferClient client = NewClient();
        S3.Before = (_, _) =>
        {
            Time.Advance(TimeSpan.FromMilliseconds(200));
            return Task.CompletedTask;
        };

        await client.UploadAsync(
            new ScriptedStream(Sample.Bytes((2 * part) + 1)), FakeS3.Bucket, FakeS3.Key, new UploadOptions { Events = recorder.Events }, recorder).Within();

        recorder.CheckEnded("Completed");
        Assert.EachEqual(((2 * part) + 1, (2 * part) + 1, 3, 3), (recorder.Last.BytesTransferred, recorder.Last.TotalBytes, recorder.Last.PartsCompleted, recorder.Last.TotalParts));
    }

    [Theory]
    [InlineData(100_000)]
    [InlineData(16 * 1024 * 1024)]
    public async Task Upload_CountsBytesAsTheyAreSent_AndWhatIsConfirmed(int length)
    {
        const int part = 5 * 1024 * 1024;
        Gate gate = new();
        int received = 0;
        S3.ReceiveAsync = (_, count, token) => Interlocked.Add(ref received, count) > length / 2 ? gate.PassAsync(token) : Task.CompletedTask;
        Recorder recorder = new();
        TransferHandle handle = new();

        Task<UploadResult> upload = NewClient().UploadAsync(
            new MemoryStream(Sample.Bytes(length)), FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = 1, Handle = handle, Events = recorder.Events }, recorder);
        await gate.Reached;
        TransferProgress half = handle.Progress;
        gate.Open();
        await upload.Within();

        Assert.InRange(half.BytesTransferred, length / 2, (length / 2) + FakeS3.PieceBytes);
        Assert.Equal(length > part ? part : 0, half.BytesConfirmed);
        recorder.CheckEnded("Completed");
        Assert.EachEqual((length, length, length), (recorder.Last.BytesTransferred, recorder.Last.BytesConfirmed, recorder.Last.TotalBytes));
    }

    [Fact]
    public async Task Upload_PartThatIsSentAgain_CountsOnce()
    {
        const int part = 5 * 1024 * 1024;
        int received = 0;
        Recorder recorder = new();
        TransferHandle handle = new();
        List<long> sent = [];
        S3.ReceiveAsync = (_, count, _) =>
        {
            sent.Add(handle.Progress.BytesTransferred);
            received += count;
            return received == 1024 * 1024 ? throw FakeS3.Error(System.Net.HttpStatusCode.InternalServerError, "InternalError") : Task.CompletedTask;
        };

        UploadResult result = await NewClient().UploadAsync(
            new MemoryStream(Sample.Bytes(2 * part)), FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = 1, Handle = handle, Events = recorder.Events }, recorder).Within();

        Assert.EachEqual((1, 2 * part, 2 * part), (result.Statistics.Retries, result.Statistics.BytesTransferred, sent[^1]));
        Assert.Equal(sent.Order(), sent);
        Assert.Equal(17, sent.Count(bytes => bytes == 1024 * 1024)); // it stays the same until the retry has caught up
        recorder.CheckEnded("Completed");
    }

    [Fact]
    public async Task Nothing_Moves_TheRateFallsAndThenNothingIsReported()
    {
        const int part = 5 * 1024 * 1024;
        Gate gate = new();
        S3.ReceiveAsync = (_, _, token) => gate.PassAsync(token);
        ConcurrentQueue<TransferProgress> reports = [];
        Task<UploadResult> upload = NewClient().UploadAsync(
            new MemoryStream(new byte[part + 1]), FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = 1 }, new Listener(reports.Enqueue));
        await gate.Reached;

        for (int i = 0; i < 25; i++)
        {
            int before = reports.Count;
            Time.Advance(TimeSpan.FromMilliseconds(200));
            bool isNews = i < 16; // the rate is that of the last three seconds
            await (isNews ? Deadline.Until(() => reports.Count > before) : Task.CompletedTask);
        }

        Assert.EachEqual((FakeS3.PieceBytes, 0d), (reports.Last().BytesTransferred, reports.Last().BytesPerSecond));
        Assert.InRange(reports.Count, 16, 18);
        gate.Open();
        await upload.Within();
    }

    [Fact]
    public async Task Failure_Listened_FailedCarriesTheErrorThatTheCallThrows()
    {
        S3.Put(5 * Part);
        Recorder recorder = new();

        NotSupportedException error = await Assert.ThrowsAsync<NotSupportedException>(() => NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, new MemoryStream(new byte[Part]), new DownloadOptions { Events = recorder.Events }, recorder).Within());

        recorder.CheckEnded("Failed");
        Assert.Same(error, recorder.Error);
    }

    [Fact]
    public async Task Cancellation_Listened_FailedCarriesIt()
    {
        S3.Put(5 * Part);
        Recorder recorder = new();
        using CancellationTokenSource cancel = new();
        S3.Before = (_, _) => cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Events = recorder.Events }, recorder, cancel.Token).Within());

        recorder.CheckEnded("Failed");
        Assert.IsAssignableFrom<OperationCanceledException>(recorder.Error);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task OpenRead_ReadToTheEndOrGivenUp_OneEnd(bool toTheEnd)
    {
        S3.Put(5 * Part);
        Recorder recorder = new();
        ObjectReadStream stream = await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Events = recorder.Events }).Within();
        if (toTheEnd)
        {
            await stream.CopyToAsync(Stream.Null).Within();
        }

        await stream.DisposeAsync().Within();

        recorder.CheckEnded(toTheEnd ? "Completed" : "Failed");
    }

    [Theory]
    [InlineData("Completed")]
    [InlineData("Failed")]
    [InlineData("Disposed")]
    public async Task OpenWrite_HoweverItEnds_OneEnd(string end)
    {
        const int part = 5 * 1024 * 1024;
        Recorder recorder = new();
        Recorder ofClient = new();
        S3.Before = (call, _) =>
        {
            Time.Advance(TimeSpan.FromMilliseconds(200));
            return end == "Failed" && call.Operation == S3Call.Complete ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        };
        ObjectWriteStream stream = await NewClient(o => o.Events = ofClient.Events)
            .OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, new UploadOptions { Events = recorder.Events }).Within();
        await stream.WriteAsync(new byte[(2 * part) + 1]).Within();
        Exception? error = end == "Disposed" ? null : await Record.ExceptionAsync(() => stream.CompleteAsync().Within());
        await stream.DisposeAsync().AsTask().Within();

        recorder.CheckEnded(end == "Completed" ? end : "Failed");
        ofClient.CheckEnded(end == "Completed" ? end : "Failed");
        if (end == "Disposed")
        {
            Assert.IsType<OperationCanceledException>(recorder.Error);
        }
        else
        {
            Assert.Same(error, recorder.Error);
            Assert.Equal(
                ((2 * part) + 1, (2 * part) + 1, 3, 3),
                (recorder.Final.BytesTransferred, recorder.Final.TotalBytes, recorder.Final.PartsCompleted, recorder.Final.TotalParts));
        }
    }

    [Fact]
    public async Task Listener_Blocks_TheTransferGoesOnAndNobodyElseIsCalledMeanwhile()
    {
        S3.Put(5 * Part);
        Gate gate = new();
        Recorder recorder = new() { AtInitiated = () => gate.PassAsync(CancellationToken.None).Block() };
        MemoryStream target = new();
        Task<DownloadResult> downloading = NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Events = recorder.Events }, recorder);
        await gate.Reached;

        await Deadline.Until(() => target.Length == 5 * Part);
        Assert.False(downloading.IsCompleted);
        Time.Advance(TimeSpan.FromSeconds(5));
        gate.Open();

        await downloading.Within();
        recorder.CheckEnded("Completed");
    }

    [Fact]
    public async Task Listener_Throws_Ignored()
    {
        byte[] content = S3.Put(5 * Part);
        Recorder recorder = new() { Fault = new InvalidOperationException("listener") };
        MemoryStream target = new();

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Events = recorder.Events }, recorder).Within();

        Assert.Equal(content, target.ToArray());
        recorder.CheckEnded("Completed");
    }

    [Fact]
    public async Task Events_OfClientAndTransfer_BothAreToldOnce()
    {
        S3.Put(10);
        Recorder ofClient = new();
        Recorder ofTransfer = new();
        TransferClient client = NewClient(o => o.Events = ofClient.Events);

        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Events = ofTransfer.Events }).Within();
        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Events = ofClient.Events }).Within();

        ofTransfer.CheckEnded("Completed");
        Assert.Equal(2, ofClient.Names.Count(name => name == "Completed"));
    }

    private sealed class Listener(Action<TransferProgress> report) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => report(value);
    }

    /// <summary>Listens in every way there is, and fails where two calls overlap or go backwards.</summary>
    private sealed class Recorder : IProgress<TransferProgress>
    {
        private int _inside;
        private int _finals;

        public Recorder()
        {
            Events = new TransferEvents();
            Events.Initiated += (_, e) => Enter("Initiated", e, AtInitiated);
            Events.Progressed += (_, e) => Enter("Progressed", e, null);
            Events.Completed += (_, e) => Enter("Completed", e, null);
            Events.Failed += (_, e) => Enter("Failed", e, null);
        }

        public TransferEvents Events { get; }

        public ConcurrentQueue<string> Names { get; } = [];

        public ConcurrentQueue<string> Faults { get; } = [];

        public Action? AtInitiated { get; init; }

        public Exception? Fault { get; init; }

        public TransferProgress Last { get; private set; }

        /// <summary>What the last event told.</summary>
        public TransferProgress Final { get; private set; }

        public Exception? Error { get; private set; }

        public void Report(TransferProgress value)
        {
            if (value.BytesTransferred < Last.BytesTransferred || value.PartsCompleted < Last.PartsCompleted || value.BytesConfirmed > value.BytesTransferred)
            {
                Faults.Enqueue($"{value} after {Last}");
            }

            if (value.BytesTransferred == value.TotalBytes && value.PartsCompleted == value.TotalParts)
            {
                _finals++;
            }

            Last = value;
            if (Fault is not null)
            {
                throw Fault;
            }
        }

        public void CheckEnded(string end)
        {
            Assert.Empty(Faults);
            Assert.Equal("Initiated", Names.First());
            Assert.Equal(end, Names.Last());
            Assert.Single(Names, "Initiated");
            Assert.Single(Names, end);
            Assert.All(Names.Skip(1).SkipLast(1), name => Assert.Equal("Progressed", name));
            Assert.InRange(_finals, 0, 2); // the last one again where an interval ended just before it
        }

        private void Enter(string name, TransferEventArgs e, Action? action)
        {
            if (Interlocked.Exchange(ref _inside, 1) != 0)
            {
                Faults.Enqueue($"{name} while another ran");
            }

            Names.Enqueue(name);
            Final = e.Progress;
            Error = e.Error ?? Error;
            if ((e.Bucket, e.Key) != (FakeS3.Bucket, FakeS3.Key))
            {
                Faults.Enqueue($"{name} of {e.Bucket}/{e.Key}");
            }

            action?.Invoke();
            Volatile.Write(ref _inside, 0);
            if (Fault is not null)
            {
                throw Fault;
            }
        }
    }
}
