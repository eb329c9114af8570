using Transfer.Server.Checksums;
using Transfer.Server.Storage;

namespace Transfer.Server.Operations;

/// <summary>A body that arrived whole and verified, or bytes that were copied.</summary>
/// <param name="Content">The bytes; the holder of this releases them or hands them on.</param>
/// <param name="ETag">Their entity tag.</param>
/// <param name="Checksums">What was computed over them.</param>
internal sealed record ReceivedContent(Content Content, string ETag, IReadOnlyList<ChecksumValue> Checksums)
{
    public string ChecksumOf(ChecksumKind algorithm) => Checksums.First(checksum => checksum.Algorithm == algorithm).Value;
}
