using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class DurationTextTests
{
    [Theory]
    [InlineData("0", 0)]
    [InlineData("40ms", 40)]
    [InlineData("2s", 2000)]
    [InlineData("1.5s", 1500)]
    [InlineData("2 m", 120_000)]
    [InlineData("1h", 3_600_000)]
    [InlineData("1d", 86_400_000)]
    public void TryParse_ValidText_ReturnsTheTime(string text, double milliseconds)
    {
        Assert.True(DurationText.TryParse(text, out TimeSpan time));
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), time);
    }

    [Theory]
    [InlineData("")]
    [InlineData("40")]
    [InlineData("ms")]
    [InlineData("-1s")]
    [InlineData("1us")]
    [InlineData("1sec")]
    [InlineData("99999999999999999999d")]
    public void TryParse_AnythingElse_ReturnsFalse(string text) => Assert.False(DurationText.TryParse(text, out _));

    [Theory]
    [InlineData("3600", 3_600_000)]
    [InlineData(" 1.5 ", 1500)]
    [InlineData("0", 0)]
    [InlineData("40ms", 40)]
    [InlineData("1h", 3_600_000)]
    public void TryParseWithSeconds_ValidText_ReturnsTheTime(string text, double milliseconds)
    {
        Assert.True(DurationText.TryParseWithSeconds(text, out TimeSpan time));
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), time);
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("-1")]
    [InlineData("1.2.3")]
    [InlineData("99999999999999999999")]
    public void TryParseWithSeconds_AnythingElse_ReturnsFalse(string text) => Assert.False(DurationText.TryParseWithSeconds(text, out _));

    [Fact]
    public void TryParse_AnyText_NeverThrows()
        => Prop.ForAll(
            ArbMap.Default.ArbFor<string>(),
            Gen.Elements("", "ms", "s", "d").ToArbitrary(),
            (text, unit) => DurationText.TryParse(text + unit, out _) || true).QuickCheckThrowOnFailure();
}
