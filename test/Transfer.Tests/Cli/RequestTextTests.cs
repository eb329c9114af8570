using System.Net;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Tests.Cli;

public sealed class RequestTextTests
{
    private static readonly RequestTiming Timing = new() { Kind = RequestKind.GetObject, FirstByte = TimeSpan.FromMilliseconds(12), Duration = TimeSpan.FromMilliseconds(35), Bytes = 8 << 20 };

    [Fact]
    public void Of_Success_HasEverything()
        => Assert.Equal(
            "GetObject: 206, 8 MiB in 35 ms (first byte after 12 ms), attempt 1, request id 4442587FB7D0A2F9",
            RequestText.Format(Timing with { StatusCode = HttpStatusCode.PartialContent, RequestId = "4442587FB7D0A2F9" }));

    [Fact]
    public void Of_Failure_EndsWithTheError()
        => Assert.Equal(
            "GetObject: 503 in 35 ms, attempt 2, request id i: SlowDown",
            RequestText.Format(Timing with { Bytes = 0, Attempt = 2, StatusCode = HttpStatusCode.ServiceUnavailable, RequestId = "i", Error = new IOException("SlowDown") }));

    [Fact]
    public void Of_BodyThatBreaksOff_IsAFailure()
        => Assert.Equal(
            "GetObject: 206, failed, 8 MiB in 35 ms (first byte after 12 ms), attempt 1: the end",
            RequestText.Format(Timing with { StatusCode = HttpStatusCode.PartialContent, Error = new IOException("the end") }));

    [Fact]
    public void Of_Canceled_HasNoError()
        => Assert.Equal("GetObject: canceled in 35 ms, attempt 1", RequestText.Format(Timing with { Bytes = 0, Error = new OperationCanceledException() }));

    [Fact]
    public void Of_WithoutResponse_Failed()
        => Assert.Equal("GetObject: failed in 35 ms, attempt 1: refused", RequestText.Format(Timing with { Bytes = 0, Error = new IOException("refused") }));
}
