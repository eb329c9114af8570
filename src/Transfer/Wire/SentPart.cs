namespace Transfer.S3.Wire;

/// <summary>A part of an incomplete upload in the store.</summary>
/// <param name="Number">The number, from 1.</param>
/// <param name="LengthBytes">The length, in bytes.</param>
/// <param name="ETag">The ETag.</param>
/// <param name="Checksum">The checksum; null if the store has none.</param>
internal sealed record SentPart(int Number, long LengthBytes, string? ETag, StoredChecksum? Checksum);
