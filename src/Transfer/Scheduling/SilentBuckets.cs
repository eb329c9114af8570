using System.Collections.Concurrent;

namespace Transfer.Scheduling;

/// <summary>
/// Remembers buckets whose store told no checksum for several small objects in a row. To ask for each small object would double the requests of somebody who reads
/// many of them.
/// </summary>
internal sealed class SilentBuckets
{
    /// <summary>Objects in a row for which nothing was told until the store is not asked any more.</summary>
    public const int Few = 3;

    /// <summary>Objects for which it is not asked then.</summary>
    public const int Skipped = 1_000;

    private const int MaxBuckets = 1_000;
    private readonly ConcurrentDictionary<string, Count> _counts = new(StringComparer.Ordinal);

    /// <summary>Takes one of the objects for which the store is not asked.</summary>
    public bool TrySkip(string bucket) => _counts.TryGetValue(bucket, out Count? count) && count.TrySkip();

    /// <summary>Notes what the store answered for an object.</summary>
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

                // One asks again for all those who come after it.
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
