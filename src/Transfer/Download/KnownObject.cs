namespace Transfer.S3.Download;

/// <summary>The size and the ETag that an object must have, because a listing or the caller knows them.</summary>
internal sealed record KnownObject(long Length, string? ETag = null);
