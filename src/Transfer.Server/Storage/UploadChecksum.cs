using Transfer.Server.Checksums;

namespace Transfer.Server.Storage;

/// <summary>The checksum of a multipart upload.</summary>
/// <param name="Algorithm">The algorithm of the finished object.</param>
/// <param name="Type">How it covers the parts.</param>
/// <param name="IsDeclared">Whether the client named it; otherwise the server computes CRC-64/NVME of its own accord.</param>
internal sealed record UploadChecksum(ChecksumKind Algorithm, ChecksumType Type, bool IsDeclared);
