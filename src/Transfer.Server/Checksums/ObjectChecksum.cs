namespace Transfer.Server.Checksums;

/// <summary>The checksum that an object carries.</summary>
internal sealed record ObjectChecksum(ChecksumKind Algorithm, ChecksumType Type, string Value)
{
    public ChecksumInfo Info => ChecksumInfo.Of(Algorithm);
}
