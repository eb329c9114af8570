namespace Transfer.Wire;

/// <summary>A part of an unfinished upload, as the store has it.</summary>
/// <param name="Number">Its number, from 1.</param>
/// <param name="LengthBytes">Its length.</param>
/// <param name="ETag">Its entity tag.</param>
/// <param name="Checksum">Its checksum, where the store keeps one of it.</param>
internal sealed record SentPart(int Number, long LengthBytes, string? ETag, StoredChecksum? Checksum);
