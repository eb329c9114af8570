namespace Transfer.S3.Server.Storage;

/// <summary>Persists the catalog, so that it can survive the process.</summary>
internal interface ICatalogJournal
{
    /// <summary>Loads what an earlier process stored.</summary>
    IReadOnlyList<Bucket> Load(ServerStatistics statistics);

    void BucketCreated(string bucket, DateTimeOffset created);

    void BucketChanged(string bucket, DateTimeOffset created, BucketSettings settings);

    void BucketDeleted(string bucket);

    ValueTask<IStagedRecord> StageObjectAsync(string bucket, StoredObject value, CancellationToken cancellationToken);

    void ObjectDeleted(string bucket, string key);

    ValueTask<IStagedRecord> StageUploadAsync(string bucket, MultipartUpload upload, CancellationToken cancellationToken);

    ValueTask<IStagedRecord> StagePartAsync(string bucket, MultipartUpload upload, StoredPart part, CancellationToken cancellationToken);

    void UploadEnded(string bucket, string uploadId);
}
