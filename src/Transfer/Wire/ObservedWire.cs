namespace Transfer.Wire;

/// <summary>Measures every request for whoever listens. A client that nobody listens to has none.</summary>
internal sealed class ObservedWire(IObjectWire wire, Action<RequestTiming> observer, TimeProvider time) : IObjectWire
{
    public bool KeepsSecrets => wire.KeepsSecrets;

    public async Task<RangeResponse> GetRangeAsync(ObjectAddress address, long offset, long? length, ReadCondition condition, bool wantChecksum, CancellationToken cancellationToken)
    {
        long sent = time.GetTimestamp();
        RangeResponse response;
        try
        {
            response = await wire.GetRangeAsync(address, offset, length, condition, wantChecksum, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Tell(RequestKind.GetObject, sent, 0, e);
            throw;
        }

        TimeSpan firstByte = time.GetElapsedTime(sent);
        response.Observe((bytes, error) => Tell(new RequestTiming(RequestKind.GetObject, firstByte, time.GetElapsedTime(sent), bytes, error)));
        return response;
    }

    public Task<StoredChecksum?> GetAttributesChecksumAsync(ObjectAddress address, string? etag, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.GetObjectAttributes, () => wire.GetAttributesChecksumAsync(address, etag, cancellationToken));

    public Task<ObjectInfo> HeadAsync(ObjectAddress address, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.HeadObject, () => wire.HeadAsync(address, cancellationToken));

    public Task<StoredParts?> GetStoredPartsAsync(ObjectAddress address, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.HeadObject, () => wire.GetStoredPartsAsync(address, cancellationToken));

    public Task<ObjectPage> ListAsync(string bucket, string prefix, string? page, ReadAccess access, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.ListObjects, () => wire.ListAsync(bucket, prefix, page, access, cancellationToken));

    public Task<StoredPart?> HeadPartAsync(ObjectAddress address, int partNumber, string? etag, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.HeadObject, () => wire.HeadPartAsync(address, partNumber, etag, cancellationToken));

    public Task<StoredPartPage?> ListStoredPartsAsync(ObjectAddress address, string? etag, int afterPart, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.GetObjectAttributes, () => wire.ListStoredPartsAsync(address, etag, afterPart, cancellationToken));

    public Task<UploadPage> ListUploadsAsync(string bucket, string prefix, UploadMarker? after, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.ListMultipartUploads, () => wire.ListUploadsAsync(bucket, prefix, after, cancellationToken));

    public Task<SentPartPage> ListPartsAsync(ObjectAddress address, string uploadId, int afterPart, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.ListParts, () => wire.ListPartsAsync(address, uploadId, afterPart, cancellationToken));

    public Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.PutObject, () => wire.PutObjectAsync(target, body, cancellationToken), body.Bytes.Length);

    public Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.CreateMultipartUpload, () => wire.CreateMultipartUploadAsync(target, cancellationToken));

    public Task<UploadedPart> UploadPartAsync(NewObject target, string uploadId, int partNumber, RequestBody body, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.UploadPart, () => wire.UploadPartAsync(target, uploadId, partNumber, body, cancellationToken), body.Bytes.Length);

    public Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, CancellationToken cancellationToken)
        => MeasureAsync(
            RequestKind.CompleteMultipartUpload, () => wire.CompleteMultipartUploadAsync(target, uploadId, parts, fullObjectChecksum, cancellationToken));

    public Task<CopySource> HeadCopySourceAsync(ObjectAddress address, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.HeadObject, () => wire.HeadCopySourceAsync(address, cancellationToken));

    public Task<PublishedObject> CopyObjectAsync(CopySource source, NewObject target, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.CopyObject, () => wire.CopyObjectAsync(source, target, cancellationToken));

    public Task<UploadedPart> UploadPartCopyAsync(
        CopySource source, NewObject target, string uploadId, int partNumber, long offset, long length, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.UploadPartCopy, () => wire.UploadPartCopyAsync(source, target, uploadId, partNumber, offset, length, cancellationToken));

    public Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken) => MeasureAsync(
        RequestKind.AbortMultipartUpload,
        async () =>
        {
            await wire.AbortMultipartUploadAsync(address, uploadId, cancellationToken).ConfigureAwait(false);
            return true;
        });

    public void Dispose() => wire.Dispose();

    private async Task<T> MeasureAsync<T>(RequestKind kind, Func<Task<T>> sendAsync, long bytes = 0)
    {
        long sent = time.GetTimestamp();
        T answer;
        try
        {
            answer = await sendAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Tell(kind, sent, 0, e);
            throw;
        }

        Tell(kind, sent, bytes, null);
        return answer;
    }

    private void Tell(RequestKind kind, long sent, long bytes, Exception? error)
    {
        TimeSpan elapsed = time.GetElapsedTime(sent);
        Tell(new RequestTiming(kind, elapsed, elapsed, bytes, error));
    }

    private void Tell(RequestTiming timing)
    {
        try
        {
            observer(timing);
        }
#pragma warning disable CA1031 // a listener's failure is not the request's
        catch (Exception)
#pragma warning restore CA1031
        {
            // The option says so.
        }
    }
}
