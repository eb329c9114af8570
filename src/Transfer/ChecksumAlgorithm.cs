namespace Transfer;

/// <summary>How content is checked. The names are those of S3's <c>x-amz-checksum-*</c> headers.</summary>
public enum ChecksumAlgorithm
{
    /// <summary>
    /// CRC-64/NVME, S3's own default. An upload to a store that refuses it carries CRC-32C, and <see cref="Md5"/> where that is refused as well; a client
    /// finds that out once.
    /// </summary>
    Auto = 0,

    /// <summary>No checksum.</summary>
    None,

    /// <summary>CRC-64/NVME over the full object, whatever its parts.</summary>
    Crc64Nvme,

    /// <summary>CRC-32C over the full object, whatever its parts.</summary>
    Crc32C,

    /// <summary>CRC-32 over the full object, whatever its parts.</summary>
    Crc32,

    /// <summary>SHA-256; of a multipart object the SHA-256 of its parts' digests.</summary>
    Sha256,

    /// <summary>SHA-1. Read from stores that hold it, never sent.</summary>
    Sha1,

    /// <summary>
    /// MD5 of each part, sent as <c>Content-MD5</c>, for stores that know no other. An upload is verified by the ETag, where the store makes that of MD5s.
    /// </summary>
    Md5,
}
