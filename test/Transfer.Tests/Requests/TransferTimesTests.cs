using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Requests;

/// <summary>What each time of a transfer counts. The clock moves only where the test says so, so the times are exact.</summary>
public sealed class TransferTimesTests : TransferTest
{
    private const int Part = 64 * 1024;
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(3);
    private static readonly DownloadOptions Unverified = new() { Verify = false };

    [Fact]
    public async Task Download_ResponseBeginsLate_IsFirstByte()
    {
        S3.Put(100);
        S3.Before = (_, _) => PassAsync();

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified).Within();

        Assert.Equal(new TransferTimes { FirstByte = Step, Bottleneck = Bottleneck.Latency }, result.Statistics.Times);
        Assert.Equal(Step, result.Statistics.Elapsed);
    }

    [Theory]
    [InlineData(true, Bottleneck.Network)]
    [InlineData(false, Bottleneck.Processor)]
    public async Task Download_BodyTakesTime_IsDataWhileTheNetworkIsWaitedFor(bool waits, Bottleneck expected)
    {
        S3.Put(100);
        S3.Body = (_, bytes) => waits
            ? new ScriptedStream(bytes) { CueAt = 50, CueWhenAwaited = () => Time.Advance(Step) }
            : new ScriptedStream(bytes) { CueAt = 50, Cue = _ => PassAsync() };

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("a"), Unverified).Within();

        Assert.Equal(new TransferTimes { Data = waits ? Step : default, Processing = waits ? default : Step, Bottleneck = expected }, result.Statistics.Times);
    }

    [Fact]
    public async Task Download_BodyBreaksOff_WhatWasWaitedIsData()
    {
        S3.Put(100);
        int calls = 0;
        S3.Body = (_, bytes) => Interlocked.Increment(ref calls) > 1 ? new ScriptedStream(bytes) : new ScriptedStream(bytes)
        {
            CueAt = 50,
            CueWhenAwaited = () =>
            {
                Time.Advance(Step);
                throw new IOException("broken for the test");
            },
        };

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified).Within();

        Assert.EachEqual((Step, TimeSpan.Zero, Time.Delays.Single()), (result.Statistics.Times.Data, result.Statistics.Times.Processing, result.Statistics.Times.Backoff));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Request_Fails_WaitBeforeTheRetryIsBackoff(bool isThrottled)
    {
        S3.Put(100);
        S3.Before = (call, _) => call.Number > 1 ? Task.CompletedTask : throw (isThrottled ? FakeS3.SlowDown("Retry-After", "5") : FakeS3.Busy());

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified).Within();

        TimeSpan delay = Time.Delays.Single();
        TransferTimes expected = isThrottled
            ? new TransferTimes { ThrottlingBackoff = delay, Bottleneck = Bottleneck.Throttling }
            : new TransferTimes { Backoff = delay, Bottleneck = Bottleneck.Retries };
        Assert.Equal(expected, result.Statistics.Times);
    }

    [Fact]
    public async Task Request_OtherTransferHasTheOnlySlot_IsWaitingForSlot()
    {
        S3.Put("a", 100);
        S3.Put("b", 100);
        Gate gate = new();
        S3.Before = (call, token) => call.Key == "a" ? gate.PassAsync(token) : Task.CompletedTask;
        TransferClient client = NewClient(options => options.MaxConcurrency = 1);
        Task first = client.DownloadAsync(FakeS3.Bucket, "a", new MemoryStream(), Unverified);
        await gate.Reached;
        Task<DownloadResult> second = client.DownloadAsync(FakeS3.Bucket, "b", new MemoryStream(), Unverified);
        await Deadline.Until(() => client.Context.Queue.Waiting == 1);

        Time.Advance(Step);
        gate.Open();

        await first.Within();
        Assert.Equal(new TransferTimes { WaitingForSlot = Step, Bottleneck = Bottleneck.None }, (await second.Within()).Statistics.Times);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Window_IsFull_IsWaitingForSlot(bool isFixed)
    {
        using PartWindow window = new(new RequestQueue(1, Time), new TransferFlow(RequestDirection.Download), 1, isFixed);
        TransferReporter reporter = NewReporter();
        await reporter.Times.EnterAsync(window, CancellationToken.None).AsTask().Within();
        Task waiting = reporter.Times.EnterAsync(window, CancellationToken.None).AsTask();
        Assert.False(waiting.IsCompleted);

        Time.Advance(Step);
        window.Fetched();
        window.Leave();

        await waiting.Within();
        Assert.Equal(Step, reporter.Bottleneck.GetTimes().WaitingForSlot);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Download_BudgetIsSpent_IsWaitingForMemory(bool isHinted)
    {
        S3.Put(100);
        TransferClient client = NewClient(options => options.MemoryBytes = 1 << 20);
        ChunkLease all = client.Context.Pool.TryLease(MemoryUse.Transient, (1 << 20) / client.Context.Pool.ChunkSize)!;
        Task<DownloadResult> download = client.DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, Folder.File("a"), Unverified with { Hint = isHinted ? new ObjectHint { Length = 100 } : null });

        Time.Advance(Step);
        all.Dispose();

        Assert.Equal(Step, (await download.Within()).Statistics.Times.WaitingForMemory);
    }

    [Fact]
    public async Task Upload_BudgetIsSpent_IsWaitingForMemory()
    {
        TransferClient client = NewClient();
        ChunkLease all = client.Context.Pool.TryLease(MemoryUse.Transient, (64 << 20) / client.Context.Pool.ChunkSize)!;
        Task<UploadResult> upload = client.UploadAsync(Sample.Sequence(Sample.Bytes(100), 50), FakeS3.Bucket, FakeS3.Key); // in small pieces, which are copied

        Time.Advance(Step);
        all.Dispose();

        Assert.Equal(Step, (await upload.Within()).Statistics.Times.WaitingForMemory);
    }

    /// <summary>The window has a place for one request and one complete part.</summary>
    [Fact]
    public async Task OrderedRead_ReaderHoldsTheParts_IsWaitingForReader()
    {
        ChunkPool pool = NewPool(chunkSize: 16);
        TransferReporter reporter = NewReporter();
        PartWindow window = new(new RequestQueue(8, Time), new TransferFlow(RequestDirection.Download), 1, isFixed: true);
        using PartBufferManager parts = await PartBufferManager.CreateAsync(pool, window, reporter, CancellationToken.None);
        parts.Open(48, null);
        await FillAsync(parts, await AdmitAsync(0), 0);
        await FillAsync(parts, await AdmitAsync(16), 16);
        ValueTask<PartReservation> third = parts.AdmitAsync(16, 16, CancellationToken.None);
        Assert.False(third.IsCompleted);

        Time.Advance(Step);
        Read();
        Read(); // the first part has been read when the reader goes on to the second
        await FillAsync(parts, await third.AsTask().Within(), 32);
        Assert.Equal(new TransferTimes { WaitingForReader = Step, Bottleneck = Bottleneck.Reader }, reporter.Bottleneck.GetTimes());

        Time.Advance(Step);
        Read();
        parts.CountTail();
        parts.CountTail();
        Assert.Equal(2 * Step, reporter.Bottleneck.GetTimes().WaitingForReader); // all was there, and the reader had not read it

        ValueTask<PartReservation> AdmitAsync(long offset) => parts.AdmitAsync(16, 16, CancellationToken.None);

        void Read()
        {
            Assert.True(parts.TryTake(out Chunk? chunk, out _));
            chunk.Dispose();
        }
    }

    /// <summary>The first part is late. The others are complete, and the reader waits as well.</summary>
    [Fact]
    public async Task OrderedRead_ReaderWaitsToo_IsWaitingForSlot()
    {
        ChunkPool pool = NewPool(chunkSize: 16);
        TransferReporter reporter = NewReporter();
        PartWindow window = new(new RequestQueue(8, Time), new TransferFlow(RequestDirection.Download), 2, isFixed: true);
        using PartBufferManager parts = await PartBufferManager.CreateAsync(pool, window, reporter, CancellationToken.None);
        parts.Open(64, null);
        PartReservation late = await parts.AdmitAsync(16, 16, CancellationToken.None);
        IPartWriter writer = parts.BeginPart(0, 16, late)!;
        await FillAsync(parts, await parts.AdmitAsync(16, 16, CancellationToken.None), 16);
        await FillAsync(parts, await parts.AdmitAsync(16, 16, CancellationToken.None), 32);
        Assert.False(parts.TryTake(out _, out _));
        await parts.WaitAsync(holdsAll: false, CancellationToken.None); // what was signaled before
        Task reading = parts.WaitAsync(holdsAll: false, CancellationToken.None).AsTask();
        ValueTask<PartReservation> fourth = parts.AdmitAsync(16, 16, CancellationToken.None);
        Assert.False(reading.IsCompleted || fourth.IsCompleted);

        Time.Advance(Step);
        await WriteAsync(parts, late, writer);
        await reading.Within();
        Assert.True(parts.TryTake(out Chunk? chunk, out _));
        chunk.Dispose();
        Assert.True(parts.TryTake(out chunk, out _));
        chunk.Dispose();
        (await fourth.AsTask().Within()).Release();

        Assert.EachEqual((Step, TimeSpan.Zero), (reporter.Bottleneck.GetTimes().WaitingForSlot, reporter.Bottleneck.GetTimes().WaitingForReader));
    }

    [Fact]
    public async Task Upload_StreamIsSlow_IsWaitingForSource()
    {
        ScriptedStream source = new(Sample.Bytes(100)) { CueAt = 50, Cue = _ => PassAsync() };

        UploadResult result = await NewClient().UploadAsync(source, FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(new TransferTimes { WaitingForSource = Step, Bottleneck = Bottleneck.Source }, result.Statistics.Times);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(5 * 1024 * 1024)]
    [InlineData(6 * 1024 * 1024)]
    public async Task Write_CallerIsSlow_IsWaitingForSource(int length)
    {
        ObjectWriteStream output = await NewClient().OpenWriteAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await using (output)
        {
            Time.Advance(Step);
            await output.WriteAsync(Sample.Bytes(length)).AsTask().Within();
            Time.Advance(Step);

            TransferTimes times = (await output.CompleteAsync().Within()).Statistics.Times;

            Assert.EachEqual((2 * Step, Bottleneck.Source), (times.WaitingForSource, times.Bottleneck));
        }
    }

    [Fact]
    public async Task Upload_OfParts_IsDataAndFirstByte()
    {
        S3.Before = (call, _) => call.Operation is S3Call.Create or S3Call.Complete ? PassAsync() : Task.CompletedTask;

        UploadResult result = await NewClient().UploadAsync(new System.Buffers.ReadOnlySequence<byte>(Sample.Bytes(6 << 20)), FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Equal(new TransferTimes { FirstByte = 2 * Step, Bottleneck = Bottleneck.Latency }, result.Statistics.Times);
    }

    /// <summary>The system's buffers can hold a small body, so only the time to the response tells about a large one.</summary>
    [Theory]
    [InlineData(100, 1, 2)]
    [InlineData(8 << 20, 3, 0)]
    public async Task Upload_ResponseIsLate_IsFirstByteOfASmallBody_AndDataOfALargeOne(long bytes, int data, int firstByte)
    {
        TransferClient client = NewClient();
        TransferRun run = client.Context.Begin(TransferDirection.Upload, new ObjectAddress(FakeS3.Bucket, FakeS3.Key), null, null);

        await run.SendAsync(
            attempt =>
            {
                Time.Advance(Step);
                attempt.Guard.Touch(); // the connection has taken the last byte
                Time.Advance(2 * Step);
                return Task.FromResult(0);
            },
            new RequestRules(RequestCost.First(bytes)),
            CancellationToken.None).Within();

        Assert.EachEqual((data * Step, firstByte * Step), (run.Reporter.Bottleneck.GetTimes().Data, run.Reporter.Bottleneck.GetTimes().FirstByte));
    }

    [Fact]
    public async Task Files_ReadAndWritten_AreDisk()
    {
        FakeTimeProvider time = new() { AutoAdvanceAmount = TimeSpan.FromMilliseconds(1) }; // whenever somebody reads it
        TransferClient client = NewClient(options => options.Advanced.TimeProvider = time);
        byte[] content = Sample.Bytes(3 * Part);
        await File.WriteAllBytesAsync(Folder.File("a"), content);

        UploadResult up = await client.UploadAsync(Folder.File("a"), FakeS3.Bucket, FakeS3.Key).Within();
        DownloadResult small = await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("b"), new DownloadOptions { Hint = new ObjectHint { Length = content.Length }, PartSizeBytes = 4 * Part }).Within();
        DownloadResult inParts = await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("c")).Within();

        Assert.True(up.Statistics.Times.Disk > TimeSpan.Zero);
        Assert.Equal(TimeSpan.Zero, up.Statistics.Times.WaitingForSource);
        Assert.True(small.Statistics.Times.Disk > TimeSpan.Zero);
        Assert.True(inParts.Statistics.Times.Disk >= 4 * time.AutoAdvanceAmount, $"{inParts.Statistics.Times.Disk}"); // each part, and the end
    }

    [Fact]
    public async Task Directory_HasTheTimesOfItsObjects()
    {
        S3.Put("a", 100);
        S3.Put("b", 100);
        S3.Before = (_, _) => PassAsync();

        DirectoryResult result = await NewClient(options => options.MaxConcurrency = 1)
            .DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, new DirectoryOptions { Download = Unverified }).Within();

        Assert.Equal(3 * Step, result.Statistics.Times.FirstByte); // of a listing, too
        Assert.Equal(3 * Step, result.Statistics.Elapsed);
    }

    [Fact]
    public async Task Copy_InsideTheStore_WaitsForTheStore()
    {
        S3.Put("a", 100);
        S3.Before = (_, _) => PassAsync();

        CopyResult result = await NewClient().CopyAsync(new(FakeS3.Bucket, "a"), new(FakeS3.Bucket, "b")).Within();

        Assert.Equal(new TransferTimes { FirstByte = S3.Calls.Count * Step, Bottleneck = Bottleneck.Store }, result.Statistics.Times);
    }

    [Fact]
    public void Reporter_OfOneObjectOfMany_AddsToTheWhole()
    {
        TransferReporter whole = NewReporter();
        TransferReporter one = NewReporter(whole);

        one.Times.Add(TransferTimeKind.RateLimit, Step);
        one.Times.Add(TransferTimeKind.Data, TimeSpan.FromSeconds(1));

        Assert.Equal(new TransferTimes { RateLimit = Step, Data = TimeSpan.FromSeconds(1), Bottleneck = Bottleneck.RateLimit }, whole.Bottleneck.GetTimes());
        Assert.Equal(whole.Bottleneck.GetTimes(), one.Bottleneck.GetTimes());
    }

    [Fact]
    public async Task Progress_Limit_IsThatOfTheLastSecondsAndFinallyOfAll()
    {
        TransferReporter reporter = NewControlledReporter();
        Assert.Equal(Bottleneck.None, reporter.GetProgress().Bottleneck);

        Pass(TransferTimeKind.Data, 20);
        Assert.Equal(Bottleneck.Network, reporter.GetProgress().Bottleneck);

        Pass(TransferTimeKind.RateLimit, 6);
        Assert.Equal(Bottleneck.RateLimit, reporter.GetProgress().Bottleneck);

        Pass(null, 20); // no part has ended, so there is no news
        Assert.Equal(Bottleneck.RateLimit, reporter.GetProgress().Bottleneck);

        await reporter.EndAsync(null);
        Assert.Equal(Bottleneck.Network, reporter.GetProgress().Bottleneck);

        void Pass(TransferTimeKind? kind, int seconds)
        {
            for (int i = 0; i < seconds; i++)
            {
                Time.Advance(TimeSpan.FromSeconds(1));
                reporter.Times.Add(kind ?? default, kind is null ? TimeSpan.Zero : TimeSpan.FromSeconds(1));
                reporter.GetProgress();
            }
        }
    }

    /// <summary>The wait is counted at its end, which never comes while a pager shows the first page.</summary>
    [Fact]
    public async Task Progress_ReaderIsWaitedFor_LimitIsKnownDuringTheWait()
    {
        ChunkPool pool = NewPool(chunkSize: 16);
        TransferReporter reporter = NewControlledReporter();
        PartWindow window = new(new RequestQueue(8, Time), new TransferFlow(RequestDirection.Download), 1, isFixed: true);
        using PartBufferManager parts = await PartBufferManager.CreateAsync(pool, window, reporter, CancellationToken.None);
        parts.Open(48, null);
        await FillAsync(parts, await parts.AdmitAsync(16, 16, CancellationToken.None), 0);
        await FillAsync(parts, await parts.AdmitAsync(16, 16, CancellationToken.None), 16);
        using CancellationTokenSource end = new();
        Task third = parts.AdmitAsync(16, 16, end.Token).AsTask();

        Time.Advance(Step);

        Assert.EachEqual((Bottleneck.Reader, TimeSpan.Zero), (reporter.GetProgress().Bottleneck, reporter.Bottleneck.GetTimes().WaitingForReader));
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => third.Within());
        Assert.Equal(Step, reporter.Bottleneck.GetTimes().WaitingForReader);
    }

    /// <summary>Objects that take minutes add their time only at their end, but the waits of all of them add up.</summary>
    [Fact]
    public async Task Progress_OfManyObjects_ComparesWaitsWithAllObjectsInProgress()
    {
        TransferReporter whole = NewControlledReporter();
        List<TransferReporter> objects = [];
        for (int i = 0; i < 4; i++)
        {
            whole.Bottleneck.BeginObject();
            objects.Add(NewReporter(whole, NewClient().Context.Queue));
        }

        Add();
        Assert.Equal(Bottleneck.Network, whole.GetProgress().Bottleneck);

        foreach (TransferReporter one in objects.Skip(1))
        {
            await one.EndAsync(null);
        }

        Time.Advance(5 * Step);
        whole.GetProgress();
        Time.Advance(5 * Step);
        whole.GetProgress();
        Add();
        Assert.Equal(Bottleneck.Memory, whole.GetProgress().Bottleneck);

        void Add()
        {
            Time.Advance(Step);
            objects[0].Times.Add(TransferTimeKind.Data, TimeSpan.FromSeconds(1));
            objects[0].Times.Add(TransferTimeKind.Memory, Step);
        }
    }

    [Fact]
    public void Concurrency_OfAClient_IsItsLimits()
    {
        TransferClient set = NewClient(options => options.MaxConcurrency = 8);
        TransferClient free = NewClient(options => options.MaxConcurrency = null);

        Assert.Equal(new ConcurrencyState { Limit = 8 }, set.DownloadConcurrency);
        Assert.Equal(new ConcurrencyState { Limit = TransferDefaults.StartConcurrency }, free.DownloadConcurrency);
        Assert.Equal(new ConcurrencyState { Limit = TransferDefaults.LeastConcurrency }, free.UploadConcurrency);
        Assert.All([set, free], client => Assert.False(client.Context.Queue.GetState(RequestDirection.Download).HasKnee));
    }

    /// <summary>Creates a reporter whose progress can be read.</summary>
    private TransferReporter NewControlledReporter()
        => new(new TransferSubject(TransferDirection.Download, FakeS3.Bucket, FakeS3.Key), Time, NullLogger.Instance, handle: new TransferHandle());

    private static async Task FillAsync(PartBufferManager parts, PartReservation grant, long offset) => await WriteAsync(parts, grant, parts.BeginPart(offset, 16, grant)!);

    private static async Task WriteAsync(PartBufferManager parts, PartReservation grant, IPartWriter writer)
    {
        Chunk chunk = await grant.Lease.RentAsync(CancellationToken.None);
        chunk.Advance(16);
        await writer.WriteAsync(chunk, CancellationToken.None);
        writer.Wake(inline: false);
        using ContentVerifier verifier = new(new ObjectAddress(FakeS3.Bucket, FakeS3.Key), enabled: false);
        await writer.CompleteAsync(verifier.Begin(0), CancellationToken.None);
        grant.Release();
        parts.PartFetched();
    }

    private Task PassAsync()
    {
        Time.Advance(Step);
        return Task.CompletedTask;
    }
}
