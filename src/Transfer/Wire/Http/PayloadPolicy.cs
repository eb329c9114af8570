using System.Collections.Concurrent;

namespace Transfer.Wire.Http;

/// <summary>Decides whether a body is signed, and detects stores that reject unsigned bodies.</summary>
/// <remarks>
/// The rejection has no error code of its own: a policy that denies unsigned bodies returns AccessDenied, like any other policy. So if the store hasn't accepted
/// an unsigned body yet, the request is sent again with a signature, and the result shows the cause.
/// </remarks>
internal sealed class PayloadPolicy(PayloadSigning signing)
{
    private readonly ConcurrentDictionary<string, bool> _refuses = new(StringComparer.Ordinal);

    public bool Signs(StoreEndpoint endpoint) => signing switch
    {
        PayloadSigning.Always => true,
        PayloadSigning.Never => false,
        _ => !endpoint.KeepsBodiesWhole || (_refuses.TryGetValue(endpoint.Origin, out bool refuses) && refuses),
    };

    /// <summary>Returns whether the store may have rejected a body because it was not signed. Bodies that were in flight when this was detected are rejected too.</summary>
    public bool MayBeRefusal(StoreEndpoint endpoint, WireException failure)
        => signing == PayloadSigning.Auto
            && (int?)failure.StatusCode is 400 or 403 or 501
            && failure.ErrorCode is "XAmzContentSHA256Mismatch" or "InvalidArgument" or "InvalidRequest" or "NotImplemented" or "SignatureDoesNotMatch" or "AccessDenied"
            && !(_refuses.TryGetValue(endpoint.Origin, out bool refuses) && !refuses);

    /// <summary>Remembers whether the store rejects unsigned bodies, after an unsigned body, or a signed one after a rejection.</summary>
    public void Learn(StoreEndpoint endpoint, bool refuses)
    {
        if (signing == PayloadSigning.Auto && !_refuses.ContainsKey(endpoint.Origin))
        {
            _refuses[endpoint.Origin] = refuses;
        }
    }
}
