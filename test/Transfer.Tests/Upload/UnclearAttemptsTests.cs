using System.Net;
using Transfer.Upload;
using Transfer.Wire;

namespace Transfer.Tests.Upload;

public sealed class UnclearAttemptsTests
{
    public static TheoryData<Exception, bool, bool> Failures => new()
    {
        { new OperationCanceledException(), true, true },
        { new WireException(FailureKind.Transient, "the connection broke", new IOException()), true, true },
        { new WireException(FailureKind.Transient, "reset", new HttpRequestException(HttpRequestError.ResponseEnded)), true, true },
        { new WireException(FailureKind.Transient, "half an answer") { StatusCode = HttpStatusCode.OK }, true, true },
        { new WireException(FailureKind.Transient, "no connection", new HttpRequestException(HttpRequestError.ConnectionError)), true, false },
        { new WireException(FailureKind.Transient, "an error") { StatusCode = HttpStatusCode.InternalServerError }, true, false },
        { new WireException(FailureKind.Throttled, "slow down") { StatusCode = HttpStatusCode.ServiceUnavailable }, false, false },
        { new WireException(FailureKind.Final, "no") { StatusCode = HttpStatusCode.Forbidden }, false, false },
    };

    [Theory]
    [MemberData(nameof(Failures))]
    public async Task Watch_TellsWhatNobodyKnows(Exception failure, bool isUnclear, bool isLost)
    {
        UnclearAttempts attempts = new();

        Assert.Same(failure, await Assert.ThrowsAnyAsync<Exception>(() => attempts.WatchAsync<int>(() => Task.FromException<int>(failure))));

        Assert.Equal((isUnclear, isLost), (attempts.Any, attempts.LostAnswer));
    }
}
