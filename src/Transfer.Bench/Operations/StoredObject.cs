namespace Transfer.S3.Bench.Operations;

/// <summary>An object to download.</summary>
/// <param name="Key">The key.</param>
/// <param name="SizeBytes">The size; null if it isn't known.</param>
internal sealed record StoredObject(string Key, long? SizeBytes);
