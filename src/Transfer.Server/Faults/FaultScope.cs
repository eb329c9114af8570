using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Faults;

/// <summary>Determines which faults can affect which requests.</summary>
internal static class FaultScope
{
    public static bool IsOfConnections(ServerFault fault) => fault is ServerFault.RefuseConnection or ServerFault.FailHandshake;

    public static bool Includes(ServerFault fault, RequestTraits request) => fault switch
    {
        ServerFault.RefuseConnection or ServerFault.FailHandshake => false,
        ServerFault.ResetInBody or ServerFault.TruncateBody or ServerFault.StallBody or ServerFault.SlowDrip => IsAnsweredWithBody(request.Operation),
        ServerFault.FlipDownload => request.Operation == S3Operation.GetObject,
        ServerFault.FlipUpload => request.Operation is S3Operation.PutObject or S3Operation.UploadPart && request.HasBody,
        ServerFault.WrongRange or ServerFault.IgnoreRange => request.Operation == S3Operation.GetObject && request.HasRange,
        ServerFault.ChangeETag => request.Operation is S3Operation.GetObject or S3Operation.HeadObject,
        ServerFault.ErrorInCompletion => request.Operation == S3Operation.CompleteMultipartUpload,
        ServerFault.LoseReply => ChangesSomething(request.Operation),
        _ => true,
    };

    private static bool IsAnsweredWithBody(S3Operation operation) => operation is
        S3Operation.ListBuckets or S3Operation.GetBucketLocation or S3Operation.ListObjects or S3Operation.ListObjectsV2 or S3Operation.ListMultipartUploads
        or S3Operation.ListObjectVersions or S3Operation.GetBucketVersioning or S3Operation.GetBucketCors
        or S3Operation.ListParts or S3Operation.GetObject or S3Operation.GetObjectAttributes or S3Operation.GetObjectTagging or S3Operation.DeleteObjects
        or S3Operation.CopyObject or S3Operation.UploadPartCopy or S3Operation.CreateMultipartUpload or S3Operation.CompleteMultipartUpload;

    private static bool ChangesSomething(S3Operation operation) => operation is
        S3Operation.CreateBucket or S3Operation.DeleteBucket or S3Operation.DeleteObjects or S3Operation.PutObject or S3Operation.CopyObject
        or S3Operation.DeleteObject or S3Operation.CreateMultipartUpload or S3Operation.UploadPart or S3Operation.UploadPartCopy
        or S3Operation.CompleteMultipartUpload or S3Operation.AbortMultipartUpload or S3Operation.PutObjectTagging or S3Operation.DeleteObjectTagging
        or S3Operation.RestoreObject or S3Operation.PutBucketVersioning;
}
