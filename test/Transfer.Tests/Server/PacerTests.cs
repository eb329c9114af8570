using Transfer.Server.Shaping;

namespace Transfer.Tests.Server;

public sealed class PacerTests
{
    [Fact]
    public void Reserve_BackToBack_EachWaitsForThoseBefore()
    {
        var clock = new ManualClock();
        var pacer = new Pacer(1000, clock);

        Assert.Equal(TimeSpan.FromSeconds(1), pacer.Reserve(1000));
        Assert.Equal(TimeSpan.FromSeconds(1.5), pacer.Reserve(500));
        clock.Advance(TimeSpan.FromSeconds(1.5));
        Assert.Equal(TimeSpan.FromSeconds(2), pacer.Reserve(2000));
    }

    [Fact]
    public void Reserve_AfterIdleTime_IsNoBurst()
    {
        var clock = new ManualClock();
        var pacer = new Pacer(1000, clock);
        clock.Advance(TimeSpan.FromHours(1));

        Assert.InRange(pacer.Reserve(1000), TimeSpan.FromSeconds(0.979), TimeSpan.FromSeconds(1));
    }

    private sealed class ManualClock : TimeProvider
    {
        private long _ticks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _ticks;

        public void Advance(TimeSpan by) => _ticks += by.Ticks;
    }
}
