using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>The last-write time of a file in the metadata of an object.</summary>
public class ModificationTimeTests
{
    private static readonly DateTimeOffset Stored = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData(0L, "0")]
    [InlineData(1L, "0.0000001")]
    [InlineData(-1L, "-0.0000001")]
    [InlineData(17_000_000_001_234_567L, "1700000000.1234567")]
    [InlineData(17_000_000_000_000_000L, "1700000000")]
    public void Format_IsSecondsSince1970AndCanBeReadBack(long ticks, string text)
    {
        DateTimeOffset time = DateTimeOffset.UnixEpoch.AddTicks(ticks);

        Assert.Equal(text, ModificationTime.Format(time));
        Assert.Equal(time, ModificationTime.Get(Info(text)));
    }

    [Fact]
    public void Of_NanosecondsOfRclone_AreTruncated()
        => Assert.Equal(DateTimeOffset.UnixEpoch.AddTicks(17_000_000_001_234_567), ModificationTime.Get(Info("1700000000.123456789")));

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("yesterday")]
    [InlineData("1e9")]
    [InlineData("1,5")]
    [InlineData("999999999999999999999999999999")]
    [InlineData("79228162514264337593543950335")]
    [InlineData("-79228162514264337593543950335")]
    public void Of_NotATime_IsTheTimeOfTheStore(string? text) => Assert.Equal(Stored, ModificationTime.Get(Info(text)));

    private static ObjectInfo Info(string? text) => new()
    {
        Length = 0,
        LastModified = Stored,
        Metadata = text is null ? new Dictionary<string, string>() : new Dictionary<string, string> { ["mtime"] = text },
    };
}
