namespace Transfer.Wire;

/// <summary>One S3 request at a time: it sends, reads errors and checks answers. It knows nothing of parts or transfers.</summary>
/// <remarks>Every method throws <see cref="WireException"/>, or <see cref="OperationCanceledException"/> for the caller's token alone.</remarks>
internal interface IObjectWire : IDisposable
{
    /// <summary>Whether nobody on the way can read what is sent: it goes over TLS, or does not leave this machine.</summary>
    bool KeepsSecrets { get; }

    /// <summary>Reads a range, or with a null length all of the object. The answer is checked against what was asked.</summary>
    Task<RangeResponse> GetRangeAsync(ObjectAddress address, long offset, long? length, ReadCondition condition, bool wantChecksum, CancellationToken cancellationToken);

    /// <summary>Asks which checksum the store holds of the whole object; null where it tells none.</summary>
    Task<StoredChecksum?> GetAttributesChecksumAsync(ObjectAddress address, string? etag, CancellationToken cancellationToken);

    /// <summary>Reads an object's headers.</summary>
    Task<ObjectInfo> HeadAsync(ObjectAddress address, CancellationToken cancellationToken);

    /// <summary>Asks in which parts an object was stored; null where that is not in parts of one length, or not told.</summary>
    Task<StoredParts?> GetStoredPartsAsync(ObjectAddress address, CancellationToken cancellationToken);

    /// <summary>Lists the objects under a prefix, a page at a time.</summary>
    /// <param name="bucket">The bucket.</param>
    /// <param name="prefix">What their keys begin with.</param>
    /// <param name="page">What the page before said; null for the first.</param>
    /// <param name="access">What it takes to be let in.</param>
    /// <param name="cancellationToken">Ends it.</param>
    Task<ObjectPage> ListAsync(string bucket, string prefix, string? page, ReadAccess access, CancellationToken cancellationToken);

    /// <summary>Asks where one part of a stored object is in it, if the object is still as it was; null where the store does not tell.</summary>
    Task<StoredPart?> HeadPartAsync(ObjectAddress address, int partNumber, string? etag, CancellationToken cancellationToken);

    /// <summary>Asks how long the parts of a stored object are, a page of them; null where the store does not tell, or the object is no longer as it was.</summary>
    Task<StoredPartPage?> ListStoredPartsAsync(ObjectAddress address, string? etag, int afterPart, CancellationToken cancellationToken);

    /// <summary>Lists unfinished multipart uploads, a page of them.</summary>
    Task<UploadPage> ListUploadsAsync(string bucket, string prefix, UploadMarker? after, CancellationToken cancellationToken);

    /// <summary>Lists the parts that the store has of an unfinished upload, a page of them.</summary>
    Task<SentPartPage> ListPartsAsync(ObjectAddress address, string uploadId, int afterPart, CancellationToken cancellationToken);

    /// <summary>Publishes an object in one request.</summary>
    Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken);

    /// <summary>Begins a multipart upload and returns its id.</summary>
    Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken);

    /// <summary>Sends one part.</summary>
    Task<UploadedPart> UploadPartAsync(NewObject target, string uploadId, int partNumber, RequestBody body, CancellationToken cancellationToken);

    /// <summary>Publishes an object from its parts.</summary>
    Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, CancellationToken cancellationToken);

    /// <summary>Reads the headers of an object that is to be copied: also those that a copy in parts has to repeat.</summary>
    Task<CopySource> HeadCopySourceAsync(ObjectAddress address, CancellationToken cancellationToken);

    /// <summary>Has the store copy an object in one request, if it is still as it was.</summary>
    Task<PublishedObject> CopyObjectAsync(CopySource source, NewObject target, CancellationToken cancellationToken);

    /// <summary>Has the store make a part of the source's bytes, if it is still as it was.</summary>
    Task<UploadedPart> UploadPartCopyAsync(
        CopySource source, NewObject target, string uploadId, int partNumber, long offset, long length, CancellationToken cancellationToken);

    /// <summary>Ends a multipart upload without an object.</summary>
    Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken);
}
