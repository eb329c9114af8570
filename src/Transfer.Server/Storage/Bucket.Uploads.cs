using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Storage;

/// <content>Incomplete uploads, and a record of completed ones.</content>
internal sealed partial class Bucket
{
    private const int RememberedCompletions = 1000;
    private readonly Dictionary<string, MultipartUpload> _uploads = new(StringComparer.Ordinal);
    private readonly Dictionary<string, CompletedUpload> _completed = new(StringComparer.Ordinal);
    private readonly Queue<string> _completedOrder = new();

    public void Add(MultipartUpload upload, IStagedRecord record)
    {
        lock (_lock)
        {
            ThrowIfDeleted();
            record.Publish();
            _uploads.Add(upload.UploadId, upload);
        }

        statistics.ChangeOpenUploads(1);
    }

    public MultipartUpload Upload(string uploadId, string key) => FindUpload(uploadId, key) ?? throw S3Errors.NoSuchUpload(uploadId);

    public MultipartUpload? FindUpload(string uploadId, string key)
    {
        lock (_lock)
        {
            return _uploads.TryGetValue(uploadId, out MultipartUpload? upload) && upload.Key == key ? upload : null;
        }
    }

    public CompletedUpload? FindCompleted(string uploadId, string key)
    {
        lock (_lock)
        {
            return _completed.TryGetValue(uploadId, out CompletedUpload? completed) && completed.Key == key ? completed : null;
        }
    }

    /// <summary>Ends an upload. The caller must hold its <see cref="MultipartUpload.Ending"/>.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="completed">The result of the completion; null if the upload is aborted.</param>
    public void End(MultipartUpload upload, CompletedUpload? completed)
    {
        bool removed;
        lock (_lock)
        {
            removed = _uploads.Remove(upload.UploadId);
            if (completed is not null)
            {
                _completed[upload.UploadId] = completed;
                _completedOrder.Enqueue(upload.UploadId);
                if (_completedOrder.Count > RememberedCompletions)
                {
                    _completed.Remove(_completedOrder.Dequeue());
                }
            }
        }

        upload.Close();
        if (removed)
        {
            journal.UploadEnded(name, upload.UploadId);
            statistics.ChangeOpenUploads(-1);
        }
    }

    /// <summary>Gets all incomplete uploads with a prefix, by key and then by age.</summary>
    public IReadOnlyList<MultipartUpload> Uploads(string prefix)
    {
        List<MultipartUpload> uploads;
        lock (_lock)
        {
            uploads = [.. _uploads.Values];
        }

        uploads.RemoveAll(upload => !upload.Key.StartsWith(prefix, StringComparison.Ordinal));
        uploads.Sort(static (x, y) =>
            Utf8Order.Instance.Compare(x.Key, y.Key) is not 0 and int byKey ? byKey : string.CompareOrdinal(x.UploadId, y.UploadId));
        return uploads;
    }

    public void Restore(MultipartUpload upload)
    {
        _uploads.Add(upload.UploadId, upload);
        statistics.ChangeOpenUploads(1);
    }

    private List<MultipartUpload> TakeUploads()
    {
        List<MultipartUpload> uploads = [.. _uploads.Values];
        _uploads.Clear();
        statistics.ChangeOpenUploads(-uploads.Count);
        return uploads;
    }
}
