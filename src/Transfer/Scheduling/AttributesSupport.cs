using System.Collections.Concurrent;
using System.Net;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>Remembers who refused GetObjectAttributes, so that the call isn't made in vain for every object.</summary>
/// <remarks>
/// Only an answer that the call does not exist says something about the store. Anything else, such as a missing permission, says something about one object, or a prefix, or
/// a bucket: it only makes a HEAD request come first where one may be sent. Both are forgotten after a while, because stores are upgraded and permissions granted.
/// </remarks>
internal sealed class AttributesSupport(TimeProvider time)
{
    /// <summary>How long a refusal is remembered.</summary>
    public static readonly TimeSpan MemoryTime = TimeSpan.FromMinutes(5);

    private const int MaxBuckets = 1_000;
    private readonly ConcurrentDictionary<string, long> _refusals = new(StringComparer.Ordinal);
    private volatile Refusal? _unsupported;

    /// <summary>Gets the error with which the store said that it doesn't have the call; null if it didn't.</summary>
    public string? Unsupported => _unsupported is { } refusal && IsRecent(refusal.At) ? refusal.Error : null;

    /// <summary>Whether another call should be preferred for objects of a bucket.</summary>
    public bool IsRefusedIn(string bucket) => Unsupported is not null || (_refusals.TryGetValue(bucket, out long at) && IsRecent(at));

    /// <summary>Notes that the call failed for good.</summary>
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
