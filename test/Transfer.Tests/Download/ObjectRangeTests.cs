namespace Transfer.S3.Tests.Download;

public sealed class ObjectRangeTests
{
    [Theory]
    [InlineData(-1, null)]
    [InlineData(long.MaxValue, null)]
    [InlineData(0, 0L)]
    [InlineData(0, -1L)]
    public void From_OutOfRange_Rejected(long offset, long? length) => Assert.Throws<ArgumentOutOfRangeException>(() => ObjectRange.From(offset, length));

    [Fact]
    public void Last_ZeroBytes_Rejected() => Assert.Throws<ArgumentOutOfRangeException>(() => ObjectRange.Last(0));

    [Fact]
    public void ToString_IsTheHttpFormat()
        => Assert.Equal(
            ["bytes=0-99", "bytes=100-", "bytes=-5"],
            [ObjectRange.From(0, 100).ToString(), ObjectRange.From(100).ToString(), ObjectRange.Last(5).ToString()]);

    [Theory]
    [InlineData(0, 10L, 5, 0, 5)]
    [InlineData(2, 2L, 5, 2, 2)]
    [InlineData(2, long.MaxValue, 5, 2, 3)]
    [InlineData(0, 10L, 0, 0, 0)]
    public void Of_StopsAtTheEnd(long offset, long? length, long total, long expectedOffset, long expectedLength)
        => Assert.Equal((expectedOffset, expectedLength), ObjectRange.From(offset, length).Resolve(total));

    [Fact]
    public void Of_MoreLastBytesThanTheObject_IsTheWholeObject()
    {
        Assert.Equal((95, 5), ObjectRange.Last(5).Resolve(100));
        Assert.Equal((0, 3), ObjectRange.Last(5).Resolve(3));
        Assert.Equal((0, 0), ObjectRange.Last(5).Resolve(0));
    }
}
