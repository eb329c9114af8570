using Transfer.Cli.Rendering;

namespace Transfer.Tests.Cli;

public sealed class UnitsTests
{
    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(1023, "1023 B")]
    [InlineData(1024, "1 KiB")]
    [InlineData(1536, "1.5 KiB")]
    [InlineData(8 << 20, "8 MiB")]
    [InlineData((1 << 20) - 1, "1 MiB")]
    [InlineData(431L << 20, "431 MiB")]
    [InlineData(1181116006, "1.1 GiB")]
    [InlineData(5L << 40, "5 TiB")]
    public void Size_IsFormattedWithItsUnit(long bytes, string text) => Assert.Equal(text, Units.Size(bytes));

    [Theory]
    [InlineData(0.035, "35 ms")]
    [InlineData(0.9, "0.9 s")]
    [InlineData(12, "12 s")]
    [InlineData(125, "2m05s")]
    [InlineData(3725, "1h02m")]
    public void Duration_IsFormattedWithItsUnit(double seconds, string text) => Assert.Equal(text, Units.Duration(TimeSpan.FromSeconds(seconds)));

    [Fact]
    public void Rate_NoTime_IsUnknown() => Assert.Equal("-", Units.Rate(1, TimeSpan.Zero));
}
