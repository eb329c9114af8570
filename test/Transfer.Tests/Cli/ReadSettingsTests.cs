using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class ReadSettingsTests
{
    [Theory]
    [InlineData("0-99", "bytes=0-99")]
    [InlineData("5-5", "bytes=5-5")]
    [InlineData("100-", "bytes=100-")]
    [InlineData("-7", "bytes=-7")]
    public void TryParseRange_HttpRange_IsParsed(string text, string expected)
    {
        Assert.True(ReadSettings.TryParseRange(text, out ObjectRange range));
        Assert.Equal(expected, range.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("5")]
    [InlineData("-")]
    [InlineData("-0")]
    [InlineData("9-8")]
    [InlineData("a-b")]
    [InlineData("1-2-3")]
    [InlineData("1 - 2")]
    [InlineData("9223372036854775807-")]
    public void TryParseRange_Invalid_ReturnsFalse(string text) => Assert.False(ReadSettings.TryParseRange(text, out _));

    [Theory]
    [InlineData("--range 5")]
    [InlineData("--sse-c-key-file /no/such/file")]
    public void Resolve_InvalidValue_ErrorNamesTheOption(string line)
    {
        ReadOptions options = new();
        ReadSettings settings = new(CliLine.Values(options.AddTo, line), options);
        UsageException e = Assert.Throws<UsageException>(() => ((object?)settings.Range, settings.CustomerKey));
        Assert.StartsWith(line.Split(' ')[0], e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Range_Variable_IsNotRead()
    {
        ReadOptions options = new();
        Assert.Null(new ReadSettings(CliLine.Values(options.AddTo, string.Empty, ("TRANSFER_RANGE", "0-9")), options).Range);
    }
}
