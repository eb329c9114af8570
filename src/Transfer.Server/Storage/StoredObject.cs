using Transfer.Server.Checksums;

namespace Transfer.Server.Storage;

/// <summary>An object as it was published. It never changes; a write to its key publishes another.</summary>
internal sealed record StoredObject
{
    public required string Key { get; init; }

    public required string ETag { get; init; }

    public required DateTimeOffset LastModified { get; init; }

    public required ObjectAttributes Attributes { get; init; }

    public required ObjectChecksum Checksum { get; init; }

    /// <summary>In order; empty for an object that was not uploaded in parts.</summary>
    public IReadOnlyList<ObjectPart> Parts { get; init; } = [];

    public required Content Content { get; init; }

    public long Size => Content.Length;

    public string StorageClass => Attributes.StorageClass ?? ServerDefaults.DefaultStorageClass;
}
