namespace Transfer.S3.Server.Storage;

/// <summary>A journal that persists nothing.</summary>
internal sealed class NoJournal : ICatalogJournal, IStagedRecord
{
    public IReadOnlyList<Bucket> Load(ServerStatistics statistics) => [];

    public void BucketCreated(string bucket, DateTimeOffset created)
    {
        // Nothing to write.
    }

    public void BucketChanged(string bucket, DateTimeOffset created, BucketSettings settings)
    {
        // Nothing to write.
    }

    public void BucketDeleted(string bucket)
    {
        // Nothing to write.
    }

    public ValueTask<IStagedRecord> StageObjectAsync(string bucket, StoredObject value, CancellationToken cancellationToken) => new(this);

    public void ObjectDeleted(string bucket, string key)
    {
        // Nothing to write.
    }

    public ValueTask<IStagedRecord> StageUploadAsync(string bucket, MultipartUpload upload, CancellationToken cancellationToken) => new(this);

    public ValueTask<IStagedRecord> StagePartAsync(
        string bucket, MultipartUpload upload, StoredPart part, CancellationToken cancellationToken) => new(this);

    public void UploadEnded(string bucket, string uploadId)
    {
        // Nothing to write.
    }

    public void Publish()
    {
        // Nothing was staged.
    }

    public void Dispose()
    {
        // Nothing was staged.
    }
}
