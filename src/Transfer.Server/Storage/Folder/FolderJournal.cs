namespace Transfer.S3.Server.Storage.Folder;

/// <summary>Persists the catalog in files. A record is published by renaming it into place, and removed by deleting it.</summary>
/// <remarks>The data survives the process but not a crash of the machine, because nothing is flushed to the disk before a response.</remarks>
internal sealed class FolderJournal(FolderLayout layout, FolderBlobStore store) : ICatalogJournal
{
    public IReadOnlyList<Bucket> Load(ServerStatistics statistics) => new FolderLoader(layout, store, this, statistics).Load();

    public void BucketCreated(string bucket, DateTimeOffset created)
    {
        Directory.CreateDirectory(layout.Objects(bucket));
        Directory.CreateDirectory(layout.Uploads(bucket));
        BucketChanged(bucket, created, BucketSettings.None);
    }

    public void BucketChanged(string bucket, DateTimeOffset created, BucketSettings settings) =>
        RecordFile.Write(layout, layout.BucketRecord(bucket), new BucketRecord(RecordFile.Schema, created, settings), RecordJson.Default.BucketRecord);

    public void BucketDeleted(string bucket)
    {
        File.Delete(layout.BucketRecord(bucket)); // deleted first, so that the bucket is gone even if the rest fails
        Directory.Delete(layout.Bucket(bucket), recursive: true);
    }

    public ValueTask<IStagedRecord> StageObjectAsync(string bucket, StoredObject value, CancellationToken cancellationToken)
    {
        string target = layout.ObjectRecord(bucket, value.Key);
        return RecordFile.StageAsync(layout, target, ObjectRecord.From(value), RecordJson.Default.ObjectRecord, cancellationToken);
    }

    public void ObjectDeleted(string bucket, string key) => File.Delete(layout.ObjectRecord(bucket, key));

    public ValueTask<IStagedRecord> StageUploadAsync(string bucket, MultipartUpload upload, CancellationToken cancellationToken)
    {
        Directory.CreateDirectory(layout.Upload(bucket, upload.UploadId));
        string target = layout.UploadRecord(bucket, upload.UploadId);
        return RecordFile.StageAsync(layout, target, UploadRecord.From(upload), RecordJson.Default.UploadRecord, cancellationToken);
    }

    public ValueTask<IStagedRecord> StagePartAsync(string bucket, MultipartUpload upload, StoredPart part, CancellationToken cancellationToken)
    {
        string target = layout.PartRecord(bucket, upload.UploadId, part.Number);
        return RecordFile.StageAsync(layout, target, PartRecord.From(part), RecordJson.Default.PartRecord, cancellationToken);
    }

    public void UploadEnded(string bucket, string uploadId)
    {
        File.Delete(layout.UploadRecord(bucket, uploadId)); // deleted first, so that the upload has ended even if the rest fails
        Directory.Delete(layout.Upload(bucket, uploadId), recursive: true);
    }
}
