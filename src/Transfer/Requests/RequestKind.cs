using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The S3 operation of a request, by its name in the Amazon S3 API Reference.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<RequestKind>))]
public enum RequestKind
{
    /// <summary>Reads an object or a range of it.</summary>
    GetObject,

    /// <summary>Reads an object's headers.</summary>
    HeadObject,

    /// <summary>Reads the checksum or the parts of an object.</summary>
    GetObjectAttributes,

    /// <summary>Lists objects.</summary>
    ListObjects,

    /// <summary>Uploads an object.</summary>
    PutObject,

    /// <summary>Creates a multipart upload.</summary>
    CreateMultipartUpload,

    /// <summary>Uploads a part.</summary>
    UploadPart,

    /// <summary>Creates an object from its uploaded parts.</summary>
    CompleteMultipartUpload,

    /// <summary>Aborts a multipart upload.</summary>
    AbortMultipartUpload,

    /// <summary>Lists incomplete multipart uploads.</summary>
    ListMultipartUploads,

    /// <summary>Lists the parts of an incomplete multipart upload.</summary>
    ListParts,

    /// <summary>Copies an object within the store.</summary>
    CopyObject,

    /// <summary>Copies a part within the store.</summary>
    UploadPartCopy,

    /// <summary>Reads the tags of an object.</summary>
    GetObjectTagging,

    /// <summary>Replaces the tags of an object.</summary>
    PutObjectTagging,

    /// <summary>Deletes the tags of an object.</summary>
    DeleteObjectTagging,

    /// <summary>Creates a bucket.</summary>
    CreateBucket,

    /// <summary>Deletes a bucket.</summary>
    DeleteBucket,

    /// <summary>Lists buckets.</summary>
    ListBuckets,

    /// <summary>Deletes an object.</summary>
    DeleteObject,

    /// <summary>Deletes up to 1,000 objects.</summary>
    DeleteObjects,

    /// <summary>Requests a copy of an archived object that can be read.</summary>
    RestoreObject,
}
