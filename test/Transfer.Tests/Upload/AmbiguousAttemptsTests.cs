using System.Net;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Upload;

public sealed class AmbiguousAttemptsTests
{
    private static readonly WireException NotThere = new(FailureKind.Final, "gone") { StatusCode = HttpStatusCode.NotFound };
    private static readonly WireException Refused = new(FailureKind.Final, "no") { StatusCode = HttpStatusCode.Forbidden };

    /// <summary>The failure of an attempt, whether its response was lost, and whether it can explain a 404 to the next attempt.</summary>
    public static TheoryData<Exception, bool, bool> Failures => new()
    {
        { new OperationCanceledException(), true, true },
        { new WireException(FailureKind.Transient, "the connection was closed", new IOException()), true, true },
        { new WireException(FailureKind.Transient, "reset", new HttpRequestException(HttpRequestError.ResponseEnded)), true, true },
        { new WireException(FailureKind.Transient, "half a response") { StatusCode = HttpStatusCode.OK }, true, true },
        { new WireException(FailureKind.Transient, "an error after a 200") { StatusCode = HttpStatusCode.OK, ErrorCode = "InternalError" }, false, true },
        { new WireException(FailureKind.Transient, "of a proxy") { StatusCode = HttpStatusCode.GatewayTimeout }, true, true },
        { new WireException(FailureKind.Transient, "of a proxy") { StatusCode = HttpStatusCode.BadGateway }, true, true },
        { new WireException(FailureKind.Transient, "of the store") { StatusCode = HttpStatusCode.GatewayTimeout, ErrorCode = "GatewayTimeout" }, false, true },
        { new WireException(FailureKind.Transient, "no connection", new HttpRequestException(HttpRequestError.ConnectionError)), false, true },
        { new WireException(FailureKind.Transient, "an error") { StatusCode = HttpStatusCode.InternalServerError }, false, true },
        { new WireException(FailureKind.Throttled, "slow down") { StatusCode = HttpStatusCode.ServiceUnavailable }, false, false },
        { new WireException(FailureKind.Final, "no") { StatusCode = HttpStatusCode.Forbidden }, false, false },
    };

    [Theory]
    [MemberData(nameof(Failures))]
    public async Task Watch_AnyFailure_DeterminesWhetherTheResultIsUnknown(Exception failure, bool isLost, bool mayBeGoneBecauseItIsDone)
    {
        AmbiguousAttempts attempts = new();

        Assert.Same(failure, await Assert.ThrowsAnyAsync<Exception>(() => attempts.WatchAsync(Task.FromException<int>(failure))));

        Assert.Equal(
            (isLost, isLost, mayBeGoneBecauseItIsDone, true),
            (attempts.LostAnswer, attempts.MayBeDone(Refused), attempts.MayBeDone(NotThere), attempts.MayBeDone(new WireException(FailureKind.Final, "gone") { ErrorCode = "NoSuchUpload" })));
    }
}
