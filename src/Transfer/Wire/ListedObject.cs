namespace Transfer.Wire;

/// <summary>An object in a listing.</summary>
internal readonly record struct ListedObject(string Key, long Length, string? ETag, DateTimeOffset? LastModified);
