using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

public sealed class HedgingTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int Large = 512 * 1024;
    private const int SlowAt = 128 * 1024;
    private static readonly TimeSpan FirstDelay = TimeSpan.FromSeconds(1);
    private static readonly DownloadOptions Unverified = new() { Verify = false }; // no requests other than those for the data

    /// <summary>Never are two requests for the same data in flight, so a limit of one request is enough.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public async Task Headers_AreLate_FirstRequestEndsBeforeTheSecondIsSent(int concurrency)
    {
        byte[] content = S3.Put(Part);
        Gate[] gates = [new(), new()];
        TransferClient client = NewHedgingClient(o => o.MaxConcurrency = concurrency);
        int most = 0;
        S3.Before = (call, token) =>
        {
            most = Math.Max(most, client.Context.Queue.InFlight);
            return gates[call.Number - 1].PassAsync(token);
        };
        MemoryStream target = new();

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await gates[0].Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await gates[1].Reached;
        gates[1].Open();
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((2, 0, 1, 1), (result.Statistics.Requests, result.Statistics.Retries, result.Statistics.HedgedRequests, most));
    }

    /// <summary>An object that takes long everywhere, for example because it is archived, must not be requested again and again.</summary>
    [Fact]
    public async Task Headers_AreLateEachTime_EachAttemptMayTakeFourTimesAsLong()
    {
        byte[] content = S3.Put(Part);
        Gate[] gates = [new(), new(), new()];
        S3.Before = (call, token) => gates[call.Number - 1].PassAsync(token);
        MemoryStream target = new();

        Task<DownloadResult> download = NewHedgingClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await gates[0].Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await gates[1].Reached;
        Time.Advance(3.9 * FirstDelay);
        Assert.False(gates[2].Reached.IsCompleted);
        await Time.AdvanceToTimerAsync(0.1 * FirstDelay);
        await gates[2].Reached;
        Time.Advance(15.9 * FirstDelay);
        gates[2].Open();
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((3, 0, 2), (result.Statistics.Requests, result.Statistics.Retries, result.Statistics.HedgedRequests));
    }

    [Fact]
    public async Task Headers_SecondRequestFails_FailureIsReported()
    {
        S3.Put(Part);
        Gate never = new();
        S3.Before = (call, token) => call.Number == 1 ? never.PassAsync(token) : throw FakeS3.Error(HttpStatusCode.NotFound, "NoSuchKey");

        Task<DownloadResult> download = NewHedgingClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified);
        await never.Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => download.Within());
        Assert.Equal(HttpStatusCode.NotFound, error.StatusCode);
    }

    /// <summary>If many requests are overdue, the store as a whole is slow. Those that were sent again count until they are answered.</summary>
    [Fact]
    public async Task Headers_AllAreLate_OneIsSentAgainAtATime()
    {
        S3.Put(Part);
        Gate store = new();
        int sent = 0;
        S3.Before = (_, token) =>
        {
            Interlocked.Increment(ref sent);
            return store.PassAsync(token);
        };
        TransferClient client = NewHedgingClient();

        Task<DownloadResult>[] downloads = [.. Enumerable.Range(0, 8).Select(_ => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified))];
        await Deadline.Until(() => Volatile.Read(ref sent) == downloads.Length);
        await Time.AdvanceToTimerAsync(FirstDelay);
        await Deadline.Until(() => Volatile.Read(ref sent) == downloads.Length + 1);
        Time.Advance(2 * FirstDelay);
        store.Open();
        DownloadResult[] results = await Task.WhenAll(downloads).Within();

        Assert.Equal(1, results.Sum(result => result.Statistics.HedgedRequests));
    }

    [Fact]
    public async Task CallerCancels_DuringTheSecondRequest_Ends()
    {
        S3.Put(Part);
        Gate[] gates = [new(), new()];
        S3.Before = (call, token) => gates[call.Number - 1].PassAsync(token);
        using CancellationTokenSource cancel = new();
        TransferClient client = NewHedgingClient();

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified, null, cancel.Token);
        await gates[0].Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await gates[1].Reached;
        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => download.Within());
        await client.DisposeAsync();
        Assert.Equal(0, client.Context.Queue.InFlight);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(40_000)]
    [InlineData(Part - 1)]
    public async Task Body_NoDataArrives_AnotherConnectionContinuesAtThatByte(int at)
    {
        byte[] content = S3.Put(Part);
        Gate never = new();
        int silent = 1;
        S3.Body = (_, bytes) => Interlocked.Decrement(ref silent) >= 0 ? new ScriptedStream(bytes) { CueAt = at, Cue = never.PassAsync } : new ScriptedStream(bytes);
        MemoryStream target = new();

        Task<DownloadResult> download = NewHedgingClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await never.Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((2, 0, 1), (result.Statistics.Requests, result.Statistics.Retries, result.Statistics.HedgedRequests));
        Assert.Equal([0L, at], S3.Gets.Select(call => call.First!.Value));
    }

    [Fact]
    public async Task Body_IsSlow_AnotherConnectionContinues()
    {
        byte[] content = S3.Put(Large);
        Gate slow = new();
        S3.Body = (call, bytes) => call.Number == 1 ? new ScriptedStream(bytes) { CueAt = SlowAt, Cue = slow.PassAsync } : new ScriptedStream(bytes);
        MemoryStream target = new();
        TransferClient client = NewHedgingClient(o => o.DownloadPartSizeBytes = Large);
        LearnTimes(client, firstByteMs: 10);

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await slow.Reached;
        await Time.AdvanceToTimerAsync(client.Context.Hedging.BodyDelay(Large));
        DownloadResult result = await download.Within();
        await client.DisposeAsync();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((2, 0, 1), (result.Statistics.Requests, result.Statistics.Retries, result.Statistics.HedgedRequests));
        Assert.Equal([0L, SlowAt], S3.Gets.Select(call => call.First!.Value));
        Assert.Equal(Large, result.Statistics.BytesTransferred);
        Assert.Equal(0, client.Context.Queue.InFlight);
    }

    [Fact]
    public async Task Body_IsSlowAndTheSecondIsTooSlow_ThirdConnectionContinues()
    {
        byte[] content = S3.Put(Large);
        Gate slow = new();
        Gate slower = new();
        S3.Body = (call, bytes) => call.Number switch
        {
            1 => new ScriptedStream(bytes) { CueAt = SlowAt, Cue = slow.PassAsync },
            2 => new ScriptedStream(bytes) { CueAt = 10_000, Cue = slower.PassAsync },
            _ => new ScriptedStream(bytes),
        };
        MemoryStream target = new();
        TransferClient client = NewHedgingClient(o => o.DownloadPartSizeBytes = Large);
        LearnTimes(client, firstByteMs: 10);

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await slow.Reached;
        await Time.AdvanceToTimerAsync(client.Context.Hedging.BodyDelay(Large));
        await slower.Reached;
        await Time.AdvanceToTimerAsync(4 * client.Context.Hedging.BodyDelay(Large - SlowAt));
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((3, 0, 2), (result.Statistics.Requests, result.Statistics.Retries, result.Statistics.HedgedRequests));
        Assert.Equal([0L, SlowAt, SlowAt + 10_000], S3.Gets.Select(call => call.First!.Value));
    }

    [Fact]
    public async Task Body_IsSlowButFirstBytesAreSlower_NoSecondRequest()
    {
        byte[] content = S3.Put(Large);
        Gate slow = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = SlowAt, Cue = slow.PassAsync };
        MemoryStream target = new();
        TransferClient client = NewHedgingClient(o => o.DownloadPartSizeBytes = Large);
        LearnTimes(client, firstByteMs: 500);

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await slow.Reached;
        TimeSpan delay = client.Context.Hedging.BodyDelay(Large);
        await Time.AdvanceToTimerAsync(delay);
        await Time.AdvanceToTimerAsync(delay / 2); // it checks again later
        slow.Open();
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((1, 0), (result.Statistics.Requests, result.Statistics.HedgedRequests));
    }

    [Fact]
    public async Task CallerCancels_DuringTheRequestThatReplacesASlowBody_Ends()
    {
        S3.Put(Large);
        Gate slow = new();
        Gate second = new();
        S3.Before = (call, token) => call.Number == 2 ? second.PassAsync(token) : Task.CompletedTask;
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = SlowAt, Cue = slow.PassAsync };
        using CancellationTokenSource cancel = new();
        TransferClient client = NewHedgingClient(o => o.DownloadPartSizeBytes = Large);
        LearnTimes(client, firstByteMs: 10);

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified, null, cancel.Token);
        await slow.Reached;
        await Time.AdvanceToTimerAsync(client.Context.Hedging.BodyDelay(Large));
        await second.Reached;
        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => download.Within());
        await client.DisposeAsync();
        Assert.Equal(0, client.Context.Queue.InFlight);
    }

    [Fact]
    public async Task Store_HasThrottled_NoSecondRequest()
    {
        byte[] content = S3.Put(Part);
        Gate late = new();
        S3.Before = (call, token) => call.Number == 1 ? late.PassAsync(token) : Task.CompletedTask;
        MemoryStream target = new();
        TransferClient client = NewHedgingClient();
        client.Context.Hedging.Throttled();

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await late.Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await Time.AdvanceToTimerAsync(2 * FirstDelay); // it checks again later
        late.Open();
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.EachEqual((1, 0), (result.Statistics.Requests, result.Statistics.HedgedRequests));
    }

    [Fact]
    public async Task Store_Throttles_HedgingPauses()
    {
        S3.Put(Part);
        S3.Before = (call, _) => call.Number == 1 ? throw FakeS3.Error(HttpStatusCode.ServiceUnavailable, "SlowDown") : Task.CompletedTask;
        TransferClient client = NewHedgingClient();
        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified);
        await Deadline.Until(() => client.Context.Hedging.IsPaused);

        // The backoff is random, up to 100 ms. The timer that would start a hedge may still be set, and is due later.
        await Time.AdvanceToTimerAsync(TimeSpan.FromMilliseconds(100));

        DownloadResult result = await download.Within();
        Assert.EachEqual((1, 0), (result.Statistics.Retries, result.Statistics.HedgedRequests));
    }

    /// <summary>Lets the client learn how long requests usually take. A MiB takes 10 ms.</summary>
    private static void LearnTimes(TransferClient client, int firstByteMs)
    {
        for (int i = 0; i < 16; i++)
        {
            client.Context.Hedging.Responded(TimeSpan.FromMilliseconds(firstByteMs));
            client.Context.Hedging.Received(TimeSpan.FromMilliseconds(10), Sizes.MiB);
        }
    }

    private TransferClient NewHedgingClient(Action<TransferClientOptions>? configure = null)
    {
        TransferClient client = NewClient(o =>
        {
            o.HedgeRequests = true;
            configure?.Invoke(o);
        });
        Time.SkipDelaysBelow = TimeSpan.Zero;
        return client;
    }
}
