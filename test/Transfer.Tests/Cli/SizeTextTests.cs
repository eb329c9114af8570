using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class SizeTextTests
{
    [Theory]
    [InlineData("0", 0)]
    [InlineData("1234", 1234)]
    [InlineData("8MiB", 8L << 20)]
    [InlineData("8mib", 8L << 20)]
    [InlineData(" 8 MiB ", 8L << 20)]
    [InlineData("8M", 8L << 20)]
    [InlineData("8MB", 8_000_000)]
    [InlineData("1.5GiB", 3L << 29)]
    [InlineData("64KiB", 65536)]
    [InlineData("1KB", 1000)]
    [InlineData("5TiB", 5L << 40)]
    [InlineData("7B", 7)]
    public void TryParse_ValidText_ReturnsTheBytes(string text, long bytes)
    {
        Assert.True(SizeText.TryParse(text, out long parsed));
        Assert.Equal(bytes, parsed);
    }

    [Theory]
    [InlineData("")]
    [InlineData("MiB")]
    [InlineData("-1")]
    [InlineData("1e3")]
    [InlineData("1,5MiB")]
    [InlineData("0.5B")]
    [InlineData("8MiBs")]
    [InlineData("8XB")]
    [InlineData("1.2.3")]
    [InlineData("9223372036854775808")]
    [InlineData("99999999TiB")]
    public void TryParse_AnythingElse_ReturnsFalse(string text) => Assert.False(SizeText.TryParse(text, out _));

    [Fact]
    public void TryParse_AnyText_NeverThrows()
        => Prop.ForAll(
            ArbMap.Default.ArbFor<string>(),
            text => (text is null || SizeText.TryParse(text, out _) || true) && (text is null || SizeText.TryParseRate(text, out _) || true)).QuickCheckThrowOnFailure();

    [Fact]
    public void TryParse_AnyNumberWithAnyUnit_NeverThrowsAndIsNeverNegative()
        => Prop.ForAll(
            ArbMap.Default.ArbFor<decimal>(),
            Gen.Elements("", "B", "KiB", "MB", "GiB", "T", "TiB").ToArbitrary(),
            (number, unit) => !SizeText.TryParse(Math.Abs(number) + unit, out long bytes) || bytes >= 0).QuickCheckThrowOnFailure();

    [Fact]
    public void TryParse_FormattedSize_ReturnsTheSameSize()
        => Prop.ForAll(
            Gen.Choose(0, 1_000_000).ToArbitrary(),
            number => SizeText.TryParse($"{number}KiB", out long bytes) && bytes == number * 1024L).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("40MiB", 40L << 20)]
    [InlineData("40MiB/s", 40L << 20)]
    [InlineData("1000", 1000)]
    public void TryParseRate_ValidText_ReturnsBytesPerSecond(string text, long rate)
    {
        Assert.True(SizeText.TryParseRate(text, out long parsed));
        Assert.Equal(rate, parsed);
    }
}
