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

    /// <summary>Gets a value that indicates whether the store has returned the type. It says nothing of the checksum, so equal checksums can differ in it.</summary>
    internal bool IsTypeKnown { get; init; }

    /// <inheritdoc/>
    public bool Equals(StoredChecksum? other) => other is not null && (Algorithm, Value, IsComposite) == (other.Algorithm, other.Value, other.IsComposite);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Algorithm, Value, IsComposite);
}
