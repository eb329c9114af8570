using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

public class RequestedRangeTests
{
    [Theory]
    [InlineData(0, 1, "bytes=0-0", 0, 1)]
    [InlineData(10, 90, "bytes=10-99", 10, 100)]
    [InlineData(10, 91, "bytes=10-100", 10, 100)]
    [InlineData(long.MaxValue - 5, 6, "bytes=9223372036854775802-9223372036854775807", long.MaxValue - 5, 100)]
    [InlineData(long.MaxValue - 5, 1000, "bytes=9223372036854775802-9223372036854775807", long.MaxValue - 5, 100)]
    [InlineData(long.MaxValue, long.MaxValue, "bytes=9223372036854775807-9223372036854775807", long.MaxValue, 100)]
    [InlineData(1, long.MaxValue, "bytes=1-9223372036854775807", 1, 100)]
    public void Header_AnyRange_DoesNotOverflow(long offset, long length, string header, long first, long end)
    {
        RequestedRange range = new(offset, length);

        Assert.Equal(header, range.Header);
        Assert.Equal((first, end), range.In(100));
        Assert.Equal(header.Replace('=', ' '), range.ToString());
    }

    [Fact]
    public void LastByte_NoRangeOrTheLastBytes_IsNotKnown()
    {
        Assert.Null(default(RequestedRange).LastByte);
        Assert.Null(RequestedRange.Last(10).LastByte);
        Assert.Equal((0, 0), new RequestedRange(0, 10).In(0));
    }
}
