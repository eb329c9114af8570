namespace Transfer.Wire;

/// <summary>A part of an object in the list of the store.</summary>
/// <param name="Number">The number, from 1.</param>
/// <param name="LengthBytes">The length, in bytes.</param>
/// <param name="Checksum">The checksum; null if the store has none.</param>
internal readonly record struct ListedPart(int Number, long LengthBytes, StoredChecksum? Checksum);
