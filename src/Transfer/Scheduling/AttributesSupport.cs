using System.Collections.Concurrent;
using System.Net;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>Remembers which stores and buckets refuse GetObjectAttributes, so that the call isn't repeated for every object.</summary>
/// <remarks>
/// Only an error that the call isn't implemented applies to the whole store. Any other error, such as a missing permission, applies to an object, a prefix, or a
/// bucket, so that a HEAD request is preferred where one can be sent. Both are forgotten after a while, because stores are upgraded and permissions are granted.
/// </remarks>
internal sealed class AttributesSupport(TimeProvider time)
{
    /// <summary>The time for which a refusal is remembered.</summary>
    public static readonly TimeSpan MemoryTime = TimeSpan.FromMinutes(5);

    private const int MaxBuckets = 1_000;
    private readonly ConcurrentDictionary<string, long> _refusals = new(StringComparer.Ordinal);
    private volatile Refusal? _unsupported;

    /// <summary>Gets the error that shows that the store doesn't implement the call; null if there was none.</summary>
    public string? Unsupported => _unsupported is { } refusal && IsRecent(refusal.At) ? refusal.Error : null;

    /// <summary>Returns whether another call is preferred for the objects of a bucket.</summary>
    public bool IsRefusedIn(string bucket) => Unsupported is not null || (_refusals.TryGetValue(bucket, out long at) && IsRecent(at));

    /// <summary>Remembers an error of the call that can't be retried.</summary>
    public void Refused(string bucket, WireException error)
    {
        if (error.StatusCode is HttpStatusCode.NotImplemented or HttpStatusCode.MethodNotAllowed || error.ErrorCode is "NotImplemented" or "MethodNotAllowed")
        {
            _unsupported = new Refusal(time.GetTimestamp(), error.Message);
        }
        else if (!ErrorKinds.PassesWithCredentials(error.ErrorCode) && error.StatusCode != HttpStatusCode.NotFound)
        {
            if (_refusals.Count >= MaxBuckets)
            {
                _refusals.Clear();
            }

            _refusals[bucket] = time.GetTimestamp();
        }
    }

    private bool IsRecent(long at) => time.GetElapsedTime(at) < MemoryTime;

    private sealed record Refusal(long At, string Error);
}
