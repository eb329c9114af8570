using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Requests;

/// <summary>Pauses, resumes, and changes transfers while they run.</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync
public sealed class TransferHandleTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int Size = (40 * Part) + 7;
    private const int UploadPart = 5 * 1024 * 1024;
    private const int UploadSize = (4 * UploadPart) + 5;

    private readonly TransferHandle _handle = new();
    private TransferClient? _client;

    /// <summary>Lets the calls of an operation continue one by one.</summary>
    private readonly SemaphoreSlim _turn = new(0);

    public static TheoryData<string> Downloads => ["file", "stream", "pipe", "unresumed"];

    public static TheoryData<string> Uploads => ["file", "stream", "pipe", "memory", "unresumed", "writer"];

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        _turn.Dispose();
    }

    [Theory]
    [MemberData(nameof(Downloads))]
    public async Task Download_PausedAndResumed_SendsAndHoldsNothingMeanwhileAndCompletes(string target)
    {
        byte[] content = S3.Put(Size);
        Hold(S3Call.Get, first: 10);
        Task<byte[]> download = DownloadAsync(target);
        await Deadline.Until(() => S3.GetCount(S3Call.Get) >= 11);

        Time.SkipDelaysBelow = TimeSpan.Zero;
        Task paused = _handle.PauseAsync();
        Assert.EachEqual((true, false), (_handle.IsPaused, paused.IsCompleted));
        _turn.Release(1000);
        await paused.Within();

        Assert.True(_handle.IsPaused);
        int calls = S3.Calls.Count;
        Assert.Equal(0, _client!.DownloadConcurrency.InFlight);
        Assert.InRange(_handle.Progress.BytesTransferred, 10 * Part, Size);
        if (target == "file")
        {
            Assert.EachEqual((0, 0), (_client.RentedBytes, _client.Context.Pool.Budget.ReservedBytes));
            Assert.Equal(2, Directory.GetFiles(Folder.Path, ".target.*", new EnumerationOptions { AttributesToSkip = 0 }).Length); // the data, and the journal
        }

        if (target == "unresumed")
        {
            await Deadline.Until(() => _client.RentedBytes == 0 && _client.Context.Pool.Budget.ReservedBytes == 0);
        }

        Time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(calls, S3.Calls.Count);
        Assert.False(download.IsCompleted);
        long before = _handle.Progress.BytesTransferred;
        _handle.Resume();
        Assert.True(_handle.Progress.BytesTransferred >= before);

        Assert.Equal(content, await download.Within());
        Assert.False(_handle.IsPaused);
        await _handle.Completion.Within();
        Assert.EachEqual((Size, Size), (_handle.Progress.BytesTransferred, _handle.Progress.TotalBytes));
    }

    [Theory]
    [MemberData(nameof(Downloads))]
    public async Task Download_RequestsHang_AreInterruptedAfterTheGrace(string target)
    {
        byte[] content = S3.Put(Size);
        int hanging = 0;
        int gets = 0;
        S3.Body = (_, bytes) => Interlocked.Increment(ref gets) is > 5 and < 9
            ? new ScriptedStream(bytes)
            {
                CueAt = bytes.Length / 2,
                Cue = async token =>
                {
                    Interlocked.Increment(ref hanging);
                    await Task.Delay(Timeout.Infinite, token);
                },
            }
            : new ScriptedStream(bytes);
        Task<byte[]> download = DownloadAsync(target);
        await Deadline.Until(() => Volatile.Read(ref hanging) == 3);

        await PauseAndInterruptAsync();
        _handle.Resume();

        Assert.Equal(content, await download.Within());
    }

    /// <summary>The data that was read but isn't counted yet is requested again.</summary>
    [Theory]
    [MemberData(nameof(Downloads))]
    public async Task Download_PausedWhileDataWaitsForARateLimit_IsInterruptedAfterTheGrace(string target)
    {
        byte[] content = S3.Put(Size);
        RateLimit limit = new(Time) { DownloadBytesPerSecond = 64 * 1024 };
        _client = NewClient(options => options.RateLimit = limit);
        Time.SkipDelaysBelow = TimeSpan.Zero;
        RateLimiter limiter = limit.GetLimiters(RequestDirection.Download)[0];
        Task<byte[]> download = DownloadAsync(target);

        await PauseAtTheLimitAsync(limiter);

        _handle.Resume();
        limit.DownloadBytesPerSecond = null;
        Assert.Equal(content, await download.Within());
    }

    [Theory]
    [MemberData(nameof(Uploads))]
    public async Task Upload_PausedWhileDataWaitsForARateLimit_IsInterruptedAfterTheGrace(string source)
    {
        byte[] content = Sample.Bytes(UploadSize);
        RateLimit limit = new(Time) { UploadBytesPerSecond = 64 * 1024 };
        _client = NewClient(options => (options.StateDirectory, options.RateLimit) = (Folder.File("state"), limit));
        Time.SkipDelaysBelow = TimeSpan.Zero;
        RateLimiter limiter = limit.GetLimiters(RequestDirection.Upload)[0];
        Task<UploadResult> upload = UploadAsync(source, content);

        await PauseAtTheLimitAsync(limiter);

        _handle.Resume();
        limit.UploadBytesPerSecond = null;
        await upload.Within();
        Assert.Equal(content, S3.Published());
    }

    /// <summary>An object that is downloaded with one request is requested again, so it holds no memory during the pause.</summary>
    [Fact]
    public async Task SmallDownload_Paused_HoldsNothing()
    {
        byte[] content = S3.Put(Part);
        Hold(S3Call.Get, first: 0);
        _client = NewClient();
        Time.SkipDelaysBelow = TimeSpan.Zero;
        DownloadOptions options = new() { Handle = _handle, Hint = new ObjectHint { Length = Part }, Resume = false };
        Task download = _client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target"), options);
        await Deadline.Until(() => S3.GetCount(S3Call.Get) == 1);

        Task paused = _handle.PauseAsync();
        await Time.AdvanceToTimerAsync(PauseGate.Grace);
        await paused.Within();

        Assert.EachEqual((0, 0), (_client.RentedBytes, _client.Context.Pool.Budget.ReservedBytes));
        _turn.Release(1000);
        _handle.Resume();
        await download.Within();
        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("target")));
    }

    [Theory]
    [MemberData(nameof(Uploads))]
    public async Task Upload_PausedAndResumed_SendsNothingMeanwhileAndCompletes(string source)
    {
        byte[] content = Sample.Bytes(UploadSize);
        Hold(S3Call.UploadPart, first: 1);
        Task<UploadResult> upload = UploadAsync(source, content);
        await Deadline.Until(() => S3.GetCount(S3Call.UploadPart) >= 2);

        await PauseAsync();

        int calls = S3.Calls.Count;
        Assert.Equal(0, _client!.UploadConcurrency.InFlight);
        if (source == "file")
        {
            Assert.EachEqual((0, 0), (_client.RentedBytes, _client.Context.Pool.Budget.ReservedBytes));
            Assert.Single(Directory.GetFiles(Folder.File("state")));
        }

        if (source == "unresumed")
        {
            // What is left are chunks for reading the parts again, and the last chunk of each, which isn't full.
            await Deadline.Until(() => _client.Context.Pool.Budget.ReservedBytes <= 3 * PartReader.MostAtOnce * PartBody.MostChunksPerReader * _client.Context.Pool.ChunkSize);
        }

        Time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(calls, S3.Calls.Count);
        _handle.Resume();

        UploadResult result = await upload.Within();
        Assert.Equal(content, S3.Published());
        Assert.Equal(UploadSize, result.Statistics.BytesTransferred);
        Assert.Equal(source == "file", result.Statistics.BytesResumed > 0);
        Assert.Equal(1, S3.GetCount(S3Call.Create));
        Assert.Equal(0, S3.GetCount(S3Call.Abort));
        Assert.Equal(TimeSpan.FromHours(1), result.Statistics.Times.Paused);
        Assert.False(S3.HasOpenUpload);
    }

    [Theory]
    [MemberData(nameof(Uploads))]
    public async Task Upload_PartsHang_AreInterruptedAndSentAgain(string source)
    {
        byte[] content = Sample.Bytes(UploadSize);
        int hanging = 0;
        S3.Before = async (call, token) =>
        {
            if (call.Operation == S3Call.UploadPart && Interlocked.Increment(ref hanging) <= 2)
            {
                await Task.Delay(Timeout.Infinite, token);
            }
        };
        Task<UploadResult> upload = UploadAsync(source, content);
        await Deadline.Until(() => Volatile.Read(ref hanging) >= 2);

        await PauseAndInterruptAsync();
        _handle.Resume();

        await upload.Within();
        Assert.Equal(content, S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    /// <summary>If it were interrupted, the result of the request and the object could be lost.</summary>
    [Theory]
    [InlineData(S3Call.Create)]
    [InlineData(S3Call.Complete)]
    public async Task Upload_CreateOrCompleteIsInFlight_IsAwaited(string operation)
    {
        byte[] content = Sample.Bytes(UploadSize);
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == operation ? gate.PassAsync(token) : Task.CompletedTask;
        Task<UploadResult> upload = UploadAsync("file", content);
        await gate.Reached;

        Time.SkipDelaysBelow = TimeSpan.Zero;
        Task paused = _handle.PauseAsync();
        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(5));
        Assert.False(paused.IsCompleted);
        gate.Open();
        await paused.Within();
        _handle.Resume();

        await upload.Within();
        Assert.Equal(content, S3.Published());
        int begunAgain = operation == S3Call.Create ? 1 : 0; // there was nothing to resume
        Assert.EachEqual((1 + begunAgain, 1, begunAgain), (S3.GetCount(S3Call.Create), S3.GetCount(S3Call.Complete), S3.GetCount(S3Call.Abort)));
    }

    [Theory]
    [InlineData("file")]
    [InlineData("stream")]
    public async Task Upload_CanceledWhilePaused_LeavesNoUploadOpenWithoutAJournal(string source)
    {
        byte[] content = Sample.Bytes(UploadSize);
        Hold(S3Call.UploadPart, first: 1);
        using CancellationTokenSource stop = new();
        Task<UploadResult> upload = UploadAsync(source, content, stop.Token);
        await Deadline.Until(() => S3.GetCount(S3Call.UploadPart) >= 2);
        await PauseAsync();

        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => upload.Within());
        Assert.Equal(source == "file", S3.HasOpenUpload); // the next upload of the file resumes it
        Assert.Equal(source == "file" ? 0 : 1, S3.GetCount(S3Call.Abort));
        Assert.EachEqual((true, false), (_handle.Completion.IsCompleted, _handle.IsPaused));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _handle.Completion.Within());
    }

    [Fact]
    public async Task Client_DisposedWhilePaused_Ends()
    {
        S3.Put(Size);
        Hold(S3Call.Get, first: 3);
        Task<byte[]> download = DownloadAsync("file");
        await Deadline.Until(() => S3.GetCount(S3Call.Get) >= 4);
        await PauseAsync();

        await _client!.DisposeAsync().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => download.Within());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => _handle.Completion.Within());
    }

    [Fact]
    public async Task PausedBeforeTheStart_SendsNothing()
    {
        byte[] content = S3.Put(Size);
        await _handle.PauseAsync().Within();
        Assert.True(_handle.IsPaused);
        Task<byte[]> download = DownloadAsync("file");
        await Deadline.Until(() => _client is not null);
        Assert.Empty(S3.Calls);

        _handle.Resume();

        Assert.Equal(content, await download.Within());
    }

    [Fact]
    public async Task PausedRepeatedly_Completes()
    {
        byte[] content = S3.Put(Size);
        Hold(S3Call.Get, first: 0);
        Task<byte[]> download = DownloadAsync("file");
        for (int pause = 0; pause < 3; pause++)
        {
            int calls = S3.GetCount(S3Call.Get);
            _turn.Release(3);
            await Deadline.Until(() => S3.GetCount(S3Call.Get) >= calls + 3);
            Time.SkipDelaysBelow = TimeSpan.Zero;
            Task paused = _handle.PauseAsync();
            _turn.Release(8);
            await paused.Within();
            Assert.Equal(0, _client!.RentedBytes);
            while (_turn.Wait(0))
            {
                // No call is in flight, so none waits.
            }

            _handle.Resume();
        }

        _turn.Release(1000);
        Assert.Equal(content, await download.Within());
    }

    /// <summary>The stream keeps the range that it is reading. All other data is fetched again.</summary>
    [Fact]
    public async Task Stream_Paused_ReleasesItsReadAhead()
    {
        byte[] content = S3.Put(Size);
        _client = NewClient();
        await using ObjectReadStream stream = await _client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Handle = _handle }).Within();
        byte[] read = new byte[Size];
        await stream.ReadExactlyAsync(read.AsMemory(0, 100));
        await Deadline.Until(() => _client.RentedBytes > 6 * Part);

        await _handle.PauseAsync().Within();

        await Deadline.Until(() => _client.RentedBytes <= 2 * Part);
        int calls = S3.Calls.Count;
        await stream.ReadExactlyAsync(read.AsMemory(100, Part - 100)); // already fetched
        Task rest = stream.ReadExactlyAsync(read.AsMemory(Part)).AsTask();
        Assert.Equal(calls, S3.Calls.Count);
        _handle.Resume();
        await rest.Within();
        Assert.Equal(content, read);
    }

    [Fact]
    public async Task OtherTransfer_ContinuesWhileOneIsPaused()
    {
        S3.Put(Size);
        byte[] other = S3.Put("other", Size, seed: 2);
        Hold(S3Call.Get, first: 3, key: FakeS3.Key);
        Task<byte[]> download = DownloadAsync("stream");
        await Deadline.Until(() => S3.GetCount(S3Call.Get) >= 4);
        await PauseAsync();
        MemoryStream target = new();

        await _client!.DownloadAsync(FakeS3.Bucket, "other", target).Within();

        Assert.Equal(other, target.ToArray());
        Assert.False(download.IsCompleted);
        _handle.Resume();
        await download.Within();
    }

    [Fact]
    public async Task Copy_PausedAndResumed_SendsNothingMeanwhileAndCompletes()
    {
        byte[] content = S3.Put("source", UploadSize);
        Hold(S3Call.CopyPart, first: 1);
        _client = NewClient();
        CopyOptions options = new() { Handle = _handle, PartSizeBytes = UploadPart, MultipartThresholdBytes = UploadPart, MaxConcurrency = 2 };
        Task<CopyResult> copy = _client.CopyAsync(new(FakeS3.Bucket, "source"), new(FakeS3.Bucket, FakeS3.Key), options);
        await Deadline.Until(() => S3.GetCount(S3Call.CopyPart) >= 2);
        await PauseAsync();
        int calls = S3.Calls.Count;
        Time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(calls, S3.Calls.Count);
        _handle.Resume();

        await copy.Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task Directory_Paused_ObjectsWait()
    {
        for (int i = 0; i < 30; i++)
        {
            S3.Put($"d/{i:00}", i % 3 == 0 ? Size : 100, seed: i + 1);
        }

        Hold(S3Call.Get, first: 20);
        _client = NewClient();
        Task<DirectoryResult> download = _client.DownloadDirectoryAsync(FakeS3.Bucket, "d/", Folder.File("out"), new DirectoryOptions { Handle = _handle });
        await Deadline.Until(() => S3.GetCount(S3Call.Get) >= 21);

        await PauseAsync();
        int calls = S3.Calls.Count;
        await Deadline.Until(() => _client.RentedBytes == 0);
        Time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(calls, S3.Calls.Count);
        _handle.Resume();

        DirectoryResult result = await download.Within();
        Assert.EachEqual((30, 0), (result.Counts.Copied, result.Counts.Failed));
        for (int i = 0; i < 30; i++)
        {
            Assert.Equal(S3.Objects[$"d/{i:00}"].Content, await File.ReadAllBytesAsync(Path.Combine(Folder.File("out"), $"{i:00}")));
        }
    }

    /// <summary>Downloads to a file, because its parts don't wait for each other.</summary>
    [Fact]
    public async Task MaxConcurrency_CanChangeAndIsNeverExceeded()
    {
        byte[] content = S3.Put(Size);
        int inFlight = 0;
        int most = 0;
        S3.Before = async (_, token) =>
        {
            int now = Interlocked.Increment(ref inFlight);
            most = Math.Max(most, now);
            await _turn.WaitAsync(token);
            Interlocked.Decrement(ref inFlight);
        };
        _handle.MaxConcurrency = 2;
        Task<byte[]> download = DownloadAsync("file");
        _turn.Release();
        await Deadline.Until(() => Volatile.Read(ref inFlight) == 2);
        for (int call = 0; call < 10; call++)
        {
            _turn.Release();
            await Deadline.Until(() => _turn.CurrentCount == 0 && Volatile.Read(ref inFlight) == 2);
        }

        Assert.Equal(2, most);
        _handle.MaxConcurrency = 5;
        await Deadline.Until(() => Volatile.Read(ref inFlight) == 5);
        _handle.MaxConcurrency = 1;
        _turn.Release(4);
        await Deadline.Until(() => Volatile.Read(ref inFlight) == 1);
        most = 0;
        _turn.Release(1000);
        Assert.Equal(content, await download.Within());
        Assert.Equal(1, most);
    }

    [Fact]
    public async Task Priority_DividesTheSlots()
    {
        S3.Put("high", Size);
        S3.Put("low", Size, seed: 2);
        S3.Before = (call, token) => call.First > 0 ? _turn.WaitAsync(token) : Task.CompletedTask; // the first range returns the size of the object
        TransferHandle low = new();
        _client = NewClient(options => options.MaxConcurrency = 1);
        DownloadOptions ofHigh = new() { Handle = _handle, MaxConcurrency = 4 };
        DownloadOptions ofLow = new() { Handle = low, MaxConcurrency = 4 };
        Task first = _client.DownloadAsync(FakeS3.Bucket, "high", Folder.File("high"), ofHigh);
        await Deadline.Until(() => _client.Context.Queue.Waiting >= 3);
        Task second = _client.DownloadAsync(FakeS3.Bucket, "low", Folder.File("low"), ofLow);
        await Deadline.Until(() => _client.Context.Queue.Waiting >= 4);
        _turn.Release(); // the next slot is for the first range of the second download, because all other ranges wait for it
        await Deadline.Until(() => _client.Context.Queue.Waiting >= 6);
        _handle.Priority = TransferPriority.High;
        low.Priority = TransferPriority.Low;

        for (int call = 0; call < 32; call++)
        {
            _turn.Release();
            await Deadline.Until(() => _turn.CurrentCount == 0 && _client.Context.Queue.Waiting >= 6);
        }

        Assert.InRange(S3.Gets.Count(call => call.Key == "low"), 2, 5);
        _turn.Release(1000);
        await Task.WhenAll(first, second).Within();
    }

    [Fact]
    public async Task ClientsMaxConcurrency_CanChange()
    {
        byte[] content = S3.Put(Size);
        int inFlight = 0;
        S3.Before = async (_, token) =>
        {
            Interlocked.Increment(ref inFlight);
            await _turn.WaitAsync(token);
            Interlocked.Decrement(ref inFlight);
        };
        _client = NewClient();
        _client.MaxConcurrency = 2;
        MemoryStream target = new();
        Task<DownloadResult> download = _client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target);
        _turn.Release();
        await Deadline.Until(() => Volatile.Read(ref inFlight) == 2);
        Assert.Equal(2, _client.DownloadConcurrency.Limit);

        _client.MaxConcurrency = 6;
        await Deadline.Until(() => Volatile.Read(ref inFlight) == 6);

        _turn.Release(1000);
        await download.Within();
        Assert.Equal(content, target.ToArray());
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.MaxConcurrency = 0);
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.MaxConcurrency = 9); // the option allows 8
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1025)]
    public void MaxConcurrency_OutOfRange_IsRejected(int value)
        => Assert.Contains("1024", Assert.Throws<ArgumentOutOfRangeException>(() => _handle.MaxConcurrency = value).Message, StringComparison.Ordinal);

    [Fact]
    public void Priority_Unknown_IsRejected() => Assert.Throws<ArgumentOutOfRangeException>(() => _handle.Priority = (TransferPriority)7);

    [Fact]
    public async Task Handle_UsedTwice_IsRejected()
    {
        S3.Put(Size);
        await DownloadAsync("stream").Within();

        await Assert.ThrowsAsync<InvalidOperationException>(() => DownloadAsync("stream"));

        Assert.EachEqual((true, false), (_handle.Completion.IsCompleted, _handle.IsPaused));
        _handle.Resume();
        await _handle.PauseAsync().Within();
    }

    [Fact]
    public async Task Handle_InTheOptionsOfEachObject_IsRejected()
    {
        DirectoryOptions options = new() { Download = new DownloadOptions { Handle = _handle } };

        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "d/", Folder.File("out"), options));

        Assert.Contains("Download.Handle", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Completion_TransferFails_HasItsError()
    {
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => DownloadAsync("stream"));

        Assert.Same(error, await Assert.ThrowsAsync<TransferException>(() => _handle.Completion.Within()));
    }

    /// <summary>The window is full when the pause begins.</summary>
    [Fact]
    public async Task Times_WaitBeginsBeforeThePause_DoesNotCountThePause()
    {
        using PartWindow window = new(new RequestQueue(1, Time), new TransferFlow(RequestDirection.Download), 1, isFixed: true);
        _client = NewClient();
        TransferReporter reporter = _client.Context.Begin(TransferDirection.Download, new ObjectAddress(FakeS3.Bucket, FakeS3.Key), null, null, handle: _handle).Reporter;
        await reporter.Times.EnterAsync(window, CancellationToken.None);
        Task waiting = reporter.Times.EnterAsync(window, CancellationToken.None).AsTask();
        Time.Advance(TimeSpan.FromSeconds(2));
        await _handle.PauseAsync().Within();
        Time.Advance(TimeSpan.FromHours(1));
        _handle.Resume();
        Time.Advance(TimeSpan.FromSeconds(1));

        window.Fetched();
        window.Leave();

        await waiting.Within();
        TransferTimes times = reporter.Bottleneck.GetTimes();
        Assert.EachEqual((TimeSpan.FromSeconds(3), TimeSpan.FromHours(1)), (times.WaitingForSlot, times.Paused));
    }

    /// <summary>Every handle has a rate limit that can be set later. Until it is set, waits are attributed to the store.</summary>
    [Fact]
    public void RateLimit_IsNotSet_LimitsNothing()
    {
        RateLimits limits = RateLimits.None.With(_handle.RateLimit, RequestDirection.Download);
        Assert.EachEqual((false, false), (limits.IsEmpty, limits.IsSet));

        _handle.RateLimit.UploadBytesPerSecond = 1024;
        Assert.False(limits.IsSet);
        _handle.RateLimit.TotalBytesPerSecond = 1024;
        Assert.True(limits.IsSet);
    }

    [Fact]
    public async Task RateLimit_OfTheHandle_Applies()
    {
        S3.Put(Size);
        TransferHandle handle = new() { RateLimit = new RateLimit(Time) { DownloadBytesPerSecond = Part } };

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Handle = handle }).Within();

        Assert.InRange(new TimeSpan(Time.GetTimestamp()).TotalSeconds, 39, 41);
    }

    /// <summary>Holds all calls of an operation except the first ones until the test lets them continue.</summary>
    private void Hold(string operation, int first, string? key = null)
    {
        int calls = 0;
        S3.Before = (call, token) => call.Operation == operation && (key ?? call.Key) == call.Key && Interlocked.Increment(ref calls) > first ? _turn.WaitAsync(token) : Task.CompletedTask;
    }

    /// <summary>Pauses the transfer, and lets all calls end.</summary>
    private Task PauseAsync()
    {
        Time.SkipDelaysBelow = TimeSpan.Zero;
        Task paused = _handle.PauseAsync();
        _turn.Release(10_000);
        return paused.Within();
    }

    /// <summary>Pauses the transfer while calls hang, until they are interrupted.</summary>
    private async Task PauseAndInterruptAsync()
    {
        Time.SkipDelaysBelow = TimeSpan.Zero;
        Task paused = _handle.PauseAsync();
        await Time.AdvanceToTimerAsync(PauseGate.Grace);
        await paused.Within();
    }

    /// <summary>Waits until data waits for the limiter, lowers the limit, and pauses the transfer.</summary>
    private async Task PauseAtTheLimitAsync(RateLimiter limiter)
    {
        await Deadline.Until(() => limiter.Waiting > 0);
        limiter.BytesPerSecond = 1024;
        Task paused = _handle.PauseAsync();
        await Time.AdvanceToTimerAsync(PauseGate.Grace);
        await paused.Within();
        Assert.EachEqual((true, 0), (_handle.IsPaused, limiter.Waiting));
    }

    private async Task<byte[]> DownloadAsync(string target)
    {
        _client ??= NewClient();
        DownloadOptions options = new() { Handle = _handle, Resume = target != "unresumed" };
        if (target is "file" or "unresumed")
        {
            string file = Folder.File("target");
            await _client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, file, options);
            return await File.ReadAllBytesAsync(file);
        }

        if (target == "stream")
        {
            MemoryStream stream = new();
            await _client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, stream, options);
            return stream.ToArray();
        }

        Pipe pipe = new(new PipeOptions(pauseWriterThreshold: 0));
        await _client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, pipe.Writer, options);
        await pipe.Writer.CompleteAsync();
        ReadResult result = await pipe.Reader.ReadAtLeastAsync(int.MaxValue);
        return result.Buffer.ToArray();
    }

    private async Task<UploadResult> UploadAsync(string source, byte[] content, CancellationToken cancellationToken = default)
    {
        _client ??= NewClient(options => options.StateDirectory = Folder.File("state"));
        UploadOptions options = new() { Handle = _handle, Resume = source != "unresumed", MaxConcurrency = 2 };
        switch (source)
        {
            case "stream":
                return await _client.UploadAsync(new ScriptedStream(content), FakeS3.Bucket, FakeS3.Key, options, cancellationToken: cancellationToken);
            case "pipe":
                return await _client.UploadAsync(PipeReader.Create(new ReadOnlySequence<byte>(content)), FakeS3.Bucket, FakeS3.Key, options, cancellationToken: cancellationToken);
            case "writer":
                await using (ObjectWriteStream writer = await _client.OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, options, cancellationToken))
                {
                    await writer.WriteAsync(content, cancellationToken);
                    return await writer.CompleteAsync(cancellationToken);
                }

            case "memory":
                return await _client.UploadAsync(new ReadOnlySequence<byte>(content), FakeS3.Bucket, FakeS3.Key, options, cancellationToken: cancellationToken);
            default:
                Folder.File("source", content);
                return await _client.UploadAsync(Folder.File("source"), FakeS3.Bucket, FakeS3.Key, options, cancellationToken: cancellationToken);
        }
    }
}
