using System.Collections.Concurrent;

namespace Transfer.Wire.Http;

/// <summary>Decides whether a body is signed, and learns which stores refuse those that are not.</summary>
/// <remarks>
/// No error code says so plainly: a policy that denies unsigned bodies answers AccessDenied like any other. So a store that has not accepted one yet
/// is asked once more, with a signature, and what becomes of that tells which it was.
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

    /// <summary>Whether the store may have refused a body because it was not signed. Bodies that were under way when that was found out are refused too.</summary>
    public bool MayBeRefusal(StoreEndpoint endpoint, WireException failure)
        => signing == PayloadSigning.Auto
            && (int?)failure.StatusCode is 400 or 403 or 501
            && failure.ErrorCode is "XAmzContentSHA256Mismatch" or "InvalidArgument" or "InvalidRequest" or "NotImplemented" or "SignatureDoesNotMatch" or "AccessDenied"
            && !(_refuses.TryGetValue(endpoint.Origin, out bool refuses) && !refuses);

    /// <summary>What an unsigned body, or a signed one after a refusal, has shown.</summary>
    public void Learn(StoreEndpoint endpoint, bool refuses)
    {
        if (signing == PayloadSigning.Auto && !_refuses.ContainsKey(endpoint.Origin))
        {
            _refuses[endpoint.Origin] = refuses;
        }
    }
}
