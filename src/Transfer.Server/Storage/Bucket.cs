using System.Collections.Concurrent;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Storage;

/// <summary>A bucket with its objects and incomplete uploads.</summary>
internal sealed partial class Bucket(string name, DateTimeOffset created, ICatalogJournal journal, ServerStatistics statistics, BucketSettings? settings = null)
{
    // Guards all fields below, and keeps the journal and memory in the same order. Publishing under the lock is only a rename and a few assignments.
    // Reading a single object needs no lock.
    private readonly Lock _lock = new();
    private readonly ConcurrentDictionary<string, StoredObject> _objects = new(StringComparer.Ordinal);
    private readonly SortedKeys _keys = new();
    private BucketSettings _settings = settings ?? BucketSettings.None;
    private bool _deleted;

    public string Name => name;

    public DateTimeOffset Created => created;

    /// <summary>Gets the current settings. Reading them needs no lock.</summary>
    public BucketSettings Settings => Volatile.Read(ref _settings);

    public void Change(Func<BucketSettings, BucketSettings> change)
    {
        lock (_lock)
        {
            ThrowIfDeleted();
            BucketSettings changed = change(_settings);
            journal.BucketChanged(name, created, changed);
            Volatile.Write(ref _settings, changed);
        }
    }

    public StoredObject? Find(string key) => _objects.GetValueOrDefault(key);

    public StoredObject Get(string key) => Find(key) ?? throw S3Errors.NoSuchKey(key, FindMarker(key));

    /// <summary>Finds a version of an object and holds its content. The caller must release it.</summary>
    public StoredObject Hold(string key, string? versionId)
    {
        while (true)
        {
            StoredObject value = Get(key, versionId);
            if (value.Content.TryHold())
            {
                return value;
            }

            // The object was replaced or deleted between the lookup and the hold. The next lookup sees that.
        }
    }

    /// <summary>Publishes an object if the condition is met. The bucket takes ownership of the content.</summary>
    /// <returns>The object, with the ID of its version.</returns>
    public StoredObject Publish(StoredObject value, WriteCondition condition, IStagedRecord record)
    {
        StoredObject? replaced;
        lock (_lock)
        {
            ThrowIfDeleted();
            bool isNew = !_objects.TryGetValue(value.Key, out StoredObject? current);
            condition.Check(value.Key, current);
            replaced = FindReplaced(value.Key);
            ThrowIfLocked(replaced, value.LastModified, bypassesGovernance: false);
            record.Publish();
            if (_versions is not null)
            {
                KeyVersion version = NewVersion(value.Key, value.LastModified);
                value = value with { VersionId = version.Id };
                Add(version with { Value = value });
            }

            _objects[value.Key] = value;
            if (isNew)
            {
                _keys.Add(value.Key);
            }
        }

        replaced?.Content.Release();
        return value;
    }

    /// <summary>Replaces the attributes of an object, whose content stays; false if the object was replaced or deleted in the meantime.</summary>
    public bool TryReplace(StoredObject current, StoredObject changed, IStagedRecord record)
    {
        lock (_lock)
        {
            bool isCurrent = ReferenceEquals(_objects.GetValueOrDefault(current.Key), current);
            if (!TryReplaceVersion(current, changed) && !isCurrent)
            {
                return false;
            }

            record.Publish();
            if (isCurrent)
            {
                _objects[current.Key] = changed;
            }

            return true;
        }
    }

    /// <summary>
    /// Deletes each object or version whose condition is met. An object that doesn't exist is deleted, unless it has a condition. In a bucket with versions, an object
    /// is hidden behind a delete marker.
    /// </summary>
    public void Delete(IReadOnlyList<KeyDeletion> items, DateTimeOffset now)
    {
        List<StoredObject> removed = [];
        lock (_lock)
        {
            try
            {
                foreach (KeyDeletion item in items)
                {
                    if (TryDelete(item, now) is { } one)
                    {
                        removed.Add(one);
                    }
                }
            }
            finally
            {
                _keys.Remove(items.Select(static item => item.Key).Where(key => !_objects.ContainsKey(key)).Distinct());
            }
        }

        removed.ForEach(static one => one.Content.Release());
    }

    private StoredObject? TryDelete(KeyDeletion item, DateTimeOffset now)
    {
        _objects.TryGetValue(item.Key, out StoredObject? found);
        try
        {
            if (_versions is not null && item.VersionId is not null)
            {
                return DeleteVersion(item, now);
            }

            if (item.VersionId is not (null or KeyVersion.NullId))
            {
                return null; // a version that doesn't exist
            }

            if (item.IfMatch is not null)
            {
                new WriteCondition(item.IfMatch, IfNoneMatchAny: false).Check(item.Key, found);
            }

            if (_versions is not null)
            {
                return Hide(item, now);
            }

            ThrowIfLocked(found, now, item.BypassesGovernance);
            if (found is not null)
            {
                journal.ObjectDeleted(name, item.Key);
            }
        }
        catch (S3Exception error)
        {
            item.Error = error;
            return null;
        }

        return found is not null && _objects.TryRemove(item.Key, out _) ? found : null;
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
            if (!_objects.IsEmpty || _versions?.Count > 0)
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

    private static void ThrowIfLocked(StoredObject? found, DateTimeOffset now, bool bypassesGovernance)
    {
        if (found?.Attributes.IsLockedAt(now, bypassesGovernance) == true)
        {
            throw S3Errors.ObjectIsLocked();
        }
    }

    private void ThrowIfDeleted()
    {
        if (_deleted)
        {
            throw S3Errors.NoSuchBucket(name);
        }
    }
}
