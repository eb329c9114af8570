using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The algorithm of a checksum. The names are those of the <c>x-amz-checksum-*</c> headers of S3.</summary>
/// <remarks>
/// For multipart uploads, S3 keeps a CRC of the whole content (FULL_OBJECT). It can't combine hashes, so it keeps the hash of the hashes of the parts (COMPOSITE), which
/// depends on their sizes. The hash of an object that was uploaded with one request is that of its content (Amazon S3 User Guide, "Checking object integrity for data
/// uploads"). Amazon S3 has had SHA-512, XXHash, and MD5 since April 2026. Many other stores refuse or ignore them.
/// </remarks>
[JsonConverter(typeof(JsonStringEnumConverter<ChecksumAlgorithm>))]
public enum ChecksumAlgorithm
{
    /// <summary>
    /// CRC-64/NVME, the default of Amazon S3. If the store rejects it, uploads use CRC-32C, and if that is rejected too, <see cref="ContentMd5"/>. The client tries
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

    /// <summary>SHA-1. For multipart uploads, it is the SHA-1 of the digests of the parts.</summary>
    Sha1,

    /// <summary>SHA-256. For multipart uploads, it is the SHA-256 of the digests of the parts.</summary>
    Sha256,

    /// <summary>SHA-512. For multipart uploads, it is the SHA-512 of the digests of the parts.</summary>
    Sha512,

    /// <summary>XXH64 with a seed of zero. For multipart uploads, it is the XXH64 of the values of the parts.</summary>
    XxHash64,

    /// <summary>XXH3 with 64 bits and a seed of zero. For multipart uploads, it is the XXH3 of the values of the parts.</summary>
    XxHash3,

    /// <summary>XXH3 with 128 bits and a seed of zero. For multipart uploads, it is the XXH128 of the values of the parts.</summary>
    XxHash128,

    /// <summary>
    /// MD5 as a checksum that the store keeps (<c>x-amz-checksum-md5</c>). For multipart uploads, it is the MD5 of the digests of the parts. In results, it is also the
    /// algorithm of an ETag that is an MD5.
    /// </summary>
    Md5,

    /// <summary>
    /// MD5 of each request, sent as <c>Content-MD5</c>, for stores that support no other algorithm. The store compares it, but doesn't keep it. The upload is verified by
    /// its ETag if the store makes ETags of MD5s, so the algorithm in the result is <see cref="Md5"/>. Only for uploads.
    /// </summary>
    ContentMd5,
}
