using System.Net;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// The time by which the clock of the store is ahead of ours. The store tells it when it rejects a signature because of the difference. It is remembered only after
/// the store has accepted a signature with it, and a later response can correct it again.
/// </summary>
internal sealed class StoreClock(TimeProvider time)
{
    // S3 allows a difference of 15 minutes (Amazon S3 API Reference, "Error responses": RequestTimeTooSkewed), and its Date header has whole seconds.
    private static readonly TimeSpan SurelySkewed = TimeSpan.FromMinutes(14);

    private long _offsetTicks;

    /// <summary>Gets the difference, as far as it is known.</summary>
    public TimeSpan Offset => new(Interlocked.Read(ref _offsetTicks));

    /// <summary>Gets the time of the store if it differs from ours by an offset.</summary>
    public DateTimeOffset GetNow(TimeSpan offset) => time.GetUtcNow() + offset;

    /// <summary>Remembers an offset with which the store has accepted a signature.</summary>
    public void Learn(TimeSpan offset) => Interlocked.Exchange(ref _offsetTicks, offset.Ticks);

    /// <summary>Gets the offset to send a request with again.</summary>
    /// <param name="failure">The error of the request.</param>
    /// <param name="signedAt">The time of its signature.</param>
    /// <param name="offset">The offset that it was signed with.</param>
    /// <param name="storeTime">The time of the response; null if it has none that can be right.</param>
    /// <returns>Null if the clock isn't the reason, or if nothing is known about it.</returns>
    public TimeSpan? Correct(WireException failure, DateTimeOffset signedAt, TimeSpan offset, DateTimeOffset? storeTime)
        => !IsOfClock(failure, storeTime - signedAt) ? null
            : storeTime is { } now ? now - time.GetUtcNow()
            : offset != TimeSpan.Zero ? TimeSpan.Zero // what was learned before isn't right anymore
            : null;

    /// <summary>Returns whether the store rejected a signature because of its time.</summary>
    public static bool IsOfClock(WireException failure, TimeSpan? difference) => failure.ErrorCode == "RequestTimeTooSkewed" || MayBeOfClock(failure, difference);

    // The error of a HEAD request has no body, and so no code, for which the SDK uses the name of the status. It can mean a wrong clock, which can be corrected.
    private static bool MayBeOfClock(WireException failure, TimeSpan? difference)
        => failure is { ErrorCode: null or nameof(HttpStatusCode.Forbidden), StatusCode: HttpStatusCode.Forbidden } && difference?.Duration() > SurelySkewed;
}
