namespace Transfer.Cli.Bench.Operations;

/// <summary>An object that is there to be read.</summary>
/// <param name="Key">Its key.</param>
/// <param name="SizeBytes">Its size; null where nobody asked.</param>
internal sealed record StoredObject(string Key, long? SizeBytes);
