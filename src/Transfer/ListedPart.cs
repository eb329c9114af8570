namespace Transfer.S3;

/// <summary>A part in which an object was uploaded.</summary>
public readonly record struct ListedPart
{
    /// <summary>Gets the number of the part, from 1.</summary>
    public int Number { get; init; }

    /// <summary>Gets the size of the part, in bytes.</summary>
    public long Length { get; init; }

    /// <summary>Gets the checksum of the part; <see langword="null"/> if the store has none.</summary>
    public StoredChecksum? Checksum { get; init; }
}
