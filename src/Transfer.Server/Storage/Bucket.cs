using System.Collections.Concurrent;
using Transfer.Server.Http;

namespace Transfer.Server.Storage;

/// <summary>A bucket with its objects and incomplete uploads.</summary>
internal sealed partial class Bucket(string name, DateTimeOffset created, ICatalogJournal journal, ServerStatistics statistics)
{
    // Guards all fields below, and keeps the journal and memory in the same order. Publishing under the lock is only a rename and a few assignments.
    // Reading a single object needs no lock.
    private readonly Lock _lock = new();
    private readonly ConcurrentDictionary<string, StoredObject> _objects = new(StringComparer.Ordinal);
    private readonly SortedKeys _keys = new();
    private bool _deleted;

    public string Name => name;

    public DateTimeOffset Created => created;

    public StoredObject? Find(string key) => _objects.GetValueOrDefault(key);

    public StoredObject Get(string key) => Find(key) ?? throw S3Errors.NoSuchKey(key);

    /// <summary>Finds an object and holds its content. The caller must release it.</summary>
    public StoredObject Hold(string key)
    {
        while (true)
        {
            StoredObject value = Get(key);
            if (value.Content.TryHold())
            {
                return value;
            }

            // The object was replaced or deleted between the lookup and the hold. The next lookup sees that.
        }
    }

    /// <summary>Publishes an object if the condition is met. The bucket takes ownership of the content.</summary>
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

    /// <summary>Replaces the attributes of an object, whose content stays; false if the object was replaced or deleted in the meantime.</summary>
    public bool TryReplace(StoredObject current, StoredObject changed, IStagedRecord record)
    {
        lock (_lock)
        {
            if (!ReferenceEquals(_objects.GetValueOrDefault(current.Key), current))
            {
                return false;
            }

            record.Publish();
            _objects[current.Key] = changed;
            return true;
        }
    }

    /// <summary>Deletes an object if the condition is met; true if the object existed.</summary>
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

    /// <summary>Gets a page of keys, and the object for each key that isn't a group.</summary>
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

    /// <summary>Closes the bucket if it is empty, together with its incomplete uploads.</summary>
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

    /// <summary>Adds an object from the journal before the server starts.</summary>
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
