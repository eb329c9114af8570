using System.Collections.Concurrent;
using Amazon.Runtime;
using Microsoft.Extensions.Logging;

namespace Transfer.Wire;

/// <summary>
/// Decides whether a store is asked for checksums by <c>x-amz-checksum-mode</c>, and learns which stores reject that header (Backblaze B2 does) instead of ignoring it.
/// </summary>
/// <remarks>
/// The error of a rejected header looks like any other, so the same request without the header tells: the rejection is remembered only if that succeeds. A store that
/// has once accepted the header is never suspected again.
/// </remarks>
/// <param name="config">The SDK client's configuration; a caller who validates responses only when required is not to send the header.</param>
/// <param name="logger">Told of a store that rejects it.</param>
internal sealed class ChecksumModePolicy(IClientConfig? config, ILogger logger)
{
    public const string Header = "x-amz-checksum-mode";

    private readonly bool _isOff = config?.ResponseChecksumValidation == ResponseChecksumValidation.WHEN_REQUIRED;
    private readonly ConcurrentDictionary<string, bool> _rejects = new(StringComparer.Ordinal);

    /// <summary>Whether the header may be sent.</summary>
    /// <param name="store">What tells one store from another.</param>
    public bool MaySend(string store) => !_isOff && !(_rejects.TryGetValue(store, out bool rejects) && rejects);

    /// <summary>Why a store was not asked for a checksum.</summary>
    public string Reason => _isOff
        ? "the store was not asked for a checksum, because ResponseChecksumValidation is WHEN_REQUIRED"
        : $"the store rejects the header that requests a checksum ({Header})";

    /// <summary>Whether the store may have rejected a request because of the header. An error without a body, a HEAD's, has no code.</summary>
    public bool MayBeRejection(string store, WireException failure)
        => (int?)failure.StatusCode is 400 or 501
            && failure.ErrorCode is null or "InvalidArgument" or "InvalidRequest" or "NotImplemented" or "UnsupportedHeader" or "BadRequest"
            && failure.Elsewhere is null
            && !(_rejects.TryGetValue(store, out bool rejects) && !rejects);

    /// <summary>Remembers what a success has shown: one with the header, or one without it after a failure with it.</summary>
    public void Learn(string store, WireException? rejection)
    {
        if (!_rejects.ContainsKey(store) && _rejects.TryAdd(store, rejection is not null) && rejection is not null) // a look costs less than an attempt to add
        {
            Log.ChecksumModeRejected(logger, rejection.Message);
        }
    }
}
