namespace Transfer.S3;

/// <summary>The checksum of an object that the store holds.</summary>
/// <param name="Algorithm">The algorithm of the checksum.</param>
/// <param name="Value">The value in base64, as S3 returns it. A composite checksum of N parts ends in <c>-N</c>.</param>
/// <param name="IsComposite">
/// <see langword="true"/> if the checksum is made of the checksums of the parts (COMPOSITE in S3); <see langword="false"/> if it is a checksum of the whole content
/// (FULL_OBJECT).
/// </param>
public sealed record StoredChecksum(ChecksumAlgorithm Algorithm, string Value, bool IsComposite)
{
    /// <summary>Gets a value that indicates whether the store has returned the type. It says nothing of the checksum, so equal checksums can differ in it.</summary>
    internal bool IsTypeKnown { get; init; }

    /// <inheritdoc/>
    public bool Equals(StoredChecksum? other) => other is not null && (Algorithm, Value, IsComposite) == (other.Algorithm, other.Value, other.IsComposite);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Algorithm, Value, IsComposite);
}
