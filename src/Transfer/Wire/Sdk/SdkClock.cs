using System.Globalization;
using Amazon.Runtime;
using Amazon.Runtime.Internal;

namespace Transfer.S3.Wire.Sdk;

/// <summary>
/// The SDK's own correction of the clock. It believes the Date header of every error that may be about the clock, whatever it says, for all clients of the process. So it
/// signs the next request for that time, which is rejected, and doesn't send each one again.
/// </summary>
internal static class SdkClock
{
    private const string EndpointMark = "Transfer.S3.Wire.Endpoint";
    private const string TimeMark = "Transfer.S3.Wire.SignedAt";

    /// <summary>Records where a request is sent to, and the time of its signature.</summary>
    public static void Watch(IAmazonWebServiceRequest request, string endpoint)
    {
        request.RequestState[EndpointMark] = endpoint;
        request.RequestState[TimeMark] = new DateTimeOffset(CorrectClockSkew.GetCorrectedUtcNowForEndpoint(endpoint), TimeSpan.Zero);
    }

    /// <summary>Makes sure that the SDK can sign the next request, and returns whether the clock was the reason of an error, so that the next request can succeed.</summary>
    public static bool TryCorrect(IAmazonWebServiceRequest request, WireException failure)
    {
        if (!request.RequestState.TryGetValue(EndpointMark, out object? mark) || mark is not string endpoint || !request.RequestState.TryGetValue(TimeMark, out object? signed))
        {
            return false; // a mock or a decorator, or the request wasn't sent
        }

        TimeSpan correction = CorrectClockSkew.GetClockCorrectionForEndpoint(endpoint);
        if (correction != TimeSpan.Zero && HttpTime.OfStore(Add(TimeProvider.System.GetUtcNow(), correction)) is null)
        {
            SdkMembers.ResetClock(endpoint);
        }

        return Http.StoreClock.IsOfClock(failure, GetDate(failure) - (DateTimeOffset)signed);
    }

    private static DateTimeOffset? Add(DateTimeOffset now, TimeSpan correction)
        => correction > DateTimeOffset.MaxValue - now || correction < DateTimeOffset.MinValue - now ? null : now + correction;

    private static DateTimeOffset? GetDate(WireException failure)
        => (failure.InnerException?.InnerException as HttpErrorResponseException)?.Response?.GetHeaderValue("Date") is { } text
            && DateTimeOffset.TryParseExact(text, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset date)
            ? HttpTime.OfStore(date)
            : null;
}
