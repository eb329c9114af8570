namespace Transfer.S3.Wire;

/// <summary>An object to delete, and the state of it that this was decided on.</summary>
/// <param name="Key">The key.</param>
/// <param name="ETag">The ETag that the object must have, as a store or a caller wrote it; null for any.</param>
/// <param name="VersionId">The version to delete for good; null for the current one.</param>
internal readonly record struct ObjectDeletion(string Key, string? ETag = null, string? VersionId = null)
{
    /// <summary>A listing has fractions of a second, and a header has none.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromSeconds(1);

    /// <summary>Gets the size that the object must have, in bytes; null for any.</summary>
    public long? Length { get; init; }

    /// <summary>Gets the last-modified time that the object must have; null for any.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>Gets the ETag as the condition of a request; null if there is none that a store can compare.</summary>
    public string? IfMatch => string.IsNullOrEmpty(ETag) || ETags.IsWeak(ETag) ? null : ETags.Quoted(ETag);

    /// <summary>Gets a value that indicates whether only one state of the object may be deleted.</summary>
    public bool IsBound => !string.IsNullOrEmpty(ETag) || Length is not null || LastModified is not null;

    /// <summary>Gets the same deletion without a state, for an object that was looked up immediately before.</summary>
    public ObjectDeletion Unbound => new(Key, null, VersionId);

    /// <summary>Returns whether an object is in the state that may be deleted. A state of which nothing can be compared isn't.</summary>
    public bool Matches(long length, string? etag, DateTimeOffset? lastModified)
    {
        bool comparesETag = !string.IsNullOrEmpty(ETag) && !string.IsNullOrEmpty(etag);
        return (comparesETag || Length is not null || (LastModified is not null && lastModified is not null))
            && ETags.AreSame(ETag, etag)
            && (Length is not { } expected || expected == length)
            && (LastModified is not { } one || lastModified is not { } other || (one - other).Duration() <= Tolerance);
    }
}
