namespace Transfer.S3;

/// <summary>The checksum of an object that the store holds.</summary>
public sealed record StoredChecksum
{
    /// <summary>Gets the algorithm of the checksum.</summary>
    public required ChecksumAlgorithm Algorithm { get; init; }

    /// <summary>Gets the value in base64, as S3 returns it. A composite checksum of N parts ends in <c>-N</c>.</summary>
    public required string Value { get; init; }

    /// <summary>
    /// Gets a value that indicates whether the checksum is made of the checksums of the parts (COMPOSITE in S3), and not of the whole content (FULL_OBJECT).
    /// </summary>
    public required bool IsComposite { get; init; }
}
