namespace Transfer.S3;

/// <summary>An object in a listing, or a prefix that stands for all objects below it.</summary>
public sealed record ListedObject
{
    /// <summary>Gets the key of the object, or the prefix, with the delimiter at its end.</summary>
    public required string Key { get; init; }

    /// <summary>Gets the size of the object, in bytes; 0 for a prefix.</summary>
    public required long Length { get; init; }

    /// <summary>Gets the ETag with its quotes, as the store returned it; <see langword="null"/> if there is none.</summary>
    public string? ETag { get; init; }

    /// <summary>Gets the last-modified time of the object; <see langword="null"/> if the store didn't return it.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>Gets the storage class of the object, such as <c>STANDARD</c>; <see langword="null"/> if the store didn't return it.</summary>
    public string? StorageClass { get; init; }

    /// <summary>
    /// Gets the state of the restoration of an archived object; <see langword="null"/> if none was requested, or if the store didn't return it. It is requested only by
    /// transfers of many objects.
    /// </summary>
    public RestoreState? Restore { get; init; }

    /// <summary>
    /// Gets the ID of the version; <see langword="null"/> unless versions were listed, or the objects of an earlier time. In a bucket without versions, it is
    /// <c>null</c> as a text.
    /// </summary>
    public string? VersionId { get; init; }

    /// <summary>Gets a value that indicates whether this is a delete marker, which hides the older versions of its key.</summary>
    public bool IsDeleteMarker { get; init; }

    /// <summary>
    /// Gets a value that indicates whether this is a prefix that several objects have in common, because a delimiter was given (see
    /// <see cref="ListObjectsOptions.Delimiter"/>).
    /// </summary>
    public bool IsPrefix { get; init; }

    /// <summary>Gets a value that indicates whether the store listed this as the current version of its key. It is set only if versions were listed.</summary>
    public bool IsLatest { get; init; }
}
