using System.Text.Json.Serialization;

namespace Transfer.S3.Server;

/// <summary>
/// Something that Amazon S3 supports and that stores with its protocol don't always support. An <see cref="EmbeddedS3Server"/> can do without it, to
/// test clients with such a store.
/// </summary>
[JsonConverter(typeof(JsonStringEnumConverter<ServerAbility>))]
public enum ServerAbility
{
    /// <summary>If-None-Match of PutObject.</summary>
    PutIfAbsent,

    /// <summary>If-Match of PutObject.</summary>
    PutIfMatch,

    /// <summary>If-None-Match of CompleteMultipartUpload.</summary>
    CompleteIfAbsent,

    /// <summary>If-Match of CompleteMultipartUpload.</summary>
    CompleteIfMatch,

    /// <summary>CopyObject. It can only be refused.</summary>
    Copy,

    /// <summary>If-None-Match of CopyObject.</summary>
    CopyIfAbsent,

    /// <summary>If-Match of the source of CopyObject and UploadPartCopy.</summary>
    CopySourceIfMatch,

    /// <summary>UploadPartCopy. It can only be refused.</summary>
    PartCopy,

    /// <summary>If-Match of GetObject and HeadObject.</summary>
    ReadIfMatch,

    /// <summary>Ranges that are counted from the end of an object.</summary>
    SuffixRange,

    /// <summary>GetObject and HeadObject of one part.</summary>
    PartRead,

    /// <summary>CRC-64/NVME checksums of uploads. If they are ignored, those of PutObject aren't compared.</summary>
    Crc64Nvme,

    /// <summary>CRC-32C checksums of uploads. If they are ignored, those of PutObject aren't compared.</summary>
    Crc32C,

    /// <summary>The Content-MD5 of PutObject and UploadPart.</summary>
    ContentMd5,

    /// <summary>The header that requests the checksum of an object.</summary>
    ChecksumMode,

    /// <summary>GetObjectAttributes. It can only be refused.</summary>
    Attributes,

    /// <summary>Tags of objects. It can only be refused.</summary>
    Tags,

    /// <summary>The number of tags in the response to a read. It can only be ignored.</summary>
    TagCount,

    /// <summary>Multipart uploads. It can only be refused.</summary>
    Multipart,

    /// <summary>Parts of an upload that differ in size. It can only be refused.</summary>
    UnequalParts,

    /// <summary>ListParts. It can only be refused.</summary>
    ListParts,

    /// <summary>ListMultipartUploads. It can only be refused.</summary>
    ListUploads,

    /// <summary>ListObjectsV2. If it is ignored, the response is that of ListObjects.</summary>
    ListV2,

    /// <summary>The key after which ListObjectsV2 begins.</summary>
    StartAfter,

    /// <summary>DeleteObjects. It can only be refused.</summary>
    BatchDelete,

    /// <summary>If-Match of DeleteObject.</summary>
    DeleteIfMatch,

    /// <summary>The ETag of each object of DeleteObjects.</summary>
    BatchDeleteIfMatch,

    /// <summary>Bodies that aren't part of the signature. It can only be refused.</summary>
    UnsignedBody,

    /// <summary>ListObjectVersions, and the versioning of buckets. It can only be refused.</summary>
    ListVersions,
}
