namespace Transfer.Wire;

/// <summary>What a listing tells of an object.</summary>
internal readonly record struct ListedObject(string Key, long Length, string? ETag, DateTimeOffset? LastModified);
