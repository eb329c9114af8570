using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>The stored form of an object.</summary>
internal sealed record ObjectRecord(
    int Schema,
    string Key,
    string ETag,
    DateTimeOffset LastModified,
    ObjectAttributes Attributes,
    ObjectChecksum Checksum,
    IReadOnlyList<ObjectPart> Parts,
    SliceRecord[] Content,
    RestoredCopy? Restored = null) : IRecord
{
    public bool IsSound() =>
        Key is { Length: > 0 }
        && ETag is { Length: > 0 }
        && Attributes is { UserMetadata: not null, Tags: not null }
        && Checksum is not null && Checksum.IsWellFormed()
        && Parts is not null
        && Parts.All(static part => part is { Number: > 0, Size: >= 0, Checksum: not null })
        && SliceRecord.AreSound(Content);

    public static ObjectRecord From(StoredObject value) =>
        new(
            RecordFile.Schema,
            value.Key,
            value.ETag,
            value.LastModified,
            value.Attributes,
            value.Checksum,
            value.Parts,
            SliceRecord.From(value.Content),
            value.Restored);

    public StoredObject Restore(Content content) =>
        new()
        {
            Key = Key,
            ETag = ETag,
            LastModified = LastModified,
            Attributes = Attributes,
            Checksum = Checksum,
            Parts = Parts,
            Content = content,
            Restored = Restored,
        };
}
