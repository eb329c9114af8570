namespace Transfer.S3.Requests;

/// <summary>Says what the price of a kind of request is. This is the only place that does.</summary>
internal static class RequestKindExtensions
{
    /// <summary>Gets the usage of one request, without content.</summary>
    public static StoreUsage ToUsage(this RequestKind kind) => kind switch
    {
        RequestKind.PutObject or RequestKind.CreateMultipartUpload or RequestKind.UploadPart or RequestKind.CompleteMultipartUpload
            or RequestKind.CopyObject or RequestKind.UploadPartCopy or RequestKind.PutObjectTagging or RequestKind.RestoreObject or RequestKind.CreateBucket => new() { Writes = 1 },
        RequestKind.ListObjects or RequestKind.ListMultipartUploads or RequestKind.ListParts or RequestKind.ListBuckets => new() { Lists = 1 },
        RequestKind.DeleteObject or RequestKind.DeleteObjects or RequestKind.AbortMultipartUpload or RequestKind.DeleteObjectTagging or RequestKind.DeleteBucket => new() { Deletes = 1 },
        _ => new() { Reads = 1 },
    };
}
