using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class ShapingTests
{
    private static readonly DateTimeOffset Start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public async Task FirstByteDelay_DelaysTheResponse()
    {
        var time = new SteppedClock(Start);
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(
            time, new() { AllowAnonymous = true, FirstByteDelay = TimeSpan.FromSeconds(40) });
        using var raw = new RawClient(server);

        Task<RawAnswer> answer = raw.SendAsync(raw.Plain("GET", "/"));
        await time.TimerWaitingAsync();
        time.Advance(TimeSpan.FromSeconds(39));
        Assert.False(answer.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(200, (await answer.Within()).Status);
        Assert.Equal("Tue, 01 Jan 2030 00:00:00 GMT", (await answer).Header("Date"));
    }

    [Fact]
    public async Task FirstByteDelay_Changed_AppliesToLaterResponses()
    {
        var time = new SteppedClock(Start);
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(
            time, new() { AllowAnonymous = true, FirstByteDelay = TimeSpan.FromSeconds(1) });
        using var raw = new RawClient(server);

        Task<RawAnswer> before = raw.SendAsync(raw.Plain("GET", "/"));
        await time.TimerWaitingAsync();
        server.FirstByteDelay = TimeSpan.FromSeconds(10);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(200, (await before.Within()).Status);

        Task<RawAnswer> behind = raw.SendAsync(raw.Plain("GET", "/"));
        await time.TimerWaitingAsync();
        time.Advance(TimeSpan.FromSeconds(9));
        Assert.False(behind.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(200, (await behind.Within()).Status);
    }

    [Fact]
    public async Task MaxRequests_Exceeded_ReturnsSlowDownUntilARequestEnds()
    {
        var time = new SteppedClock(Start);
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(
            time, new() { AllowAnonymous = true, FirstByteDelay = TimeSpan.FromSeconds(40), MaxRequests = 1 });
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
        Assert.Equal(1, server.Statistics.RejectedRequests);
        Assert.Contains("SlowDown", (await second).Text, StringComparison.Ordinal);
        await Deadline.Until(() => server.Statistics.ActiveRequests == 0);
        Task<RawAnswer> third = raw.SendAsync(raw.Plain("GET", "/"));
        await time.TimerWaitingAsync();
        time.Advance(TimeSpan.FromSeconds(40));
        Assert.Equal(200, (await third.Within()).Status);
    }

    [Fact]
    public async Task SlowHeaders_TakeTwentyTimesAsLong()
    {
        var time = new SteppedClock(Start);
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(time, new()
        {
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

        Assert.Equal(200, (await answer.Within()).Status);
    }

    [Theory]
    [InlineData(1L << 20, null)]
    [InlineData(null, 1L << 20)]
    [InlineData(2L << 20, 1L << 20)]
    public async Task Rate_OneMebibytePerSecond_TakesTheExpectedTime(long? connection, long? link)
    {
        var time = new SteppedClock(Start);
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(time, new()
        {
            AllowAnonymous = true,
            Buckets = ["bucket"],
            ConnectionBytesPerSecond = connection,
            LinkBytesPerSecond = link,
        });
        using var raw = new RawClient(server);
        byte[] data = Sample.Bytes(3 << 20);

        Task<RawAnswer> put = raw.SendAsync(raw.Plain("PUT", "/bucket/k", data));
        TimeSpan up = await RunAsync(time, put);
        Task<RawAnswer> get = raw.SendAsync(raw.Plain("GET", "/bucket/k"));
        TimeSpan down = await RunAsync(time, get);

        Assert.Equal(200, (await put).Status);
        Assert.Equal(200, (await get).Status);
        Assert.Equal(data, (await get).Body);
        Assert.InRange(up, TimeSpan.FromSeconds(2.9), TimeSpan.FromSeconds(3.1));
        Assert.InRange(down, TimeSpan.FromSeconds(2.9), TimeSpan.FromSeconds(3.1));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Rate_HalvedWithinABody_TheRestTakesTwiceAsLong(bool ofLink)
    {
        var time = new SteppedClock(Start);
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(time, new() { AllowAnonymous = true, Buckets = ["bucket"] });
        using var raw = new RawClient(server);
        byte[] data = Sample.Bytes(2 << 20);
        Assert.Equal(200, (await raw.SendAsync(raw.Plain("PUT", "/bucket/k", data)).Within()).Status); // without a limit, no time passes
        Set(1 << 20);

        Task<RawAnswer> get = raw.SendAsync(raw.Plain("GET", "/bucket/k"));
        TimeSpan first = await RunAsync(time, get, until: () => server.Statistics.BytesSent >= 1 << 20);
        Set(1 << 19);
        TimeSpan second = await RunAsync(time, get);

        Assert.Equal(200, (await get).Status);
        Assert.Equal(data, (await get).Body);
        Assert.InRange(first, TimeSpan.FromSeconds(0.95), TimeSpan.FromSeconds(1.05));
        Assert.InRange(second, TimeSpan.FromSeconds(1.9), TimeSpan.FromSeconds(2.1));

        void Set(long bytesPerSecond)
        {
            if (ofLink)
            {
                server.LinkBytesPerSecond = bytesPerSecond;
            }
            else
            {
                server.ConnectionBytesPerSecond = bytesPerSecond;
            }
        }
    }

    [Fact]
    public async Task Shaping_OutOfRange_IsRejectedAndUnchanged()
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(
            new() { FirstByteDelay = TimeSpan.FromSeconds(1), ConnectionBytesPerSecond = 2048, LinkBytesPerSecond = 4096 }).Within();

        Assert.Contains("FirstByteDelay", Assert.Throws<ArgumentException>(() => server.FirstByteDelay = TimeSpan.FromMinutes(5) + TimeSpan.FromTicks(1)).Message, StringComparison.Ordinal);
        Assert.Contains("FirstByteDelay", Assert.Throws<ArgumentException>(() => server.FirstByteDelay = TimeSpan.FromTicks(-1)).Message, StringComparison.Ordinal);
        Assert.Contains("ConnectionBytesPerSecond", Assert.Throws<ArgumentException>(() => server.ConnectionBytesPerSecond = 1023).Message, StringComparison.Ordinal);
        Assert.Contains("LinkBytesPerSecond", Assert.Throws<ArgumentException>(() => server.LinkBytesPerSecond = 0).Message, StringComparison.Ordinal);

        Assert.EachEqual((TimeSpan.FromSeconds(1), 2048L, 4096L), (server.FirstByteDelay, server.ConnectionBytesPerSecond, server.LinkBytesPerSecond));
        server.FirstByteDelay = TimeSpan.FromMinutes(5);
        server.ConnectionBytesPerSecond = 1024;
        server.LinkBytesPerSecond = null;
    }

    /// <summary>Advances the clock in small steps, each only when something waits for it.</summary>
    private static async Task<TimeSpan> RunAsync(SteppedClock time, Task<RawAnswer> answer, Func<bool>? until = null)
    {
        long start = time.GetTimestamp();
        while (!answer.IsCompleted && until?.Invoke() != true)
        {
            Task waiting = time.TimerWaitingAsync();
            if (await Task.WhenAny(waiting, answer).Within() == waiting)
            {
                time.Advance(TimeSpan.FromMilliseconds(1));
            }
        }

        return time.GetElapsedTime(start);
    }
}
