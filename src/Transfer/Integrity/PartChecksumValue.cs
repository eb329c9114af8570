namespace Transfer.S3.Integrity;

/// <summary>The checksum of a completed part, from which the checksum of the object is computed.</summary>
internal readonly record struct PartChecksumValue(ChecksumAlgorithm Algorithm, CrcSet Crc, byte[]? Digest);
