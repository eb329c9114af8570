using System.Net;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

public class ReceivedRangeTests
{
    [Theory]
    [InlineData("bytes 0-9/100", 10, 0, 10, 10, 100)]
    [InlineData("bytes 90-99/100", 10, 90, 20, 10, 100)]
    [InlineData("bytes 0-99/100", 100, 0, 100, 100, 100)]
    [InlineData(null, 100, 0, 10, 100, 100)]
    [InlineData(null, 0, 0, 10, 0, 0)]
    [InlineData("bytes 0-9/100", -1, 0, 10, 10, 100)]
    public void Check_RequestedRange_IsAccepted(string? contentRange, long contentLength, long offset, long length, long expectedLength, long expectedTotal)
        => Assert.Equal(
            new ReceivedRange(contentRange is null ? 0 : offset, expectedLength, expectedTotal),
            ReceivedRange.Check(contentRange is null ? HttpStatusCode.OK : HttpStatusCode.PartialContent, contentRange, contentLength, "id", new RequestedRange(offset, length)));

    [Theory]
    [InlineData(0, 1)]
    [InlineData(0, 0)]
    [InlineData(-1, 1)] // the last bytes
    public void Check_FirstByteOfAnEmptyObject_IsAccepted(long offset, long contentLength)
        => Assert.Equal(
            new ReceivedRange(0, 0, 0),
            ReceivedRange.Check(HttpStatusCode.PartialContent, "bytes 0-0/0", contentLength, "id", offset < 0 ? RequestedRange.Last(10) : new RequestedRange(offset, 10)));

    [Fact]
    public void Check_FirstByteOfAnEmptyObject_AnotherRange_IsRejected()
        => Assert.Throws<WireException>(() => ReceivedRange.Check(HttpStatusCode.PartialContent, "bytes 0-0/0", 1, "id", new RequestedRange(1, 10)));

    [Theory]
    [InlineData("bytes 90-99/100", 10, 90)]
    [InlineData("bytes 0-4/5", 5, 0)] // the object is smaller than the range
    [InlineData(null, 10, 0)]
    [InlineData(null, 5, 0)]
    [InlineData(null, 0, 0)]
    [InlineData("bytes 0--1/0", 0, 0)] // MinIO, for an empty object
    public void Check_LastBytes_AreAccepted(string? contentRange, long contentLength, long expectedOffset)
    {
        HttpStatusCode status = contentRange is null ? HttpStatusCode.OK : HttpStatusCode.PartialContent;

        ReceivedRange range = ReceivedRange.Check(status, contentRange, contentLength, "id", RequestedRange.Last(10));

        Assert.EachEqual((expectedOffset, contentLength), (range.Offset, range.Length));
    }

    [Theory]
    [InlineData("bytes 0-9/100", false)]
    [InlineData("bytes 89-98/100", false)]
    [InlineData("bytes 91-99/100", false)]
    [InlineData("bytes 0--1/0", false)] // with a body, because there is no Content-Length of 0
    [InlineData(null, true)]
    public void Check_NotTheLastBytes_AreRejected(string? contentRange, bool isIgnored)
    {
        HttpStatusCode status = contentRange is null ? HttpStatusCode.OK : HttpStatusCode.PartialContent;

        WireException e = Assert.Throws<WireException>(() => ReceivedRange.Check(status, contentRange, contentRange is null ? 100 : -1, "id", RequestedRange.Last(10)));

        Assert.Equal(isIgnored ? FailureKind.RangeIgnored : FailureKind.Final, e.Kind);
    }

    [Theory]
    [InlineData("bytes 0-9/100", 10, 1, 10)]
    [InlineData("bytes 0-8/100", 9, 0, 10)]
    [InlineData("bytes 0-10/100", 11, 0, 10)]
    [InlineData("bytes 0-9/100", 9, 0, 10)]
    [InlineData("bytes 0--1/0", 0, 0, 10)]
    [InlineData("bytes 9-0/100", 10, 0, 10)]
    [InlineData("bytes 0-100/100", 101, 0, 101)]
    [InlineData("bytes 0-9/*", 10, 0, 10)]
    [InlineData("bytes */100", 10, 0, 10)]
    [InlineData("items 0-9/100", 10, 0, 10)]
    [InlineData("bytes 0-9", 10, 0, 10)]
    [InlineData("bytes +0-9/100", 10, 0, 10)]
    [InlineData("bytes 0-9/99999999999999999999", 10, 0, 10)]
    [InlineData(null, -1, 0, 10)]
    [InlineData(null, 10, 0, 10)]
    [InlineData("", 10, 0, 10)]
    public void Check_AnythingElse_IsRejected(string? contentRange, long contentLength, long offset, long length)
    {
        WireException e = Assert.Throws<WireException>(() => ReceivedRange.Check(HttpStatusCode.PartialContent, contentRange, contentLength, "id", new RequestedRange(offset, length)));

        Assert.EachEqual((FailureKind.Final, "id"), (e.Kind, e.RequestId));
    }

    [Fact]
    public void Check_RangeAfterTheStartIsIgnored_IsReportedAsRangeIgnored()
    {
        WireException e = Assert.Throws<WireException>(() => ReceivedRange.Check(HttpStatusCode.OK, null, 100, "id", new RequestedRange(10, 10)));

        Assert.Equal(FailureKind.RangeIgnored, e.Kind);
    }
}
