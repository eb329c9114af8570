namespace Transfer.Server.Http;

/// <summary>What a request asks for; the names are those of the S3 API.</summary>
internal enum S3Operation
{
    Unknown,
    ListBuckets,
    CreateBucket,
    HeadBucket,
    DeleteBucket,
    GetBucketLocation,
    ListObjects,
    ListObjectsV2,
    ListMultipartUploads,
    DeleteObjects,
    GetObject,
    HeadObject,
    GetObjectAttributes,
    GetObjectTagging,
    PutObject,
    CopyObject,
    DeleteObject,
    CreateMultipartUpload,
    UploadPart,
    UploadPartCopy,
    CompleteMultipartUpload,
    AbortMultipartUpload,
    ListParts,
}
