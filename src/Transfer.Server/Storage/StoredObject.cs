using Transfer.Server.Checksums;

namespace Transfer.Server.Storage;

/// <summary>A published object. It is immutable; a write to its key publishes a new instance.</summary>
internal sealed record StoredObject
{
    public required string Key { get; init; }

    public required string ETag { get; init; }

    public required DateTimeOffset LastModified { get; init; }

    public required ObjectAttributes Attributes { get; init; }

    public required ObjectChecksum Checksum { get; init; }

    /// <summary>Gets the parts in order; empty if the object wasn't created by a multipart upload.</summary>
    public IReadOnlyList<ObjectPart> Parts { get; init; } = [];

    public required Content Content { get; init; }

    public long Size => Content.Length;

    public string StorageClass => Attributes.StorageClass ?? ServerDefaults.DefaultStorageClass;
}
