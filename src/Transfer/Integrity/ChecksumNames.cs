namespace Transfer;

/// <summary>The names of the algorithms in S3 and in the command-line tool.</summary>
internal static class ChecksumNames
{
    /// <summary>The algorithms of which a store can hold a checksum, in the order of preference.</summary>
    public static readonly ChecksumAlgorithm[] Stored =
    [
        ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1,
    ];

    /// <summary>Gets the first checksum of a response.</summary>
    /// <param name="valueOf">Gets the value of an algorithm, if the response has one.</param>
    /// <param name="typeOf">Gets the type. If the response has none, a composite value ends in a dash and the number of parts. A dash isn't a base64 character.</param>
    public static StoredChecksum? Find(Func<ChecksumAlgorithm, string?> valueOf, Func<string?> typeOf)
    {
        foreach (ChecksumAlgorithm algorithm in Stored)
        {
            if (valueOf(algorithm) is { Length: > 0 } value)
            {
                return new StoredChecksum(
                    algorithm, value, value.Contains('-', StringComparison.Ordinal) || string.Equals(typeOf(), "COMPOSITE", StringComparison.OrdinalIgnoreCase));
            }
        }

        return null;
    }

    /// <summary>Gets the name of the header that contains the value, in lower case.</summary>
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

    /// <summary>Gets the name in requests and responses of multipart uploads; null for an algorithm that has none there.</summary>
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
