namespace Transfer.Integrity;

/// <summary>A finished part's checksum, kept until the object's is made of it.</summary>
internal readonly record struct PartChecksumValue(ChecksumAlgorithm Algorithm, CrcSet Crc, byte[]? Digest);
