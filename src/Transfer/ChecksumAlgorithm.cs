namespace Transfer;

/// <summary>The algorithm of a checksum. The names are those of the <c>x-amz-checksum-*</c> headers of S3.</summary>
public enum ChecksumAlgorithm
{
    /// <summary>
    /// CRC-64/NVME, the default of Amazon S3. If the store rejects it, uploads use CRC-32C, and if that is rejected too, <see cref="Md5"/>. The client tries
    /// again after five minutes.
    /// </summary>
    Auto = 0,

    /// <summary>No checksum.</summary>
    None,

    /// <summary>CRC-64/NVME of the whole content, also for multipart uploads.</summary>
    Crc64Nvme,

    /// <summary>CRC-32C of the whole content, also for multipart uploads.</summary>
    Crc32C,

    /// <summary>CRC-32 of the whole content, also for multipart uploads.</summary>
    Crc32,

    /// <summary>SHA-256. For multipart uploads, it is the SHA-256 of the digests of the parts.</summary>
    Sha256,

    /// <summary>SHA-1. It is used to verify downloads, but not supported for uploads.</summary>
    Sha1,

    /// <summary>
    /// MD5 of each part, sent as <c>Content-MD5</c>, for stores that support no other algorithm. An upload is verified by its ETag if the store makes ETags of MD5s.
    /// </summary>
    Md5,
}
