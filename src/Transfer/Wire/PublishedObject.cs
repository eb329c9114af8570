namespace Transfer.Wire;

/// <summary>The response to the request that published an object.</summary>
internal readonly record struct PublishedObject(string? ETag, string? VersionId, StoredChecksum? Checksum)
{
    /// <summary>Gets the original response, if <see cref="ReadAccess.KeepsAnswer"/> was set.</summary>
    public object? Answer { get; init; }

    /// <summary>Gets the location of the object, which stores return for multipart uploads only.</summary>
    public string? Location { get; init; }
}
