using Transfer.IntegrationTests.Infrastructure;
using Transfer.Server;

namespace Transfer.IntegrationTests.Server;

public sealed class ShapingTests
{
    private static readonly DateTimeOffset Start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public async Task FirstByteDelay_HoldsTheAnswerBack()
    {
        var time = new ManualTime(Start);
        await using EmbeddedS3Server server = await StartAsync(
            new() { TimeProvider = time, AllowAnonymous = true, FirstByteDelay = TimeSpan.FromSeconds(40) });
        using var raw = new RawClient(server);

        Task<RawAnswer> answer = raw.SendAsync(raw.Plain("GET", "/"));
        await time.TimerWaitingAsync();
        time.Advance(TimeSpan.FromSeconds(39));
        Assert.False(answer.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(200, (await answer.InTime()).Status);
        Assert.Equal("Tue, 01 Jan 2030 00:00:00 GMT", (await answer).Header("Date"));
    }

    [Fact]
    public async Task MaxRequests_FurtherOnesGetSlowDown_UntilOneHasEnded()
    {
        var time = new ManualTime(Start);
        await using EmbeddedS3Server server = await StartAsync(
            new() { TimeProvider = time, AllowAnonymous = true, FirstByteDelay = TimeSpan.FromSeconds(40), MaxRequests = 1 });
        using var raw = new RawClient(server);

        Task<RawAnswer> first = raw.SendAsync(raw.Plain("GET", "/"));
        await time.TimerWaitingAsync();
        Task<RawAnswer> second = raw.SendAsync(raw.Plain("GET", "/"));
        await Deadline.Until(() => server.Requests.Count == 2);
        Task<RawAnswer[]> both = Task.WhenAll(first, second);
        while (!both.IsCompleted)
        {
            time.Advance(TimeSpan.FromSeconds(40)); // the second timer may not be set yet
            await Task.Yield();
        }

        Assert.Equal([200, 503], (await both).Select(answer => answer.Status));
        Assert.Contains("SlowDown", (await second).Text, StringComparison.Ordinal);
        await Deadline.Until(() => server.Statistics.ActiveRequests == 0);
        Task<RawAnswer> third = raw.SendAsync(raw.Plain("GET", "/"));
        await time.TimerWaitingAsync();
        time.Advance(TimeSpan.FromSeconds(40));
        Assert.Equal(200, (await third.InTime()).Status);
    }

    [Fact]
    public async Task SlowHeaders_TakeTwentyTimesAsLong()
    {
        var time = new ManualTime(Start);
        await using EmbeddedS3Server server = await StartAsync(new()
        {
            TimeProvider = time,
            AllowAnonymous = true,
            FirstByteDelay = TimeSpan.FromSeconds(1),
            Faults = new FaultPlan { Probabilities = new Dictionary<ServerFault, double> { [ServerFault.SlowHeaders] = 1 } },
        });
        using var raw = new RawClient(server);

        Task<RawAnswer> answer = raw.SendAsync(raw.Plain("GET", "/"));
        await time.TimerWaitingAsync();
        time.Advance(TimeSpan.FromSeconds(19));
        await time.TimerWaitingAsync();
        Assert.False(answer.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(200, (await answer.InTime()).Status);
    }

    [Theory]
    [InlineData(1L << 20, null)]
    [InlineData(null, 1L << 20)]
    [InlineData(2L << 20, 1L << 20)]
    public async Task Rate_OneMebibyteASecond_TakesAsLongAsItShould(long? connection, long? link)
    {
        var time = new ManualTime(Start);
        await using EmbeddedS3Server server = await StartAsync(new()
        {
            TimeProvider = time,
            AllowAnonymous = true,
            Buckets = ["bucket"],
            ConnectionBytesPerSecond = connection,
            LinkBytesPerSecond = link,
        });
        using var raw = new RawClient(server);
        byte[] data = TestBytes.Create(3 << 20);

        TimeSpan up = await RunAsync(time, raw.SendAsync(raw.Plain("PUT", "/bucket/k", data)));
        Task<RawAnswer> get = raw.SendAsync(raw.Plain("GET", "/bucket/k"));
        TimeSpan down = await RunAsync(time, get);

        Assert.Equal(data, (await get).Body);
        Assert.InRange(up, TimeSpan.FromSeconds(2.9), TimeSpan.FromSeconds(3.1));
        Assert.InRange(down, TimeSpan.FromSeconds(2.9), TimeSpan.FromSeconds(3.1));
    }

    /// <summary>Lets time pass in small steps, each only when somebody waits for it.</summary>
    private static async Task<TimeSpan> RunAsync(ManualTime time, Task<RawAnswer> answer)
    {
        long start = time.GetTimestamp();
        while (!answer.IsCompleted)
        {
            Task waiting = time.TimerWaitingAsync();
            if (await Task.WhenAny(waiting, answer).InTime() == waiting)
            {
                time.Advance(TimeSpan.FromMilliseconds(1));
            }
        }

        Assert.Equal(200, (await answer).Status);
        return time.GetElapsedTime(start);
    }

    private static Task<EmbeddedS3Server> StartAsync(EmbeddedS3ServerOptions options) => EmbeddedS3Server.StartAsync(options).InTime();
}
