namespace Transfer.Server.Checksums;

/// <summary>The checksum algorithms that S3 knows and this server computes.</summary>
internal enum ChecksumKind
{
    Crc64Nvme,
    Crc32,
    Crc32C,
    Sha1,
    Sha256,
}
