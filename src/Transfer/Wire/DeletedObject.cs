namespace Transfer.S3.Wire;

/// <summary>The response to the deletion of one object.</summary>
/// <param name="VersionId">The version that was deleted, or the version of the delete marker that was created; null if the bucket has no versions.</param>
/// <param name="IsDeleteMarker">Whether the version is a delete marker.</param>
internal sealed record DeletedObject(string? VersionId, bool IsDeleteMarker);
