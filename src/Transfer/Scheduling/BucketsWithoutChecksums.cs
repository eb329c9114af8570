using System.Collections.Concurrent;

namespace Transfer.Scheduling;

/// <summary>
/// Remembers buckets in which several consecutive small objects had no checksum. A request for the checksum of each small object would double the number of
/// requests of callers that read many of them.
/// </summary>
internal sealed class BucketsWithoutChecksums
{
    /// <summary>The number of consecutive objects without a checksum after which checksums are no longer requested.</summary>
    public const int Few = 3;

    /// <summary>The number of objects for which checksums are not requested then.</summary>
    public const int Skipped = 1_000;

    private const int MaxBuckets = 1_000;
    private readonly ConcurrentDictionary<string, Count> _counts = new(StringComparer.Ordinal);

    /// <summary>Returns whether to skip the request for an object's checksum.</summary>
    public bool TrySkip(string bucket) => _counts.TryGetValue(bucket, out Count? count) && count.TrySkip();

    /// <summary>Remembers whether the store returned a checksum for an object.</summary>
    public void Note(string bucket, bool hasTold)
    {
        if (hasTold && !_counts.ContainsKey(bucket))
        {
            return;
        }

        if (_counts.Count >= MaxBuckets)
        {
            _counts.Clear();
        }

        _counts.GetOrAdd(bucket, static _ => new Count()).Note(hasTold);
    }

    private sealed class Count
    {
        private readonly Lock _gate = new();
        private int _inARow;
        private int _toSkip;

        public bool TrySkip()
        {
            lock (_gate)
            {
                if (_inARow < Few)
                {
                    return false;
                }

                // After the skipped objects, only one object is checked, on behalf of the next ones.
                bool isToSkip = _toSkip > 0;
                _toSkip = isToSkip ? _toSkip - 1 : Skipped;
                return isToSkip;
            }
        }

        public void Note(bool hasTold)
        {
            lock (_gate)
            {
                _inARow = hasTold ? 0 : Math.Min(_inARow + 1, Few);
                _toSkip = Skipped;
            }
        }
    }
}
