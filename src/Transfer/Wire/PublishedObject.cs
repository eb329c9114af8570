namespace Transfer.Wire;

/// <summary>What the store said when an object was published by a PUT or a Complete.</summary>
internal readonly record struct PublishedObject(string? ETag, string? VersionId, StoredChecksum? Checksum)
{
    /// <summary>The answer itself, where <see cref="ReadAccess.KeepsAnswer"/> asked for it.</summary>
    public object? Answer { get; init; }

    /// <summary>Where the store says that the object is; it does only of a multipart upload.</summary>
    public string? Location { get; init; }
}
