namespace Transfer.S3.Tests.Concurrency;

public sealed class RateLimitTests
{
    [Theory]
    [InlineData("20MiB", 20 << 20, null, null, "20MiB")]
    [InlineData(" 20M/s , up = 5MB ", 20 << 20, null, 5_000_000, "20MiB,up=5MB")]
    [InlineData("up=1.5MiB,down=1K", null, 1 << 10, 3 << 19, "down=1KiB,up=1536KiB")]
    [InlineData("none", null, null, null, "none")]
    [InlineData(" None ", null, null, null, "none")]
    public void Parse_Limits_CanBeWrittenAgain(string text, int? total, int? down, int? up, string written)
    {
        RateLimit limit = RateLimit.Parse(text);

        Assert.EachEqual(((long?)total, (long?)down, (long?)up), (limit.TotalBytesPerSecond, limit.DownloadBytesPerSecond, limit.UploadBytesPerSecond));
        Assert.Equal(written, limit.ToString());
        Assert.Equal(written, RateLimit.Parse(written).ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("1023")]
    [InlineData("1.1TiB")]
    [InlineData("1MiB,2MiB")]
    [InlineData("1MiB,")]
    [InlineData("up=1MiB,up=1MiB")]
    [InlineData("=1MiB")]
    [InlineData("side=1MiB")]
    [InlineData("none,1MiB")]
    public void Parse_AnythingElse_IsRejected(string text)
    {
        Assert.False(RateLimit.TryParse(text, out RateLimit? limit));
        Assert.Null(limit);
        string message = Assert.Throws<FormatException>(() => RateLimit.Parse(text)).Message;
        Assert.Contains($"'{text}'", message, StringComparison.Ordinal);
        Assert.Contains("from 1 KiB to 1 TiB per second", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_Null_IsRejected()
    {
        Assert.False(RateLimit.TryParse(null, out _));
        Assert.Throws<ArgumentNullException>(() => RateLimit.Parse(null!));
    }
}
