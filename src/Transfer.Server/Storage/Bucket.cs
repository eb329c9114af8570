using System.Collections.Concurrent;
using Transfer.Server.Http;

namespace Transfer.Server.Storage;

/// <summary>A bucket: its objects and its unfinished uploads.</summary>
internal sealed partial class Bucket(string name, DateTimeOffset created, ICatalogJournal journal, ServerStatistics statistics)
{
    // Guards all below, and the order of journal and memory: what is published under it is a rename and some references. Reads of one
    // object need no lock.
    private readonly Lock _lock = new();
    private readonly ConcurrentDictionary<string, StoredObject> _objects = new(StringComparer.Ordinal);
    private readonly SortedKeys _keys = new();
    private bool _deleted;

    public string Name => name;

    public DateTimeOffset Created => created;

    public StoredObject? Find(string key) => _objects.GetValueOrDefault(key);

    public StoredObject Get(string key) => Find(key) ?? throw S3Errors.NoSuchKey(key);

    /// <summary>Finds an object and holds its content; the caller releases it.</summary>
    public StoredObject Hold(string key)
    {
        while (true)
        {
            StoredObject value = Get(key);
            if (value.Content.TryHold())
            {
                return value;
            }

            // Replaced or deleted between the look-up and the hold: the next look-up sees that.
        }
    }

    /// <summary>Publishes an object, whose content becomes the bucket's, if the condition holds at this moment.</summary>
    public void Publish(StoredObject value, WriteCondition condition, IStagedRecord record)
    {
        StoredObject? replaced;
        lock (_lock)
        {
            ThrowIfDeleted();
            _objects.TryGetValue(value.Key, out replaced);
            condition.Check(value.Key, replaced);
            record.Publish();
            _objects[value.Key] = value;
            if (replaced is null)
            {
                _keys.Add(value.Key);
            }
        }

        replaced?.Content.Release();
    }

    /// <summary>Deletes an object if the condition holds; true when there was one.</summary>
    public bool Delete(string key, string? ifMatch)
    {
        StoredObject? removed;
        lock (_lock)
        {
            _objects.TryGetValue(key, out removed);
            if (ifMatch is not null)
            {
                new WriteCondition(ifMatch, IfNoneMatchAny: false).Check(key, removed);
            }

            if (removed is null)
            {
                return false;
            }

            journal.ObjectDeleted(name, key);
            _objects.TryRemove(key, out _);
            _keys.Remove(key);
        }

        removed.Content.Release();
        return true;
    }

    /// <summary>A page of keys, with the object of each key that is not a group.</summary>
    public (KeyPage Page, IReadOnlyDictionary<string, StoredObject> Objects) List(
        string prefix,
        string delimiter,
        string? after,
        string? afterGroup,
        int maximum)
    {
        lock (_lock)
        {
            KeyPage page = KeyPage.Take(_keys, prefix, delimiter, after, afterGroup, maximum);
            var objects = new Dictionary<string, StoredObject>(page.Entries.Count, StringComparer.Ordinal);
            foreach (KeyEntry entry in page.Entries)
            {
                if (!entry.IsGroup)
                {
                    objects[entry.Text] = _objects[entry.Text];
                }
            }

            return (page, objects);
        }
    }

    /// <summary>Ends the bucket; its unfinished uploads end with it.</summary>
    public void CloseIfEmpty()
    {
        List<MultipartUpload> uploads;
        lock (_lock)
        {
            ThrowIfDeleted();
            if (!_objects.IsEmpty)
            {
                throw S3Errors.BucketNotEmpty(name);
            }

            _deleted = true;
            uploads = TakeUploads();
        }

        uploads.ForEach(static upload => upload.Close());
    }

    /// <summary>Adds what the journal kept, before the server runs.</summary>
    public void Restore(StoredObject value)
    {
        _objects[value.Key] = value;
        _keys.Add(value.Key);
    }

    private void ThrowIfDeleted()
    {
        if (_deleted)
        {
            throw S3Errors.NoSuchBucket(name);
        }
    }
}
