namespace Transfer;

/// <summary>What one request asks of the store, by the names of the Amazon S3 API Reference.</summary>
public enum RequestKind
{
    /// <summary>Reads an object or a range of it.</summary>
    GetObject,

    /// <summary>Reads an object's headers.</summary>
    HeadObject,

    /// <summary>Asks for an object's checksum or parts.</summary>
    GetObjectAttributes,

    /// <summary>Lists objects.</summary>
    ListObjects,

    /// <summary>Publishes an object.</summary>
    PutObject,

    /// <summary>Begins a multipart upload.</summary>
    CreateMultipartUpload,

    /// <summary>Sends a part.</summary>
    UploadPart,

    /// <summary>Publishes an object from its parts.</summary>
    CompleteMultipartUpload,

    /// <summary>Ends a multipart upload without an object.</summary>
    AbortMultipartUpload,

    /// <summary>Lists unfinished multipart uploads.</summary>
    ListMultipartUploads,

    /// <summary>Lists the parts of an unfinished multipart upload.</summary>
    ListParts,

    /// <summary>Copies an object inside the store.</summary>
    CopyObject,

    /// <summary>Copies a part inside the store.</summary>
    UploadPartCopy,
}
