namespace Transfer.S3.Integrity;

/// <summary>The checksum of a completed part, from which the checksum of the object is computed.</summary>
internal readonly record struct PartChecksumValue(ChecksumAlgorithm Algorithm, CrcSet Crc, byte[]? Digest)
{
    /// <summary>Gets the checksum as S3 uses it; null if none was computed.</summary>
    public string? ToBase64() => Digest is { } digest ? Convert.ToBase64String(digest) : Crc.ToBase64(Algorithm);
}
