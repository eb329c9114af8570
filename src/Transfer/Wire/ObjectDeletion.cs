namespace Transfer.S3.Wire;

/// <summary>An object to delete.</summary>
/// <param name="Key">The key.</param>
/// <param name="ETag">The ETag that the object must have; null for any.</param>
/// <param name="VersionId">The version to delete for good; null for the current one.</param>
internal readonly record struct ObjectDeletion(string Key, string? ETag = null, string? VersionId = null);
