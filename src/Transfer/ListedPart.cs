namespace Transfer.S3;

/// <summary>A part in which an object was uploaded.</summary>
/// <param name="Number">The number of the part, from 1.</param>
/// <param name="Length">The size of the part, in bytes.</param>
/// <param name="Checksum">The checksum of the part; <see langword="null"/> if the store has none.</param>
public readonly record struct ListedPart(int Number, long Length, StoredChecksum? Checksum);
