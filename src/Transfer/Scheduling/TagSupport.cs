using System.Collections.Concurrent;

namespace Transfer.Scheduling;

/// <summary>Remembers what the buckets of a store return about tags, so that few requests are sent for objects that have none.</summary>
/// <remarks>
/// Amazon S3 returns the number of tags only if the credentials can read them (Amazon S3 API Reference, "GetObject"), and other stores never return it. So an object
/// without the number has no tags only in a bucket that has returned it for another object, and had no tags for the first objects without it.
/// </remarks>
internal sealed class TagSupport(TimeProvider time)
{
    /// <summary>The number of objects without the header that must have had no tags.</summary>
    public const int ProvingObjects = 3;

    /// <summary>The time for which a bucket's behavior is remembered. Permissions can change.</summary>
    public static readonly TimeSpan MemoryTime = TimeSpan.FromMinutes(5);

    private const int MaxBuckets = 1_000;
    private readonly ConcurrentDictionary<string, Bucket> _buckets = new(StringComparer.Ordinal);

    /// <summary>Returns whether the tags of an object must be requested.</summary>
    public bool MayHaveTags(string bucket, ObjectInfo info)
    {
        Bucket known = Of(bucket);
        if (info.TagCount is { } count)
        {
            known.ReturnsCount = true;
            return count > 0;
        }

        return !known.IsUnsupported && !known.IsProven;
    }

    /// <summary>Remembers the number of tags of an object whose response didn't contain it.</summary>
    public void Found(string bucket, int tags)
    {
        Bucket known = Of(bucket);
        if (tags == 0)
        {
            known.CountUntagged();
        }
        else
        {
            known.HidesCount = true;
        }
    }

    /// <summary>Remembers that the tags of an object whose response didn't contain their number could not be read. Others can have unreadable tags, too.</summary>
    public void Refused(string bucket) => Of(bucket).HidesCount = true;

    /// <summary>Remembers that the store doesn't implement tags.</summary>
    /// <returns>Whether that is new.</returns>
    public bool SetUnsupported(string bucket) => Of(bucket).SetUnsupported();

    private Bucket Of(string name)
    {
        if (_buckets.TryGetValue(name, out Bucket? known) && time.GetElapsedTime(known.Since) < MemoryTime)
        {
            return known;
        }

        if (_buckets.Count >= MaxBuckets)
        {
            _buckets.Clear();
        }

        return _buckets[name] = new Bucket(time.GetTimestamp());
    }

    private sealed class Bucket(long since)
    {
        private int _untagged;
        private int _isUnsupported;
        private volatile bool _returnsCount;
        private volatile bool _hidesCount;

        public long Since => since;

        public bool ReturnsCount
        {
            set => _returnsCount = value;
        }

        public bool HidesCount
        {
            set => _hidesCount = value;
        }

        public bool IsUnsupported => Volatile.Read(ref _isUnsupported) != 0;

        public bool IsProven => _returnsCount && !_hidesCount && Volatile.Read(ref _untagged) >= ProvingObjects;

        public void CountUntagged() => Interlocked.Increment(ref _untagged);

        public bool SetUnsupported() => Interlocked.Exchange(ref _isUnsupported, 1) == 0;
    }
}
