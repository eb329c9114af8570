using Transfer.S3.Server.Http;

namespace Transfer.S3.Tests.Server;

public sealed class ByteRangeTests
{
    [Theory]
    [InlineData("bytes=0-0", 10, 0, 1)]
    [InlineData("bytes=2-5", 10, 2, 4)]
    [InlineData("bytes=9-", 10, 9, 1)]
    [InlineData("bytes=0-", 10, 0, 10)]
    [InlineData("bytes=5-99999999999999999999999", 10, 5, 5)]
    [InlineData("bytes=-3", 10, 7, 3)]
    [InlineData("bytes=-99", 10, 0, 10)]
    [InlineData("BYTES=1-1", 10, 1, 1)]
    public void Resolve_Satisfiable_IsClippedToTheObject(string header, long size, long offset, long count) =>
        Assert.Equal(new ByteRange(offset, count), ByteRange.Resolve(header, size));

    [Theory]
    [InlineData(null)]
    [InlineData("bytes=0-1,4-5")]
    [InlineData("bytes=5-2")]
    [InlineData("bytes=-")]
    [InlineData("bytes=a-b")]
    [InlineData("bytes= 1 - 2")]
    [InlineData("lines=0-1")]
    [InlineData("bytes")]
    public void Resolve_AbsentOrUnreadable_IsTheWholeObject(string? header) => Assert.Null(ByteRange.Resolve(header, 10));

    [Theory]
    [InlineData("bytes=10-", 10)]
    [InlineData("bytes=10-20", 10)]
    [InlineData("bytes=0-0", 0)]
    [InlineData("bytes=-0", 10)]
    [InlineData("bytes=-5", 0)]
    [InlineData("bytes=99999999999999999999999-", 10)]
    public void Resolve_OutsideTheObject_IsInvalidRangeWithTheSize(string header, long size)
    {
        S3Exception error = Assert.Throws<S3Exception>(() => ByteRange.Resolve(header, size));

        Assert.Equal(416, error.Status);
        Assert.Contains(new KeyValuePair<string, string>("ActualObjectSize", size.ToString()), error.Details);
    }

    [Fact]
    public void ResolveExact_InsideTheSource_IsTheRange() => Assert.Equal(new ByteRange(3, 7), ByteRange.ResolveExact("bytes=3-9", 10));

    [Theory]
    [InlineData("bytes=3-10")]
    [InlineData("bytes=3-")]
    [InlineData("bytes=-3")]
    [InlineData("3-9")]
    public void ResolveExact_AnythingElse_IsInvalidArgument(string header) =>
        Assert.Equal("InvalidArgument", Assert.Throws<S3Exception>(() => ByteRange.ResolveExact(header, 10)).Code);
}
