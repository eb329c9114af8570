namespace Transfer.Server.Storage;

/// <summary>An upload in parts that is neither completed nor aborted.</summary>
internal sealed class MultipartUpload(string uploadId, string key, DateTimeOffset initiated, ObjectAttributes attributes, UploadChecksum checksum)
{
    private readonly Lock _lock = new(); // guards the parts and the closed flag; nothing but a rename runs under it
    private readonly SortedList<int, StoredPart> _parts = [];
    private bool _closed;

    public string UploadId => uploadId;

    public string Key => key;

    public DateTimeOffset Initiated => initiated;

    public ObjectAttributes Attributes => attributes;

    public UploadChecksum Checksum => checksum;

    /// <summary>One completion or abort at a time. Holds no handle unless its wait handle is asked for, which nobody does.</summary>
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

    /// <summary>Adds a part, in place of an earlier one of its number. False when the upload has ended; the part stays the caller's then.</summary>
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

    /// <summary>Adds what the journal kept, before the server runs.</summary>
    public void Restore(StoredPart part) => _parts.Add(part.Number, part);

    /// <summary>The parts in order. They stay readable only while the caller keeps the upload from ending.</summary>
    public IReadOnlyList<StoredPart> Parts()
    {
        lock (_lock)
        {
            return [.. _parts.Values];
        }
    }

    /// <summary>Ends the upload and lets its parts go; what an object took over lives on in it.</summary>
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
