using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>The stored form of an incomplete upload.</summary>
internal sealed record UploadRecord(
    int Schema,
    string UploadId,
    string Key,
    DateTimeOffset Initiated,
    ObjectAttributes Attributes,
    UploadChecksum Checksum) : IRecord
{
    public bool IsSound() =>
        UploadId is { Length: > 0 }
        && Key is { Length: > 0 }
        && Attributes is { UserMetadata: not null, Tags: not null }
        && Checksum is not null
        && ChecksumInfo.IsKnown(Checksum.Algorithm)
        && (Checksum.Type == ChecksumType.Composite ? ChecksumInfo.Get(Checksum.Algorithm).AllowsComposite : ChecksumInfo.Get(Checksum.Algorithm).AllowsFullObject);

    public static UploadRecord From(MultipartUpload upload) =>
        new(RecordFile.Schema, upload.UploadId, upload.Key, upload.Initiated, upload.Attributes, upload.Checksum);

    public MultipartUpload Restore() => new(UploadId, Key, Initiated, Attributes, Checksum);
}
