using Transfer.S3.Server.Http;
using Transfer.S3.Server.Signing;

namespace Transfer.S3.Server.Acls;

/// <summary>Decides whether a request without a signature is allowed by an access control list.</summary>
internal static class PublicAccess
{
    /// <summary>Returns whether a request has no signature and needs none. The server decides it only if its buckets can be public.</summary>
    public static bool Allows(S3Exchange exchange)
    {
        if (!exchange.Server.Options.AllowPublicAcls || SignatureClaim.Read(exchange.Http.Request.Headers, exchange.Target.Query) is not null || exchange.Target.Bucket is not { } name)
        {
            return false;
        }

        if (exchange.Server.Catalog.FindBucket(name) is not { } bucket)
        {
            return exchange.Operation != S3Operation.CreateBucket; // the response is 404
        }

        string? acl = bucket.Settings.Acl;
        return exchange.Operation switch
        {
            S3Operation.GetObject or S3Operation.HeadObject => bucket.FindVersion(exchange.Key, exchange.Target.VersionId) is { } value
                ? CannedAcl.IsForReaders(value.Attributes.Acl)
                : CannedAcl.IsForReaders(acl),
            S3Operation.HeadBucket or S3Operation.ListObjects or S3Operation.ListObjectsV2 or S3Operation.ListObjectVersions or S3Operation.ListMultipartUploads => CannedAcl.IsForReaders(acl),
            S3Operation.PutObject or S3Operation.PostObject or S3Operation.CreateMultipartUpload or S3Operation.UploadPart or S3Operation.CompleteMultipartUpload
                or S3Operation.AbortMultipartUpload or S3Operation.DeleteObject or S3Operation.DeleteObjects => CannedAcl.IsForWriters(acl),
            _ => false,
        };
    }
}
