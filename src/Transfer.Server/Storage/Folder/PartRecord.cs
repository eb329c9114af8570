using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>The stored form of a part of an incomplete upload.</summary>
internal sealed record PartRecord(
    int Schema,
    int Number,
    string ETag,
    DateTimeOffset LastModified,
    IReadOnlyList<ChecksumValue> Checksums,
    SliceRecord[] Content) : IRecord
{
    public bool IsSound() =>
        Number > 0
        && ETag is { Length: > 0 }
        && Checksums is not null
        && Checksums.All(static checksum => ChecksumInfo.IsKnown(checksum.Algorithm) && ChecksumInfo.Get(checksum.Algorithm).IsWellFormed(checksum.Value))
        && SliceRecord.AreSound(Content);

    public static PartRecord From(StoredPart part) =>
        new(RecordFile.Schema, part.Number, part.ETag, part.LastModified, part.Checksums, SliceRecord.From(part.Content));

    public StoredPart Restore(Content content) =>
        new() { Number = Number, ETag = ETag, LastModified = LastModified, Checksums = Checksums, Content = content };
}
