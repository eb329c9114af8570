using System.Collections.Concurrent;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Storage;

/// <summary>The buckets of a server.</summary>
internal sealed class Catalog
{
    private readonly Lock _lock = new(); // serializes creation and deletion, so that the journal and memory match
    private readonly ConcurrentDictionary<string, Bucket> _buckets = new(StringComparer.Ordinal);
    private readonly ICatalogJournal _journal;
    private readonly ServerStatistics _statistics;

    public Catalog(ICatalogJournal journal, ServerStatistics statistics)
    {
        _journal = journal;
        _statistics = statistics;
        foreach (Bucket bucket in journal.Load(statistics))
        {
            _buckets[bucket.Name] = bucket;
        }
    }

    public IReadOnlyList<Bucket> Buckets => [.. _buckets.Values.OrderBy(static bucket => bucket.Name, StringComparer.Ordinal)];

    public Bucket Bucket(string name) => FindBucket(name) ?? throw S3Errors.NoSuchBucket(name);

    public Bucket? FindBucket(string name) => _buckets.GetValueOrDefault(name);

    public bool TryCreate(string name, DateTimeOffset created)
    {
        lock (_lock)
        {
            if (_buckets.ContainsKey(name))
            {
                return false;
            }

            _journal.BucketCreated(name, created);
            _buckets[name] = new Bucket(name, created, _journal, _statistics);
            return true;
        }
    }

    public void Delete(string name)
    {
        lock (_lock)
        {
            Bucket(name).CloseIfEmpty();
            _buckets.TryRemove(name, out _);
            _journal.BucketDeleted(name);
        }
    }
}
