using System.Buffers;
using System.Net;
using Amazon.S3;
using Transfer.S3.Concurrency;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

/// <summary>Transfers with rate limits: their duration, and the side effects that a wait for a limit must not have.</summary>
public sealed class RateLimitTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int Size = 10 * Part;

    /// <summary>The rate at which each part takes one second.</summary>
    private const long Rate = Part;

    private readonly RateLimit _limit;

    public RateLimitTests() => _limit = new RateLimit(Time);

    public static TheoryData<bool, bool> Places => Matrix.Of([true, false], [true, false]);

    [Theory]
    [MemberData(nameof(Places))]
    public async Task Download_Limited_TakesTheExpectedTime(bool ofClient, bool total)
    {
        byte[] content = S3.Put(Size);
        Set(total, down: true);
        TransferClient client = NewClient(o => o.RateLimit = ofClient ? _limit : null);
        DownloadOptions options = new() { RateLimit = ofClient ? null : _limit };
        MemoryStream target = new();

        Assert.Equal(0, (await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, options).Within()).Statistics.Retries);

        Assert.Equal(content, target.ToArray());
        AssertTook(Size);
        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("f"), options).Within();
        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("f")));
        AssertTook(2 * Size);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public async Task Upload_Limited_TakesTheExpectedTime(bool ofClient, bool total)
    {
        byte[] content = Sample.Bytes(Size);
        Set(total, down: false);
        TransferClient client = NewClient(o => o.RateLimit = ofClient ? _limit : null);
        UploadOptions options = new() { RateLimit = ofClient ? null : _limit };

        await client.UploadAsync(new ReadOnlySequence<byte>(content), FakeS3.Bucket, FakeS3.Key, options).Within();

        Assert.Equal(content, S3.Published());
        AssertTook(Size);
        await using (ObjectWriteStream stream = await client.OpenWriteAsync(FakeS3.Bucket, "other", options))
        {
            await stream.WriteAsync(content);
            await stream.CompleteAsync().Within();
        }

        Assert.Equal(content, S3.Published("other"));
        AssertTook(2 * Size);
    }

    /// <summary>Over plain HTTP, the body is read once more for its signature. That read is not limited.</summary>
    [Theory]
    [InlineData(TransferWire.Http, null)]
    [InlineData(TransferWire.Sdk, null)]
    [InlineData(TransferWire.Http, "http://store.example")]
    [InlineData(TransferWire.Sdk, "http://store.example")]
    public async Task Upload_OverEitherProtocol_TakesTheExpectedTime(TransferWire wire, string? address)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\"")));
        using AmazonS3Client s3 = address is null ? http.NewS3() : http.NewS3(config => config.ServiceURL = address);
        Set(total: false, down: false);
        Time.SkipDelaysBelow = TimeSpan.FromSeconds(10);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire, TimeProvider = Time }, RateLimit = _limit, MaxAttempts = 1 });

        await client.UploadAsync(new ReadOnlySequence<byte>(Sample.Bytes(Size)), FakeHttp.Bucket, FakeHttp.Key).Within();

        AssertTook(Size);
    }

    [Fact]
    public async Task Multipart_AtTheLowestRate_AllowsPartsOfAnySize()
    {
        const int bytes = (5 << 20) + 1000;
        byte[] content = Sample.Bytes(bytes);
        _limit.UploadBytesPerSecond = 128 * 1024;
        TransferClient client = NewClient(o => o.RateLimit = _limit);
        await client.UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key).Within();
        Assert.Equal(content, S3.Published());
        Assert.InRange(Now, (bytes - 13108) / (double)(128 * 1024), ((bytes - 13107) / (double)(128 * 1024)) + 0.0011);

        content = S3.Put("small", 200_000);
        double before = Now;
        _limit.DownloadBytesPerSecond = 1024;
        MemoryStream target = new();
        await client.DownloadAsync(FakeS3.Bucket, "small", target, new DownloadOptions { PartSizeBytes = 8 << 20 }).Within();
        Assert.Equal(content, target.ToArray());
        Assert.InRange(Now - before, (200_000 - 103) / 1024.0, ((200_000 - 102) / 1024.0) + 0.0011);
    }

    [Fact]
    public async Task TwoTransfers_ShareTheClientsLimit()
    {
        S3.Put("a", Size);
        S3.Put("b", Size);
        Set(total: true, down: true);
        TransferClient client = NewClient(o => o.RateLimit = _limit);

        await Task.WhenAll(
            client.DownloadAsync(FakeS3.Bucket, "a", Stream.Null),
            client.DownloadAsync(FakeS3.Bucket, "b", Stream.Null),
            client.UploadAsync(new MemoryStream(Sample.Bytes(Size)), FakeS3.Bucket, "c")).Within();

        AssertTook(3 * Size);
    }

    /// <summary>
    /// Connections stay open while data waits for a rate limit, so these requests count for the number that the user has set. They leave one to other transfers.
    /// </summary>
    [Fact]
    public async Task ManyTransfersWithLimits_NeverHaveMoreRequestsThanConcurrency()
    {
        const int concurrency = 4;
        byte[] content = S3.Put(Size);
        InProgress bodies = new();
        S3.Body = (_, bytes) => new OpenBody(bytes.ToArray(), bodies);
        TransferClient client = NewClient(o => o.MaxConcurrency = concurrency);

        await Task.WhenAll(Enumerable.Range(0, 30).Select(async _ =>
        {
            MemoryStream target = new();
            await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { RateLimit = new RateLimit(Time) { DownloadBytesPerSecond = Rate }, Verify = false });
            Assert.Equal(content, target.ToArray());
        })).Within();

        Assert.EachEqual((0, concurrency - 1), (bodies.Now, bodies.Most));
    }

    [Fact]
    public async Task TransfersWithLimits_AreStuck_OthersComplete()
    {
        const int concurrency = 4;
        byte[] content = S3.Put(Size);
        InProgress bodies = new();
        S3.Body = (_, bytes) => new OpenBody(bytes.ToArray(), bodies);
        TransferClient client = NewClient(o => o.MaxConcurrency = concurrency);
        Time.SkipDelaysBelow = TimeSpan.Zero;
        RateLimit[] limits = [.. Enumerable.Range(0, 30).Select(_ => new RateLimit(Time) { DownloadBytesPerSecond = 1024 })];
        RateLimiter[] limiters = [.. limits.Select(static limit => limit.GetLimiters(RequestDirection.Download)[0])];
        Task debts = Task.WhenAll(limiters.Select(static limiter => limiter.TakeAsync(1 << 20, CancellationToken.None).AsTask()));
        Task stuck = Task.WhenAll(limits.Select(
            limit => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Stream.Null, new DownloadOptions { RateLimit = limit, Verify = false })));
        await Deadline.Until(() => limiters.Count(static limiter => limiter.Waiting == 2) == concurrency - 1);
        MemoryStream target = new();

        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Verify = false }).Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((0, concurrency - 1, concurrency), (Now, bodies.Now, bodies.Most));
        Array.ForEach(limits, static limit => limit.DownloadBytesPerSecond = null);
        await stuck.Within();
        await debts.Within();
        Assert.EachEqual((0, concurrency), (bodies.Now, bodies.Most));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Directory_SharesOneLimitBetweenAllObjects(bool whole)
    {
        for (int i = 0; i < 10; i++)
        {
            S3.Put($"in/{i}", Part, i);
        }

        Set(total: false, down: true);
        DirectoryOptions options = whole ? new() { RateLimit = _limit } : new() { Download = new DownloadOptions { RateLimit = _limit } };

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "in", Folder.Path, options).Within();

        Assert.EachEqual((10, Size), (result.Counts.Copied, result.Counts.Bytes));
        AssertTook(Size);
        _limit.UploadBytesPerSecond = Rate;
        options = whole ? options : new() { Upload = new UploadOptions { RateLimit = _limit } };
        await NewClient().UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "out", options).Within();
        AssertTook(Size, from: Now - ((Size - (Rate / 10.0)) / Rate));
        Assert.Equal(S3.Published("in/7"), S3.Published("out/7"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Verify_ReadsTheObject_IsLimited(bool directory)
    {
        byte[] content = Sample.Bytes(Size);
        S3.Objects["p/f"] = new FakeObject(content);
        await File.WriteAllBytesAsync(Folder.File("f"), content);
        Set(total: true, down: true);

        bool same = directory
            ? (await NewClient().VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), new VerifyDirectoryOptions { RateLimit = _limit }).Within()).Counts.IsComplete
            : (await NewClient().VerifyAsync(Folder.File("f"), FakeS3.Bucket, "p/f", new VerifyOptions { RateLimit = _limit }).Within()).IsSame;

        Assert.True(same);
        AssertTook(Size);
    }

    [Fact]
    public async Task Download_Retried_CountsEachByteOnce()
    {
        byte[] content = S3.Put(Part);
        int broken = 1;
        S3.Body = (_, bytes) => Interlocked.Decrement(ref broken) >= 0
            ? new ScriptedStream(bytes) { CueAt = Part / 2, Cue = ScriptedStream.Throw(new IOException("broken")) }
            : new ScriptedStream(bytes);
        _limit.DownloadBytesPerSecond = 1024;
        MemoryStream target = new();

        DownloadResult result = await NewClient(o => o.RateLimit = _limit).DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal(1, result.Statistics.Retries);
        Assert.InRange(Now, (Part - 205) / 1024.0, (Part / 1024.0) + 0.2); // includes the retry delay
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Wait_LongerThanTheStallTimeout_IsNotAStall(bool down)
    {
        byte[] content = S3.Put(5000);
        (TransferClient client, Task debt) = NewWaitingClient(down);
        MemoryStream target = new();

        Task<long> transfer = TransferAsync(client, down, target, CancellationToken.None);
        await WhenWaiting(down);
        Time.SkipDelaysBelow = TimeSpan.FromSeconds(1); // turns are shorter, and the stall timeout is longer
        Time.Advance(client.Context.Settings.StallTimeout * 1.5);

        Assert.Equal(0, await transfer.Within());
        Assert.Equal(content, down ? target.ToArray() : S3.Published());
        await debt.Within();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Limit_RemovedWhileATransferWaits_ReleasesIt(bool down)
    {
        S3.Put(5000);
        (TransferClient client, Task debt) = NewWaitingClient(down);
        Task<long> transfer = TransferAsync(client, down, Stream.Null, CancellationToken.None);
        await WhenWaiting(down);

        (_limit.DownloadBytesPerSecond, _limit.UploadBytesPerSecond) = (null, null);

        Assert.Equal(0, await transfer.Within());
        Assert.Equal(0, Now);
        await debt.Within();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Wait_Canceled_ThrowsWithTheCallersToken(bool down)
    {
        S3.Put(5000);
        (TransferClient client, _) = NewWaitingClient(down);
        using CancellationTokenSource cancel = new();
        Task<long> transfer = TransferAsync(client, down, Stream.Null, cancel.Token);
        await WhenWaiting(down);

        await cancel.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => transfer.Within());
        Assert.Equal(cancel.Token, e.CancellationToken);
        Assert.Equal(1, LimiterOf(down).Waiting); // now it waits for this limit
        Assert.True(client.Context.Requests.IsIdle);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Client_DisposedWhileATransferWaits_EndsIt(bool down)
    {
        S3.Put(5000);
        (TransferClient client, _) = NewWaitingClient(down);
        Task<long> transfer = TransferAsync(client, down, Stream.Null, CancellationToken.None);
        await WhenWaiting(down);

        await client.DisposeAsync().AsTask().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => transfer.Within());
        Assert.Equal(1, LimiterOf(down).Waiting);
    }

    /// <summary>
    /// A wait for a transfer's own limit holds no slot of the limit that adapts. A wait for the client's limit keeps its slot,
    /// because all requests wait for it.
    /// </summary>
    [Theory]
    [InlineData(true, true)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(false, false)]
    public async Task Wait_ForTheTransfersOwnLimit_HoldsNoSlot(bool down, bool own)
    {
        S3.Put(5000);
        TransferClient client = NewClient(o => o.RateLimit = own ? null : _limit);
        Time.SkipDelaysBelow = TimeSpan.Zero;
        Task debt = UseUpLimit(down);
        RateLimit? mine = own ? _limit : null;
        Task slow = down
            ? client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Stream.Null, new DownloadOptions { RateLimit = mine, Verify = false })
            : client.UploadAsync(new MemoryStream(Sample.Bytes(5000)), FakeS3.Bucket, "slow", new UploadOptions { RateLimit = mine });
        await WhenWaiting(down);

        Assert.False(client.Context.Requests.IsIdle);
        Assert.Equal(own ? 0 : 1, (down ? client.DownloadConcurrency : client.UploadConcurrency).InFlight);
        Assert.Equal(1, client.Context.Queue.InFlight);
        if (own)
        {
            await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Stream.Null).Within();
            Assert.Equal(0, Now);
        }

        _limit.DownloadBytesPerSecond = _limit.UploadBytesPerSecond = null;
        await slow.Within();
        await debt.Within();
        Assert.True(client.Context.Requests.IsIdle);
    }

    [Fact]
    public async Task Wait_WithAsManyConnectionsAsSlots_KeepsItsSlot()
    {
        S3.Put(5000);
        ((AmazonS3Config)S3.Client.Config).MaxConnectionsPerServer = 2;
        TransferClient client = NewClient();
        Time.SkipDelaysBelow = TimeSpan.Zero;
        Task debt = UseUpLimit(down: true);
        Task slow = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Stream.Null, new DownloadOptions { RateLimit = _limit, Verify = false });
        await WhenWaiting(down: true);

        Assert.Equal(1, client.Context.Queue.InFlight);
        _limit.DownloadBytesPerSecond = null;
        await slow.Within();
        await debt.Within();
    }

    /// <summary>Creates a client whose limit is used up for 1,024 seconds, and delays that only the test ends.</summary>
    private (TransferClient Client, Task Debt) NewWaitingClient(bool down)
    {
        TransferClient client = NewClient(o => o.RateLimit = _limit);
        Time.SkipDelaysBelow = TimeSpan.Zero;
        return (client, UseUpLimit(down));
    }

    private Task UseUpLimit(bool down)
    {
        (_limit.DownloadBytesPerSecond, _limit.UploadBytesPerSecond) = (1024, 1024);
        return LimiterOf(down).TakeAsync(1 << 20, CancellationToken.None).AsTask();
    }

    private RateLimiter LimiterOf(bool down) => _limit.GetLimiters(down ? RequestDirection.Download : RequestDirection.Upload)[0];

    private Task WhenWaiting(bool down) => Deadline.Until(() => LimiterOf(down).Waiting == 2);

    private static async Task<long> TransferAsync(TransferClient client, bool down, Stream target, CancellationToken token)
        => down
            ? (await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Verify = false }, null, token)).Statistics.Retries // a concurrent checksum request could time out
            : (await client.UploadAsync(new MemoryStream(Sample.Bytes(5000)), FakeS3.Bucket, FakeS3.Key, null, null, token)).Statistics.Retries;

    private void Set(bool total, bool down)
        => (_limit.TotalBytesPerSecond, _limit.DownloadBytesPerSecond, _limit.UploadBytesPerSecond) = (total ? Rate : null, !total && down ? Rate : null, !total && !down ? Rate : null);

    private double Now => TimeSpan.FromTicks(Time.GetTimestamp()).TotalSeconds;

    /// <summary>Asserts the elapsed time. All bytes except a burst of 0.1 s are delayed, and the last delay ends on a millisecond boundary.</summary>
    private void AssertTook(long bytes, double from = 0)
    {
        double exact = (bytes - (Rate / 10.0)) / Rate;
        Assert.InRange(Now - from, exact - 1e-6, exact + 0.0011);
    }

    /// <summary>A body that counts how many are open at a time.</summary>
    private sealed class OpenBody : MemoryStream
    {
        private readonly InProgress _bodies;
        private bool _isDisposed;

        public OpenBody(byte[] content, InProgress bodies)
            : base(content)
        {
            _bodies = bodies;
            bodies.Enter();
        }

        protected override void Dispose(bool disposing)
        {
            if (!_isDisposed)
            {
                _isDisposed = true;
                _bodies.Leave();
            }

            base.Dispose(disposing);
        }
    }
}
