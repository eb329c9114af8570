using System.Net;
using Transfer.S3.Stores;

namespace Transfer.S3.Wire;

/// <summary>Sends one request with a feature that a store may reject, and again without it.</summary>
/// <remarks>
/// The error for a rejected feature looks like any other error: a policy that denies unsigned bodies returns AccessDenied, and B2 returns InvalidArgument for the header
/// that requests a checksum. So a rejection is learned only if the request succeeds without the feature, and a store that has accepted the feature isn't checked again.
/// </remarks>
internal struct FeatureNegotiation(StoreProfile profile, StoreTrait feature)
{
    private string _scope = StoreProfile.EveryBucket;
    private WireException? _rejection;
    private bool _isUsed;

    /// <summary>Returns whether the next attempt uses the feature.</summary>
    public bool TryUse(string scope, bool isWanted)
    {
        _scope = scope;
        return _isUsed = isWanted && _rejection is null && profile.GetSupport(feature, scope) != StoreSupport.Refused;
    }

    /// <summary>Learns from an attempt that succeeded.</summary>
    public readonly void Learn()
    {
        if (_isUsed || _rejection is not null)
        {
            profile.Learn(feature, _scope, _isUsed ? StoreSupport.Supported : StoreSupport.Refused, _rejection?.Message ?? string.Empty);
        }
    }

    /// <summary>Returns whether to send the request again without the feature. Others that were in flight when a rejection was detected are rejected too.</summary>
    public bool TryWithout(WireException failure)
    {
        if (!_isUsed || !MayBeRejection(failure) || profile.GetSupport(feature, _scope) == StoreSupport.Supported)
        {
            return false;
        }

        _rejection = failure;
        return true;
    }

    /// <summary>Gets the error to throw: the first one, unless the last one is temporary and so shows nothing about the feature.</summary>
    public readonly WireException GetCause(WireException failure)
    {
        if (failure.MayRetry || _rejection is null)
        {
            return failure;
        }

        if (feature == StoreTrait.UnsignedBodies)
        {
            profile.Learn(feature, _scope, StoreSupport.Supported); // so that not every body is sent twice
        }

        return _rejection;
    }

    // The error of a HEAD request has no body, and so no code.
    private readonly bool MayBeRejection(WireException failure) => feature == StoreTrait.ChecksumMode
        ? (Refusals.IsOfValue(failure.StatusCode, failure.ErrorCode) || (failure.StatusCode == HttpStatusCode.BadRequest && failure.ErrorCode is null or "BadRequest")) && failure.Elsewhere is null
        : (int?)failure.StatusCode is 400 or 403 or 501
            && failure.ErrorCode is "XAmzContentSHA256Mismatch" or "InvalidArgument" or "InvalidRequest" or "NotImplemented" or "SignatureDoesNotMatch" or "AccessDenied";
}
