namespace Transfer.S3.Wire;

/// <summary>Sends single S3 requests, reads their errors, and checks their responses. It knows nothing about parts or transfers.</summary>
/// <remarks>Every method throws a <see cref="WireException"/>, or an <see cref="OperationCanceledException"/> if the caller's token is canceled.</remarks>
internal interface IObjectWire
{
    /// <summary>Returns whether an Expires header that is no HTTP date, such as <c>0</c>, can be sent to a bucket. The SDK drops such a header.</summary>
    bool SendsExpiresAsText(string bucket);

    /// <summary>Returns whether the bodies of uploads to a bucket are probably signed, so that their SHA-256 is best computed while they are read anyway.</summary>
    bool SignsBodies(string bucket);

    /// <summary>Reads a range or the whole object. The response is checked against the request.</summary>
    Task<RangeResponse> GetRangeAsync(ObjectAddress address, RequestedRange range, ReadCondition condition, bool wantChecksum, CancellationToken cancellationToken);

    /// <summary>Gets the checksum of the whole object that the store holds, completed with what the ETag tells about its parts; null if the store returns none.</summary>
    Task<StoredChecksum?> GetAttributesChecksumAsync(ObjectAddress address, string? etag, CancellationToken cancellationToken);

    /// <summary>Reads an object's headers.</summary>
    Task<ObjectHead> HeadAsync(ObjectAddress address, CancellationToken cancellationToken);

    /// <summary>Gets the parts in which an object was stored; null if their lengths differ, or if the store doesn't return them.</summary>
    Task<StoredParts?> GetStoredPartsAsync(ObjectAddress address, CancellationToken cancellationToken);

    /// <summary>Lists one page of the objects under a prefix.</summary>
    /// <param name="query">The objects to list.</param>
    /// <param name="after">The end of the page before; null for the first page.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    Task<Page<ListedObject>> ListAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken);

    /// <summary>Gets the range of one part of an object that has not changed; null if the store doesn't return it.</summary>
    Task<StoredPart?> HeadPartAsync(ObjectAddress address, int partNumber, string? etag, CancellationToken cancellationToken);

    /// <summary>Gets one page of the lengths of an object's parts; null if the store doesn't return them, or if the object has changed.</summary>
    Task<Page<ListedPart>?> ListStoredPartsAsync(ObjectAddress address, string? etag, PageEnd? after, CancellationToken cancellationToken);

    /// <summary>Lists one page of the buckets of the credentials.</summary>
    Task<Page<ListedBucket>> ListBucketsAsync(PageEnd? after, CancellationToken cancellationToken);

    /// <summary>Lists one page of the incomplete multipart uploads.</summary>
    Task<Page<UnfinishedUpload>> ListUploadsAsync(string bucket, string prefix, PageEnd? after, CancellationToken cancellationToken);

    /// <summary>Lists one page of the parts of an incomplete upload.</summary>
    Task<Page<SentPart>> ListPartsAsync(ObjectAddress address, string uploadId, PageEnd? after, CancellationToken cancellationToken);

    /// <summary>Publishes an object with one request.</summary>
    Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken);

    /// <summary>Creates a multipart upload and returns its ID.</summary>
    Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken);

    /// <summary>Sends one part.</summary>
    Task<UploadedPart> UploadPartAsync(NewObject target, string uploadId, int partNumber, RequestBody body, CancellationToken cancellationToken);

    /// <summary>Publishes an object from its parts. A store that knows the length of the parts refuses another length of the object.</summary>
    Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, long objectBytes, CancellationToken cancellationToken);

    /// <summary>Gets the tags of an object.</summary>
    Task<IReadOnlyDictionary<string, string>> GetTagsAsync(ObjectAddress address, CancellationToken cancellationToken);

    /// <summary>Replaces the tags of an object. Without tags, they are deleted.</summary>
    Task SetTagsAsync(ObjectAddress address, IReadOnlyDictionary<string, string> tags, CancellationToken cancellationToken);

    /// <summary>Requests a copy of an archived object that can be read for some days.</summary>
    Task RestoreObjectAsync(ObjectAddress address, int days, CancellationToken cancellationToken);

    /// <summary>Creates a bucket in the region of the client.</summary>
    Task CreateBucketAsync(string bucket, CancellationToken cancellationToken);

    /// <summary>Deletes an empty bucket.</summary>
    Task DeleteBucketAsync(string bucket, CancellationToken cancellationToken);

    /// <summary>Deletes an object. The deletion of an object that doesn't exist succeeds, unless it has a condition.</summary>
    /// <param name="address">The object, optionally of one version.</param>
    /// <param name="ifMatch">The ETag that the object must have; null for any.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    Task<DeletedObject> DeleteObjectAsync(ObjectAddress address, string? ifMatch, CancellationToken cancellationToken);

    /// <summary>Deletes the objects of a <see cref="DeletionBatch"/> with one request.</summary>
    /// <returns>The objects that were not deleted. All others don't exist anymore.</returns>
    Task<IReadOnlyList<RefusedDeletion>> DeleteObjectsAsync(string bucket, IReadOnlyList<ObjectDeletion> objects, ReadAccess access, CancellationToken cancellationToken);

    /// <summary>Copies an object that has not changed, with one request.</summary>
    Task<PublishedObject> CopyObjectAsync(CopySource source, NewObject target, CancellationToken cancellationToken);

    /// <summary>Copies a range of an object that has not changed to a part.</summary>
    Task<UploadedPart> UploadPartCopyAsync(
        CopySource source, NewObject target, string uploadId, int partNumber, long offset, long length, CancellationToken cancellationToken);

    /// <summary>Aborts a multipart upload.</summary>
    Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken);

    /// <summary>Signs a request that somebody without credentials sends. Nothing is sent to the store.</summary>
    Task<PresignedUrl> PresignAsync(PresignedRequest presigned, CancellationToken cancellationToken);
}
