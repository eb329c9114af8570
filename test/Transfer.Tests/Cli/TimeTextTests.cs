using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class TimeTextTests
{
    private static readonly TimeZoneInfo Rome = TimeZoneInfo.CreateCustomTimeZone("r", TimeSpan.FromHours(1), "r", "r");
    private static readonly DateTimeOffset Time = new(2026, 11, 29, 13, 3, 7, TimeSpan.Zero);

    [Fact]
    public void Time_HasItsOffset()
    {
        Assert.Equal("2026-11-29 14:03:07 +01:00", TimeText.Get(Time, Rome));
        Assert.Equal("2026-11-29 13:03:07 Z", TimeText.Get(Time, TimeZoneInfo.Utc));
        Assert.All([Rome, TimeZoneInfo.Utc], static zone => Assert.Equal(TimeText.Width(zone), TimeText.Get(Time, zone).Length));
    }
}
