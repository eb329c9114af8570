namespace Transfer.Server.Http;

/// <summary>The S3 operations, by their names in the S3 API.</summary>
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
    PutObjectTagging,
    DeleteObjectTagging,
    PutObject,
    CopyObject,
    DeleteObject,
    RestoreObject,
    CreateMultipartUpload,
    UploadPart,
    UploadPartCopy,
    CompleteMultipartUpload,
    AbortMultipartUpload,
    ListParts,
}
