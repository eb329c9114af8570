namespace Transfer.Server.Checksums;

/// <summary>The S3 checksum algorithms that this server computes.</summary>
internal enum ChecksumKind
{
    Crc64Nvme,
    Crc32,
    Crc32C,
    Sha1,
    Sha256,
}
