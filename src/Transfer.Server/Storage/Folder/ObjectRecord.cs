using Transfer.Server.Checksums;

namespace Transfer.Server.Storage.Folder;

/// <summary>An object as it is written down.</summary>
internal sealed record ObjectRecord(
    int Schema,
    string Key,
    string ETag,
    DateTimeOffset LastModified,
    ObjectAttributes Attributes,
    ObjectChecksum Checksum,
    IReadOnlyList<ObjectPart> Parts,
    SliceRecord[] Content)
{
    public static ObjectRecord Of(StoredObject value) =>
        new(
            RecordFile.Schema,
            value.Key,
            value.ETag,
            value.LastModified,
            value.Attributes,
            value.Checksum,
            value.Parts,
            SliceRecord.Of(value.Content));

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
        };
}
