using Transfer.S3.Bench.Text;

namespace Transfer.S3.Tests.Bench;

public sealed class UnitsTests
{
    [Theory]
    [InlineData(0.035, "35 ms")]
    [InlineData(0.9, "0.9 s")]
    [InlineData(12, "12 s")]
    [InlineData(125, "2m05s")]
    [InlineData(3725, "1h02m")]
    public void Duration_IsFormattedWithItsUnit(double seconds, string text) => Assert.Equal(text, Units.Duration(TimeSpan.FromSeconds(seconds)));

    [Theory]
    [InlineData(9 << 20, 0, 1, "")]
    [InlineData(9 << 20, 3, 1, " (3 MiB/s)")]
    [InlineData((1 << 20) - 1, 3, 1, "")]
    [InlineData(9 << 20, 3, 30, " (3 MiB/s, 10 objects/s)")]
    [InlineData(19, 2, 30, " (15 objects/s)")]
    [InlineData(19, 2, 1, "")]
    [InlineData(19, 60, 30, "")] // less than one object a second
    public void Rates_OfFewBytesOrNoTime_AreLeftOut(long bytes, double seconds, long objects, string text)
        => Assert.Equal(text, Units.Rates(bytes, TimeSpan.FromSeconds(seconds), objects));
}
