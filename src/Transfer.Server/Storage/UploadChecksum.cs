using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Storage;

/// <summary>The checksum of a multipart upload.</summary>
/// <param name="Algorithm">The algorithm of the completed object.</param>
/// <param name="Type">What the checksum covers.</param>
/// <param name="IsDeclared">Whether the client specified it; otherwise, the server computes CRC-64/NVME by default.</param>
internal sealed record UploadChecksum(ChecksumAlgorithm Algorithm, ChecksumType Type, bool IsDeclared);
