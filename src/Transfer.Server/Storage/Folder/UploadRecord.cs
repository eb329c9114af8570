namespace Transfer.Server.Storage.Folder;

/// <summary>An unfinished upload as it is written down.</summary>
internal sealed record UploadRecord(
    int Schema,
    string UploadId,
    string Key,
    DateTimeOffset Initiated,
    ObjectAttributes Attributes,
    UploadChecksum Checksum)
{
    public static UploadRecord Of(MultipartUpload upload) =>
        new(RecordFile.Schema, upload.UploadId, upload.Key, upload.Initiated, upload.Attributes, upload.Checksum);

    public MultipartUpload Restore() => new(UploadId, Key, Initiated, Attributes, Checksum);
}
