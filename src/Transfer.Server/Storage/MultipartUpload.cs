namespace Transfer.S3.Server.Storage;

/// <summary>A multipart upload that is neither completed nor aborted.</summary>
internal sealed class MultipartUpload(string uploadId, string key, DateTimeOffset initiated, ObjectAttributes attributes, UploadChecksum checksum)
{
    private readonly Lock _lock = new(); // guards the parts and the closed flag; only renames run under it
    private readonly SortedList<int, StoredPart> _parts = [];
    private bool _closed;

    public string UploadId => uploadId;

    public string Key => key;

    public DateTimeOffset Initiated => initiated;

    public ObjectAttributes Attributes => attributes;

    public UploadChecksum Checksum => checksum;

    /// <summary>Gets the semaphore that allows one completion or abort at a time. It needs no disposal, because its wait handle is never used.</summary>
    public SemaphoreSlim Ending { get; } = new(1, 1);

    public bool IsClosed
    {
        get
        {
            lock (_lock)
            {
                return _closed;
            }
        }
    }

    /// <summary>Adds a part, replacing an earlier one with the same number; false if the upload has ended. The caller still owns the part then.</summary>
    public bool TryAdd(StoredPart part, IStagedRecord record)
    {
        StoredPart? replaced;
        lock (_lock)
        {
            if (_closed)
            {
                return false;
            }

            record.Publish();
            _parts.TryGetValue(part.Number, out replaced);
            _parts[part.Number] = part;
        }

        replaced?.Content.Release();
        return true;
    }

    /// <summary>Adds a part from the journal before the server starts.</summary>
    public void Restore(StoredPart part) => _parts.Add(part.Number, part);

    /// <summary>Gets the parts in order. They are readable only while the caller keeps the upload from ending.</summary>
    public IReadOnlyList<StoredPart> Parts()
    {
        lock (_lock)
        {
            return [.. _parts.Values];
        }
    }

    /// <summary>Ends the upload and releases its parts. An object that shares their content keeps it.</summary>
    public void Close()
    {
        List<StoredPart> parts;
        lock (_lock)
        {
            _closed = true;
            parts = [.. _parts.Values];
            _parts.Clear();
        }

        foreach (StoredPart part in parts)
        {
            part.Content.Release();
        }
    }
}
