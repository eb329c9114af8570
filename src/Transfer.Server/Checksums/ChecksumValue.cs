namespace Transfer.S3.Server.Checksums;

/// <summary>A checksum: the base64 of its bytes, followed by <c>-N</c> if it is a composite of N parts.</summary>
internal readonly record struct ChecksumValue(ChecksumAlgorithm Algorithm, string Value);
