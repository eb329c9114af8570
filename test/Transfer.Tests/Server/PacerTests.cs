using Transfer.S3.Server.Shaping;

namespace Transfer.S3.Tests.Server;

public sealed class PacerTests
{
    [Fact]
    public void Reserve_BackToBack_WaitsForEarlierReservations()
    {
        var clock = new FakeTimeProvider(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        var pacer = new Pacer(new LineRate(1000), clock);

        Assert.Equal(TimeSpan.FromSeconds(1), pacer.Reserve(1000));
        Assert.Equal(TimeSpan.FromSeconds(1.5), pacer.Reserve(500));
        clock.Advance(TimeSpan.FromSeconds(1.5));
        Assert.Equal(TimeSpan.FromSeconds(2), pacer.Reserve(2000));
    }

    [Fact]
    public void Reserve_AfterIdleTime_AllowsNoBurst()
    {
        var clock = new FakeTimeProvider(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        var pacer = new Pacer(new LineRate(1000), clock);
        clock.Advance(TimeSpan.FromHours(1));

        Assert.InRange(pacer.Reserve(1000), TimeSpan.FromSeconds(0.979), TimeSpan.FromSeconds(1));
    }

    [Fact]
    public void Reserve_AfterTheRateChanged_UsesTheNewRateAfterEarlierReservations()
    {
        var clock = new FakeTimeProvider(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        var rate = new LineRate(1000);
        var pacer = new Pacer(rate, clock);

        pacer.Reserve(1000);
        rate.BytesPerSecond = 500;
        Assert.Equal(TimeSpan.FromSeconds(3), pacer.Reserve(1000));
        rate.BytesPerSecond = 2000;
        Assert.Equal(TimeSpan.FromSeconds(3.5), pacer.Reserve(1000));
    }

    [Fact]
    public void Reserve_WithoutALimit_NeverWaits()
    {
        var clock = new FakeTimeProvider(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        var rate = new LineRate(null);
        var pacer = new Pacer(rate, clock);

        Assert.Equal(TimeSpan.Zero, pacer.Reserve(long.MaxValue));
        rate.BytesPerSecond = 1000;
        Assert.Equal(TimeSpan.FromSeconds(1), pacer.Reserve(1000));
        rate.BytesPerSecond = null;
        Assert.Equal(TimeSpan.Zero, pacer.Reserve(1000));
    }

    [Theory]
    [InlineData(null, null, null)]
    [InlineData(1L << 20, null, (1L << 20) / 200)]
    [InlineData(1L << 30, 1L << 20, (1L << 20) / 200)]
    [InlineData(1024L, null, 4096L)]
    [InlineData(1L << 30, 1L << 30, 65536L)]
    public void SliceBytes_FollowTheSlowerRate(long? own, long? shared, long? slice)
    {
        var clock = new FakeTimeProvider(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        var connection = new LineRate(null);
        var link = new LineRate(null);
        var direction = new PacedDirection(new Pacer(connection, clock), new Pacer(link, clock), clock);

        connection.BytesPerSecond = own;
        link.BytesPerSecond = shared;

        Assert.Equal(slice, direction.SliceBytes);
    }
}
