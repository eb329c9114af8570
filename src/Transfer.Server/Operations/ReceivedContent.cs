using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Content that was received completely and verified, or copied.</summary>
/// <param name="Content">The bytes. The owner of this instance must release them or transfer their ownership.</param>
/// <param name="ETag">The ETag.</param>
/// <param name="Checksums">The computed checksums.</param>
internal sealed record ReceivedContent(Content Content, string ETag, IReadOnlyList<ChecksumValue> Checksums)
{
    public string GetChecksum(ChecksumAlgorithm algorithm) => Checksums.First(checksum => checksum.Algorithm == algorithm).Value;
}
