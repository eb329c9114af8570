using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

public sealed class StoredPartsTests
{
    [Theory]
    [InlineData("bytes 0-99/201", 3, 100L)]
    [InlineData("bytes 0-99/200", 2, 100L)]
    [InlineData("bytes 0-99/100", 1, null)] // in one piece
    [InlineData("bytes 0-199/201", 3, null)] // the first part is longer than the others
    [InlineData("bytes 0-9/201", 3, null)] // or shorter
    [InlineData("bytes 0-99/201", null, null)]
    [InlineData(null, 3, null)] // as some stores respond
    [InlineData("bytes 100-199/201", 3, null)]
    public void Of_PartsOfEqualLengthOnly_IsKnown(string? contentRange, int? count, long? expected) => Assert.Equal(expected, StoredParts.Parse(contentRange, count)?.LengthBytes);
}
