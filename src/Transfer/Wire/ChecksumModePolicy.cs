using System.Collections.Concurrent;
using Amazon.Runtime;
using Microsoft.Extensions.Logging;

namespace Transfer.Wire;

/// <summary>
/// Decides whether checksums are requested with <c>x-amz-checksum-mode</c>, and detects stores that reject this header instead of ignoring it, such as
/// Backblaze B2.
/// </summary>
/// <remarks>
/// The error for a rejected header looks like any other error. So the request is sent again without the header, and the rejection is remembered only if that
/// request succeeds. A store that has accepted the header once is not checked again.
/// </remarks>
/// <param name="config">The configuration of the SDK client. If it validates responses only when required, the header isn't sent.</param>
/// <param name="logger">Logs that a store rejects the header.</param>
internal sealed class ChecksumModePolicy(IClientConfig? config, ILogger logger)
{
    public const string Header = "x-amz-checksum-mode";

    private readonly bool _isOff = config?.ResponseChecksumValidation == ResponseChecksumValidation.WHEN_REQUIRED;
    private readonly ConcurrentDictionary<string, bool> _rejects = new(StringComparer.Ordinal);

    /// <summary>Returns whether the header can be sent.</summary>
    /// <param name="store">The identity of the store.</param>
    public bool MaySend(string store) => !_isOff && !(_rejects.TryGetValue(store, out bool rejects) && rejects);

    /// <summary>Gets the reason why a store was not asked for a checksum.</summary>
    public string Reason => _isOff
        ? "the store was not asked for a checksum, because ResponseChecksumValidation is WHEN_REQUIRED"
        : $"the store rejects the header that requests a checksum ({Header})";

    /// <summary>Returns whether the store may have rejected a request because of the header. The error of a HEAD request has no body, and so no code.</summary>
    public bool MayBeRejection(string store, WireException failure)
        => (int?)failure.StatusCode is 400 or 501
            && failure.ErrorCode is null or "InvalidArgument" or "InvalidRequest" or "NotImplemented" or "UnsupportedHeader" or "BadRequest"
            && failure.Elsewhere is null
            && !(_rejects.TryGetValue(store, out bool rejects) && !rejects);

    /// <summary>Remembers whether the store rejects the header, after a request that succeeded.</summary>
    /// <param name="store">The identity of the store.</param>
    /// <param name="rejection">The error of the same request with the header; null if the request succeeded with the header.</param>
    public void Learn(string store, WireException? rejection)
    {
        if (!_rejects.ContainsKey(store) && _rejects.TryAdd(store, rejection is not null) && rejection is not null) // a lookup takes less time than an attempt to add
        {
            Log.ChecksumModeRejected(logger, rejection.Message);
        }
    }
}
