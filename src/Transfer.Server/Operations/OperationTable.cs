using Transfer.S3.Server.Acls;
using Transfer.S3.Server.Cors;
using Transfer.S3.Server.Forms;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Locks;

namespace Transfer.S3.Server.Operations;

/// <summary>Maps operations to the code that performs them.</summary>
internal static class OperationTable
{
    public static Task CarryOutAsync(S3Exchange exchange) => exchange.Operation switch
    {
        S3Operation.ListBuckets => BucketOperations.ListAsync(exchange),
        S3Operation.CreateBucket => BucketOperations.CreateAsync(exchange),
        S3Operation.HeadBucket => BucketOperations.HeadAsync(exchange),
        S3Operation.DeleteBucket => BucketOperations.DeleteAsync(exchange),
        S3Operation.GetBucketLocation => BucketOperations.GetLocationAsync(exchange),
        S3Operation.ListObjects => ListObjectsOperation.AnswerAsync(exchange),
        S3Operation.ListObjectsV2 => ListObjectsV2Operation.AnswerAsync(exchange),
        S3Operation.ListObjectVersions => ListObjectVersionsOperation.AnswerAsync(exchange),
        S3Operation.GetBucketVersioning => VersioningOperations.GetAsync(exchange),
        S3Operation.PutBucketVersioning => VersioningOperations.PutAsync(exchange),
        S3Operation.GetBucketCors => BucketCorsOperations.GetAsync(exchange),
        S3Operation.PutBucketCors => BucketCorsOperations.PutAsync(exchange),
        S3Operation.DeleteBucketCors => BucketCorsOperations.DeleteAsync(exchange),
        S3Operation.GetBucketTagging => BucketTaggingOperations.GetAsync(exchange),
        S3Operation.PutBucketTagging => BucketTaggingOperations.PutAsync(exchange),
        S3Operation.DeleteBucketTagging => BucketTaggingOperations.DeleteAsync(exchange),
        S3Operation.GetObjectLockConfiguration => ObjectLockOperations.GetConfigurationAsync(exchange),
        S3Operation.PutObjectLockConfiguration => ObjectLockOperations.PutConfigurationAsync(exchange),
        S3Operation.GetObjectRetention => ObjectLockOperations.GetRetentionAsync(exchange),
        S3Operation.PutObjectRetention => ObjectLockOperations.PutRetentionAsync(exchange),
        S3Operation.GetObjectLegalHold => ObjectLockOperations.GetLegalHoldAsync(exchange),
        S3Operation.PutObjectLegalHold => ObjectLockOperations.PutLegalHoldAsync(exchange),
        S3Operation.GetBucketAcl => AclOperations.GetBucketAclAsync(exchange),
        S3Operation.PutBucketAcl => AclOperations.PutBucketAclAsync(exchange),
        S3Operation.GetObjectAcl => AclOperations.GetObjectAclAsync(exchange),
        S3Operation.PutObjectAcl => AclOperations.PutObjectAclAsync(exchange),
        S3Operation.PostObject => PostObjectOperation.AnswerAsync(exchange),
        S3Operation.Preflight => CorsHeaders.AnswerPreflightAsync(exchange),
        S3Operation.ListMultipartUploads => ListMultipartUploadsOperation.AnswerAsync(exchange),
        S3Operation.DeleteObjects => DeleteObjectsOperation.AnswerAsync(exchange),
        S3Operation.GetObject or S3Operation.HeadObject => GetObjectOperation.AnswerAsync(exchange),
        S3Operation.GetObjectAttributes => GetObjectAttributesOperation.AnswerAsync(exchange),
        S3Operation.GetObjectTagging => GetObjectTaggingOperation.AnswerAsync(exchange),
        S3Operation.PutObjectTagging => ChangeObjectTaggingOperation.PutAsync(exchange),
        S3Operation.DeleteObjectTagging => ChangeObjectTaggingOperation.DeleteAsync(exchange),
        S3Operation.PutObject => PutObjectOperation.AnswerAsync(exchange),
        S3Operation.CopyObject => CopyObjectOperation.AnswerAsync(exchange),
        S3Operation.DeleteObject => DeleteObjectOperation.AnswerAsync(exchange),
        S3Operation.RestoreObject => RestoreObjectOperation.AnswerAsync(exchange),
        S3Operation.CreateMultipartUpload => CreateMultipartUploadOperation.AnswerAsync(exchange),
        S3Operation.UploadPart => UploadPartOperation.AnswerAsync(exchange),
        S3Operation.UploadPartCopy => UploadPartCopyOperation.AnswerAsync(exchange),
        S3Operation.CompleteMultipartUpload => CompleteMultipartUploadOperation.AnswerAsync(exchange),
        S3Operation.AbortMultipartUpload => AbortMultipartUploadOperation.AnswerAsync(exchange),
        S3Operation.ListParts => ListPartsOperation.AnswerAsync(exchange),
        _ => throw S3Errors.NotImplemented(exchange.Operation.ToString()),
    };
}
