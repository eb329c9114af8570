namespace Transfer.S3.Stores;

/// <summary>Something that not every store supports. Each has one scope: every bucket, a bucket, or the address of a store.</summary>
internal enum StoreTrait
{
    /// <summary>GetObjectAttributes. A permission is known for a bucket, and a call that isn't implemented for every bucket.</summary>
    Attributes,

    /// <summary>If-None-Match of PutObject, for a bucket.</summary>
    PutCondition,

    /// <summary>If-None-Match of CompleteMultipartUpload, for a bucket.</summary>
    CompleteCondition,

    /// <summary>If-None-Match of CopyObject, for a bucket.</summary>
    CopyCondition,

    /// <summary>If-Match of PutObject, for a bucket.</summary>
    PutMatch,

    /// <summary>If-Match of CompleteMultipartUpload, for a bucket.</summary>
    CompleteMatch,

    /// <summary>If-Match of DeleteObject, for a bucket.</summary>
    DeleteMatch,

    /// <summary>The ETags of DeleteObjects, for a bucket.</summary>
    BatchDeleteMatch,

    /// <summary>If-Match of any operation that writes, for a bucket.</summary>
    AnyMatch,

    /// <summary>DeleteObjects, for every bucket.</summary>
    BatchDelete,

    /// <summary>If-None-Match of any operation. It is learned for the one warning of a bucket.</summary>
    AnyCondition,

    /// <summary>CRC-64/NVME of uploads, for every bucket.</summary>
    Crc64Nvme,

    /// <summary>CRC-32C of uploads, for every bucket.</summary>
    Crc32C,

    /// <summary>The header that requests a checksum, for an address. Backblaze B2 rejects it.</summary>
    ChecksumMode,

    /// <summary>Bodies that aren't part of the signature, for an address.</summary>
    UnsignedBodies,

    /// <summary>Parts of an upload that differ in size, for every bucket. It is known from the endpoint.</summary>
    UnequalParts,

    /// <summary>Tags of objects, for a bucket.</summary>
    Tags,

    /// <summary>The number of tags in the response to each object that has some, for a bucket. It is returned only if the credentials can read the tags.</summary>
    TagCount,

    /// <summary>Whether several objects of a bucket whose responses had no number of tags had none.</summary>
    UntaggedWithoutCount,

    /// <summary>Checksums of small objects, for a bucket.</summary>
    SmallObjectChecksums,

    /// <summary>ListObjectsV2, for a bucket.</summary>
    ListV2,

    /// <summary>The header that requests the states of restorations in a listing, for a bucket.</summary>
    RestoreStates,
}
