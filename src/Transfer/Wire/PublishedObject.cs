namespace Transfer.Wire;

/// <summary>What the store said when an object was published by a PUT or a Complete.</summary>
internal readonly record struct PublishedObject(string? ETag, string? VersionId, StoredChecksum? Checksum);
