namespace Transfer;

/// <summary>The algorithms' names as S3 and the tool write them.</summary>
internal static class ChecksumNames
{
    /// <summary>Those that a store may hold of an object, the one that is most useful to us first.</summary>
    public static readonly ChecksumAlgorithm[] Stored =
    [
        ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1,
    ];

    /// <summary>The header that carries the value, in lower case.</summary>
    public static string HeaderName(this ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => "x-amz-checksum-crc64nvme",
        ChecksumAlgorithm.Crc32C => "x-amz-checksum-crc32c",
        ChecksumAlgorithm.Crc32 => "x-amz-checksum-crc32",
        ChecksumAlgorithm.Sha256 => "x-amz-checksum-sha256",
        ChecksumAlgorithm.Sha1 => "x-amz-checksum-sha1",
        ChecksumAlgorithm.Md5 => "content-md5",
        _ => throw new ArgumentOutOfRangeException(nameof(algorithm), algorithm, "The algorithm has no header."),
    };

    /// <summary>The name in a multipart upload's requests and answers; null for what has none there.</summary>
    public static string? MultipartName(this ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => "CRC64NVME",
        ChecksumAlgorithm.Crc32C => "CRC32C",
        ChecksumAlgorithm.Crc32 => "CRC32",
        ChecksumAlgorithm.Sha256 => "SHA256",
        ChecksumAlgorithm.Sha1 => "SHA1",
        _ => null,
    };

    public static string Name(this ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => "crc64nvme",
        ChecksumAlgorithm.Crc32C => "crc32c",
        ChecksumAlgorithm.Crc32 => "crc32",
        ChecksumAlgorithm.Sha256 => "sha256",
        ChecksumAlgorithm.Sha1 => "sha1",
        ChecksumAlgorithm.Md5 => "md5",
        ChecksumAlgorithm.None => "none",
        _ => "auto",
    };
}
