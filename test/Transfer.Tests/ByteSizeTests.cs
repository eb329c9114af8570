using FsCheck;
using FsCheck.Fluent;

namespace Transfer.S3.Tests;

public sealed class ByteSizeTests
{
    private const long MiB = 1 << 20;

    [Theory]
    [InlineData("0", 0)]
    [InlineData("1234", 1234)]
    [InlineData("8MiB", 8 * MiB)]
    [InlineData("8mib", 8 * MiB)]
    [InlineData(" 8 MiB ", 8 * MiB)]
    [InlineData("8M", 8 * MiB)]
    [InlineData("8MB", 8_000_000)]
    [InlineData("1.5GiB", 3L << 29)]
    [InlineData("1.5k", 1536)]
    [InlineData("64KiB", 65536)]
    [InlineData("1KB", 1000)]
    [InlineData("5TiB", 5L << 40)]
    [InlineData("5TB", 5_000_000_000_000)]
    [InlineData("7B", 7)]
    [InlineData("9223372036854775807", long.MaxValue)]
    public void Parse_Size_ReturnsTheBytes(string text, long bytes)
    {
        Assert.Equal(bytes, ByteSize.Parse(text));
        Assert.True(ByteSize.TryParse(text, out long parsed));
        Assert.Equal(bytes, parsed);
    }

    [Theory]
    [InlineData("")]
    [InlineData("MiB")]
    [InlineData(".")]
    [InlineData("-1")]
    [InlineData("1e3")]
    [InlineData("1,5MiB")]
    [InlineData("0.5B")]
    [InlineData("0.0001K")]
    [InlineData("8MiBs")]
    [InlineData("8MiB/s")]
    [InlineData("8XB")]
    [InlineData("1.2.3")]
    [InlineData("9223372036854775808")]
    [InlineData("99999999TiB")]
    public void Parse_AnythingElse_IsRejected(string text)
    {
        Assert.False(ByteSize.TryParse(text, out long parsed));
        Assert.Equal(0, parsed);
        Assert.Contains($"'{text}'", Assert.Throws<FormatException>(() => ByteSize.Parse(text)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_Null_IsRejected()
    {
        Assert.False(ByteSize.TryParse(null, out _));
        Assert.False(ByteSize.TryParseRate(null, out _));
        Assert.Throws<ArgumentNullException>(() => ByteSize.Parse(null!));
    }

    [Fact]
    public void TryParse_AnyText_NeverThrows()
        => Prop.ForAll(
            ArbMap.Default.ArbFor<string>(), text => (ByteSize.TryParse(text, out _) || true) && (ByteSize.TryParseRate(text, out _) || true)).QuickCheckThrowOnFailure();

    [Fact]
    public void TryParse_AnyNumberWithAnyUnit_NeverThrowsAndIsNeverNegative()
        => Prop.ForAll(
            ArbMap.Default.ArbFor<decimal>(),
            Gen.Elements("", "B", "KiB", "MB", "GiB", "T", "TiB").ToArbitrary(),
            (number, unit) => !ByteSize.TryParse(Math.Abs(number) + unit, out long bytes) || bytes >= 0).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("40MiB", 40 * MiB)]
    [InlineData("40MiB/s", 40 * MiB)]
    [InlineData(" 1.5 M /S ", 3 * MiB / 2)]
    [InlineData("1000", 1000)]
    public void TryParseRate_Rate_ReturnsBytesPerSecond(string text, long rate)
    {
        Assert.True(ByteSize.TryParseRate(text, out long parsed));
        Assert.Equal(rate, parsed);
    }

    [Theory]
    [InlineData("/s")]
    [InlineData("40MiB/s/s")]
    [InlineData("40MiB/m")]
    public void TryParseRate_AnythingElse_ReturnsFalse(string text) => Assert.False(ByteSize.TryParseRate(text, out _));

    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(0.25, "0.3 B")]
    [InlineData(1023, "1023 B")]
    [InlineData(1024, "1 KiB")]
    [InlineData(1536, "1.5 KiB")]
    [InlineData(-1536, "-1.5 KiB")]
    [InlineData(8 * MiB, "8 MiB")]
    [InlineData(MiB - 1, "1 MiB")]
    [InlineData(431 * MiB, "431 MiB")]
    [InlineData((431 * MiB) + 400_000, "431 MiB")]
    [InlineData(1181116006, "1.1 GiB")]
    [InlineData(5L << 40, "5 TiB")]
    [InlineData(7L << 60, "7168 PiB")]
    public void Format_IsInTheLargestUnit(double bytes, string text) => Assert.Equal(text, ByteSize.Format(bytes));

    [Theory]
    [InlineData(16 * MiB, "16MiB")]
    [InlineData(8_000_000, "8MB")]
    [InlineData(1_000_000_000, "1GB")]
    [InlineData(1L << 30, "1GiB")]
    [InlineData(65_536, "64KiB")]
    [InlineData(1_234_567, "1234567")]
    [InlineData(0, "0")]
    public void FormatExact_CanBeParsedAgain(long bytes, string text)
    {
        Assert.Equal(text, ByteSize.FormatExact(bytes));
        Assert.Equal(bytes, ByteSize.Parse(text));
    }
}
