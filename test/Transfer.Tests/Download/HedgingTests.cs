using System.Net;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Download;

public sealed class HedgingTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int Large = 512 * 1024;
    private const int SlowAt = 128 * 1024;
    private static readonly TimeSpan FirstDelay = TimeSpan.FromSeconds(1);
    private static readonly DownloadOptions Unverified = new() { Verify = false }; // no requests other than those for the data

    [Fact]
    public async Task Headers_AreLate_SecondRequestWins()
    {
        byte[] content = S3.Put(Part);
        Gate never = new();
        S3.Before = (call, token) => call.Number == 1 ? never.PassAsync(token) : Task.CompletedTask;
        MemoryStream target = new();

        Task<DownloadResult> download = NewHedgingClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await never.Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal((2, 0, 1), (result.Requests, result.Retries, result.Hedged));
    }

    [Fact]
    public async Task Headers_AreLateButFirst_SecondRequestIsCanceled()
    {
        byte[] content = S3.Put(Part);
        Gate[] gates = [new(), new()];
        int canceled = 0;
        S3.Before = async (call, token) =>
        {
            try
            {
                await gates[call.Number - 1].PassAsync(token);
            }
            catch (OperationCanceledException)
            {
                canceled = call.Number;
                throw;
            }
        };
        MemoryStream target = new();
        TransferClient client = NewHedgingClient();

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await gates[0].Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await gates[1].Reached;
        gates[0].Open();
        DownloadResult result = await download.Within();
        await client.DisposeAsync(); // waits for the slower request

        Assert.Equal(content, target.ToArray());
        Assert.Equal((2, 1), (result.Requests, result.Hedged));
        Assert.Equal(2, canceled);
    }

    [Fact]
    public async Task Headers_FirstRequestFails_SecondIsUsed()
    {
        byte[] content = S3.Put(Part);
        Gate[] gates = [new(), new()];
        S3.Before = async (call, token) =>
        {
            await gates[call.Number - 1].PassAsync(token);
            if (call.Number == 1)
            {
                throw FakeS3.Busy();
            }
        };
        MemoryStream target = new();

        Task<DownloadResult> download = NewHedgingClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await gates[0].Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await gates[1].Reached;
        gates[0].Open();
        gates[1].Open();
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal((0, 1), (result.Retries, result.Hedged));
    }

    [Fact]
    public async Task Headers_BothFail_FirstFailureIsReported()
    {
        S3.Put(Part);
        Gate[] gates = [new(), new()];
        S3.Before = async (call, token) =>
        {
            await gates[call.Number - 1].PassAsync(token);
            throw FakeS3.Error(HttpStatusCode.NotFound, "NoSuchKey");
        };

        Task<DownloadResult> download = NewHedgingClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), Unverified);
        await gates[0].Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await gates[1].Reached;
        gates[0].Open();
        gates[1].Open();

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => download.Within());
        Assert.Equal(HttpStatusCode.NotFound, error.StatusCode);
    }

    [Fact]
    public async Task CallerCancels_DuringTwoRequests_BothEnd()
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
        Assert.Equal(0, client.Context.Scheduler.Queue.InFlight);
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
        Assert.Equal((2, 0, 1), (result.Requests, result.Retries, result.Hedged));
        Assert.Equal([0L, at], S3.Gets.Select(call => call.First!.Value));
    }

    [Fact]
    public async Task Body_ContinuesDuringTheSecondRequest_IsUsed()
    {
        byte[] content = S3.Put(Part);
        Gate body = new();
        Gate second = new();
        S3.Before = (call, token) => call.Number == 2 ? second.PassAsync(token) : Task.CompletedTask;
        S3.Body = (call, bytes) => call.Number == 1 ? new ScriptedStream(bytes) { CueAt = 1000, Cue = body.PassAsync } : new ScriptedStream(bytes);
        MemoryStream target = new();
        TransferClient client = NewHedgingClient();

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await body.Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await second.Reached;
        body.Open();
        DownloadResult result = await download.Within();
        second.Open();
        await client.DisposeAsync();

        Assert.Equal(content, target.ToArray());
        Assert.Equal((2, 1), (result.Requests, result.Hedged));
        Assert.Equal(0, client.Context.Scheduler.Queue.InFlight);
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(4 * 1024, true)]
    [InlineData(100_000, true)]
    [InlineData(Large - SlowAt - 1, false)] // the rest arrives earlier than from another connection
    public async Task Body_IsSlow_AnotherConnectionTakesOver(int overlap, bool takesOver)
    {
        byte[] content = S3.Put(Large);
        Gate slow = new();
        Gate slower = new();
        Gate second = new();
        S3.Before = (call, token) => call.Number == 2 ? second.PassAsync(token) : Task.CompletedTask;
        S3.Body = (call, bytes) => call.Number == 1 ? SlowBody(bytes, slow, overlap, slower) : new ScriptedStream(bytes);
        MemoryStream target = new();
        TransferClient client = NewHedgingClient(o => o.DownloadPartSizeBytes = Large);
        LearnTimes(client, firstByteMs: 10);

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await slow.Reached;
        await Time.AdvanceToTimerAsync(client.Context.Hedging.BodyDelay(Large));
        await second.Reached;
        slow.Open();
        await slower.Reached;
        second.Open();
        if (!takesOver)
        {
            slower.Open();
        }

        DownloadResult result = await download.Within();
        await client.DisposeAsync(); // waits for the slower request

        Assert.Equal(content, target.ToArray());
        Assert.Equal((2, 0, 1), (result.Requests, result.Retries, result.Hedged));
        Assert.Equal([0L, SlowAt], S3.Gets.Select(call => call.First!.Value));
        Assert.Equal(Large, result.BytesTransferred);
        Assert.Equal(0, client.Context.Scheduler.Queue.InFlight);
    }

    [Fact]
    public async Task Body_IsSlowAndTheSecondStallsEarly_ThirdConnectionTakesOver()
    {
        byte[] content = S3.Put(Large);
        Gate slow = new();
        Gate slower = new();
        Gate second = new();
        Gate silent = new();
        Gate third = new();
        S3.Before = (call, token) => call.Number switch
        {
            2 => second.PassAsync(token),
            3 => third.PassAsync(token),
            _ => Task.CompletedTask,
        };
        S3.Body = (call, bytes) => call.Number switch
        {
            1 => SlowBody(bytes, slow, 100_000, slower),
            2 => new ScriptedStream(bytes) { CueAt = 1000, Cue = silent.PassAsync },
            _ => new ScriptedStream(bytes),
        };
        MemoryStream target = new();
        TransferClient client = NewHedgingClient(o => o.DownloadPartSizeBytes = Large);
        LearnTimes(client, firstByteMs: 10);

        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await slow.Reached;
        await Time.AdvanceToTimerAsync(client.Context.Hedging.BodyDelay(Large));
        await second.Reached;
        slow.Open();
        await slower.Reached;
        second.Open();
        await silent.Reached;

        // The read has begun, but its timer may be set after that, and timers of the first response are due, too.
        while (!third.Reached.IsCompleted)
        {
            await Task.WhenAny(third.Reached, Time.AdvanceToTimerAsync(client.Context.Hedging.SilenceDelay));
        }

        third.Open();
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal((3, 0, 2), (result.Requests, result.Retries, result.Hedged));
        Assert.Equal([0L, SlowAt, SlowAt + 1000], S3.Gets.Select(call => call.First!.Value));
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
        Assert.Equal((1, 0), (result.Requests, result.Hedged));
    }

    [Fact]
    public async Task CallerCancels_DuringTheRequestThatReplacesASlowBody_BothEnd()
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
        Assert.Equal(0, client.Context.Scheduler.Queue.InFlight);
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
        Assert.Equal((1, 0), (result.Requests, result.Hedged));
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
        Assert.Equal((1, 0), (result.Retries, result.Hedged));
    }

    [Fact]
    public async Task OneSlot_IsTaken_NoSecondRequest()
    {
        byte[] content = S3.Put(Part);
        Gate late = new();
        S3.Before = (call, token) => call.Number == 1 ? late.PassAsync(token) : Task.CompletedTask;
        MemoryStream target = new();

        Task<DownloadResult> download = NewHedgingClient(o => o.Concurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, Unverified);
        await late.Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        late.Open();
        DownloadResult result = await download.Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal((1, 0), (result.Requests, result.Hedged));
    }

    /// <summary>Makes a body that stops twice.</summary>
    private static ScriptedStream SlowBody(ReadOnlyMemory<byte> bytes, Gate first, int between, Gate second)
    {
        ScriptedStream body = new(bytes) { CueAt = SlowAt };
        body.Cue = async token =>
        {
            await first.PassAsync(token);
            (body.CueAt, body.Cue) = (SlowAt + between, second.PassAsync);
        };
        return body;
    }

    /// <summary>Lets the client learn how long requests usually take. A MiB takes 10 ms.</summary>
    private static void LearnTimes(TransferClient client, int firstByteMs)
    {
        for (int i = 0; i < 16; i++)
        {
            client.Context.Hedging.Responded(TimeSpan.FromMilliseconds(firstByteMs), Sizes.MiB);
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
