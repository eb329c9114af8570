using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Storage;

/// <summary>A published object. It is immutable; a write to its key publishes a new instance.</summary>
internal sealed record StoredObject
{
    public required string Key { get; init; }

    public required string ETag { get; init; }

    /// <summary>Gets the ID of the version; null in a bucket without versions.</summary>
    public string? VersionId { get; init; }

    public required DateTimeOffset LastModified { get; init; }

    public required ObjectAttributes Attributes { get; init; }

    public required ObjectChecksum Checksum { get; init; }

    /// <summary>Gets the parts in order; empty if the object wasn't created by a multipart upload.</summary>
    public IReadOnlyList<ObjectPart> Parts { get; init; } = [];

    public required Content Content { get; init; }

    /// <summary>Gets the restored copy of an archived object; null if none was requested.</summary>
    public RestoredCopy? Restored { get; init; }

    public long Size => Content.Length;

    public string StorageClass => Attributes.StorageClass ?? ServerDefaults.DefaultStorageClass;

    /// <summary>Gets a value that indicates whether the storage class is one whose objects can be read only from a restored copy.</summary>
    public bool IsArchived => Attributes.StorageClass is "GLACIER" or "DEEP_ARCHIVE";

    /// <summary>Gets the restored copy unless it has expired.</summary>
    public RestoredCopy? RestoredAt(DateTimeOffset now) => IsArchived && Restored is { } copy && now < copy.Until ? copy : null;

    /// <summary>Throws if the object can't be read now.</summary>
    /// <exception cref="S3Exception">Thrown when the object is archived and has no restored copy.</exception>
    public void ThrowIfArchived(DateTimeOffset now)
    {
        if (IsArchived && RestoredAt(now)?.IsInProgress(now) != false)
        {
            throw S3Errors.InvalidObjectState(StorageClass);
        }
    }
}
