namespace Transfer.Server.Storage;

/// <summary>Where the catalog is written down, if anywhere, so that it outlives the process.</summary>
internal interface ICatalogJournal
{
    /// <summary>Reads what an earlier process left.</summary>
    IReadOnlyList<Bucket> Load(ServerStatistics statistics);

    void BucketCreated(string bucket, DateTimeOffset created);

    void BucketDeleted(string bucket);

    ValueTask<IStagedRecord> StageObjectAsync(string bucket, StoredObject value, CancellationToken cancellationToken);

    void ObjectDeleted(string bucket, string key);

    ValueTask<IStagedRecord> StageUploadAsync(string bucket, MultipartUpload upload, CancellationToken cancellationToken);

    ValueTask<IStagedRecord> StagePartAsync(string bucket, MultipartUpload upload, StoredPart part, CancellationToken cancellationToken);

    void UploadEnded(string bucket, string uploadId);
}
