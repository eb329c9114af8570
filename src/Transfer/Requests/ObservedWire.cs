using System.Diagnostics;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>
/// Counts every request, unless it would exceed the limit of the client, and measures it for the observer of the client, for metrics, and for traces. Without a listener,
/// it only counts requests and passes them on.
/// </summary>
internal sealed class ObservedWire(WireRouter wires, Action<RequestTiming>? observer, TransferMeter meter, UsageCounter usage, TimeProvider time) : IObjectWire, IDisposable
{
    /// <summary>Gets a value that indicates whether requests are protected on the network, because they are sent over TLS or to this machine.</summary>
    public bool KeepsSecrets => wires.KeepsSecrets;

    public bool SendsExpiresAsText(string bucket) => wires.For(bucket).SendsExpiresAsText(bucket);

    public bool SignsBodies(string bucket) => wires.For(bucket).SignsBodies(bucket);

    // Listeners can be added and removed during the lifetime of the client.
    private bool IsObserved => observer is not null || meter.MeasuresRequests || TransferActivity.HasRequestListeners;

    public Task<RangeResponse> GetRangeAsync(ObjectAddress address, RequestedRange range, ReadCondition condition, bool wantChecksum, CancellationToken cancellationToken)
    {
        usage.Begin(RequestKind.GetObject, requested: range.ExpectedBytes);
        return IsObserved
            ? MeasureRangeAsync(address, range, condition, wantChecksum, cancellationToken)
            : wires.For(address.Bucket).GetRangeAsync(address, range, condition, wantChecksum, cancellationToken);
    }

    public Task<StoredChecksum?> GetAttributesChecksumAsync(ObjectAddress address, string? etag, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.GetObjectAttributes, Of(address), () => wires.For(address.Bucket).GetAttributesChecksumAsync(address, etag, cancellationToken));

    public Task<ObjectHead> HeadAsync(ObjectAddress address, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.HeadObject, Of(address), () => wires.For(address.Bucket).HeadAsync(address, cancellationToken));

    public Task<StoredParts?> GetStoredPartsAsync(ObjectAddress address, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.HeadObject, Of(address), () => wires.For(address.Bucket).GetStoredPartsAsync(address, cancellationToken));

    public Task<Page<ListedObject>> ListAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.ListObjects, new(query.Bucket) { Operation = query.Versions ? RequestOperation.ListObjectVersions : null }, () => wires.For(query.Bucket).ListAsync(query, after, cancellationToken));

    public Task<StoredPart?> HeadPartAsync(ObjectAddress address, int partNumber, string? etag, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.HeadObject, Of(address), () => wires.For(address.Bucket).HeadPartAsync(address, partNumber, etag, cancellationToken));

    public Task<Page<ListedPart>?> ListStoredPartsAsync(ObjectAddress address, string? etag, PageEnd? after, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.GetObjectAttributes, Of(address), () => wires.For(address.Bucket).ListStoredPartsAsync(address, etag, after, cancellationToken));

    public Task<Page<ListedBucket>> ListBucketsAsync(PageEnd? after, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.ListBuckets, new(Bucket: null), () => wires.For(string.Empty).ListBucketsAsync(after, cancellationToken));

    public Task<Page<UnfinishedUpload>> ListUploadsAsync(string bucket, string prefix, PageEnd? after, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.ListMultipartUploads, new(bucket), () => wires.For(bucket).ListUploadsAsync(bucket, prefix, after, cancellationToken));

    public Task<Page<SentPart>> ListPartsAsync(ObjectAddress address, string uploadId, PageEnd? after, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.ListParts, Of(address) with { UploadId = uploadId }, () => wires.For(address.Bucket).ListPartsAsync(address, uploadId, after, cancellationToken));

    public Task<PresignedUrl> PresignAsync(PresignedRequest presigned, CancellationToken cancellationToken)
        => wires.For(presigned.Address.Bucket).PresignAsync(presigned, cancellationToken); // nothing is sent

    public Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken)
    {
        usage.Begin(RequestKind.PutObject, sent: body.Bytes.Length);
        return IsObserved
            ? MeasureCountedAsync(RequestKind.PutObject, Of(target.Address), (wire: wires.For(target.Address.Bucket), target, body), static (call, token) => call.wire.PutObjectAsync(call.target, call.body, token), body.Bytes.Length, cancellationToken)
            : wires.For(target.Address.Bucket).PutObjectAsync(target, body, cancellationToken);
    }

    public Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.CreateMultipartUpload, Of(target.Address), () => wires.For(target.Address.Bucket).CreateMultipartUploadAsync(target, cancellationToken));

    public Task<UploadedPart> UploadPartAsync(NewObject target, string uploadId, int partNumber, RequestBody body, CancellationToken cancellationToken)
    {
        usage.Begin(RequestKind.UploadPart, sent: body.Bytes.Length);
        return IsObserved
            ? MeasureCountedAsync(
                RequestKind.UploadPart,
                Of(target.Address) with { UploadId = uploadId, PartNumber = partNumber },
                (wire: wires.For(target.Address.Bucket), target, uploadId, partNumber, body),
                static (call, token) => call.wire.UploadPartAsync(call.target, call.uploadId, call.partNumber, call.body, token),
                body.Bytes.Length,
                cancellationToken)
            : wires.For(target.Address.Bucket).UploadPartAsync(target, uploadId, partNumber, body, cancellationToken);
    }

    public Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, long objectBytes, CancellationToken cancellationToken)
        => MeasureAsync(
            RequestKind.CompleteMultipartUpload, Of(target.Address) with { UploadId = uploadId }, () => wires.For(target.Address.Bucket).CompleteMultipartUploadAsync(target, uploadId, parts, fullObjectChecksum, objectBytes, cancellationToken));

    public Task<IReadOnlyDictionary<string, string>> GetTagsAsync(ObjectAddress address, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.GetObjectTagging, Of(address), () => wires.For(address.Bucket).GetTagsAsync(address, cancellationToken));

    public Task<PublishedObject> CopyObjectAsync(CopySource source, NewObject target, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.CopyObject, Of(target.Address) with { Source = source.Address }, () => wires.For(source.Address.Bucket, target.Address.Bucket).CopyObjectAsync(source, target, cancellationToken), copied: source.Info.Length);

    public Task<UploadedPart> UploadPartCopyAsync(
        CopySource source, NewObject target, string uploadId, int partNumber, long offset, long length, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.UploadPartCopy, Of(target.Address) with { UploadId = uploadId, PartNumber = partNumber, Source = source.Address }, () => wires.For(source.Address.Bucket, target.Address.Bucket).UploadPartCopyAsync(source, target, uploadId, partNumber, offset, length, cancellationToken), copied: length);

    public Task SetTagsAsync(ObjectAddress address, IReadOnlyDictionary<string, string> tags, CancellationToken cancellationToken)
        => MeasureAsync(tags.Count == 0 ? RequestKind.DeleteObjectTagging : RequestKind.PutObjectTagging, Of(address), () => wires.For(address.Bucket).SetTagsAsync(address, tags, cancellationToken));

    public Task RestoreObjectAsync(ObjectAddress address, int days, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.RestoreObject, Of(address), () => wires.For(address.Bucket).RestoreObjectAsync(address, days, cancellationToken));

    public Task CreateBucketAsync(string bucket, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.CreateBucket, new(bucket), () => wires.For(bucket).CreateBucketAsync(bucket, cancellationToken));

    public Task DeleteBucketAsync(string bucket, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.DeleteBucket, new(bucket), () => wires.For(bucket).DeleteBucketAsync(bucket, cancellationToken));

    public Task<DeletedObject> DeleteObjectAsync(ObjectAddress address, string? ifMatch, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.DeleteObject, Of(address), () => wires.For(address.Bucket).DeleteObjectAsync(address, ifMatch, cancellationToken));

    public Task<IReadOnlyList<RefusedDeletion>> DeleteObjectsAsync(
        string bucket, IReadOnlyList<ObjectDeletion> objects, ReadAccess access, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.DeleteObjects, new(bucket) { Deletions = objects }, () => wires.For(bucket).DeleteObjectsAsync(bucket, objects, access, cancellationToken));

    public Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken)
        => MeasureAsync(RequestKind.AbortMultipartUpload, Of(address) with { UploadId = uploadId }, () => wires.For(address.Bucket).AbortMultipartUploadAsync(address, uploadId, cancellationToken));

    public void Dispose() => wires.Dispose();

    private async Task<RangeResponse> MeasureRangeAsync(
        ObjectAddress address, RequestedRange range, ReadCondition condition, bool wantChecksum, CancellationToken cancellationToken)
    {
        Activity? activity = TransferActivity.StartRequest(RequestKind.GetObject, Of(address));
        RequestTrace? trace = BeginTrace(activity);
        long sent = time.GetTimestamp();
        RangeResponse response;
        try
        {
            response = await wires.For(address.Bucket).GetRangeAsync(address, range, condition, wantChecksum, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Report(activity, trace, RequestKind.GetObject, sent, 0, e);
            throw;
        }

        TimeSpan firstByte = time.GetElapsedTime(sent);
        response.Observe((bytes, error) => Report(activity, trace, new RequestTiming { Kind = RequestKind.GetObject, FirstByte = firstByte, Duration = time.GetElapsedTime(sent), Bytes = bytes, Error = error }));
        return response;
    }

    private static RequestSubject Of(ObjectAddress address) => new(address.Bucket, address.Key);

    /// <summary>Begins the trace of a request, for the asynchronous method that calls this; null if nobody is told what it has.</summary>
    private RequestTrace? BeginTrace(Activity? activity) => observer is not null || activity is { IsAllDataRequested: true } ? RequestTrace.Begin() : null;

    private Task<bool> MeasureAsync(RequestKind kind, RequestSubject subject, Func<Task> sendAsync) => MeasureAsync(kind, subject, async () =>
    {
        await sendAsync().ConfigureAwait(false);
        return true;
    });

    private Task<T> MeasureAsync<T>(RequestKind kind, RequestSubject subject, Func<Task<T>> sendAsync, long copied = 0)
    {
        usage.Begin(kind, copied: copied);
        return IsObserved ? MeasureCountedAsync(kind, subject, sendAsync, static (call, _) => call(), 0, CancellationToken.None) : sendAsync();
    }

    private async Task<T> MeasureCountedAsync<TCall, T>(
        RequestKind kind, RequestSubject subject, TCall call, Func<TCall, CancellationToken, Task<T>> sendAsync, long bytes, CancellationToken cancellationToken)
    {
        Activity? activity = TransferActivity.StartRequest(kind, subject);
        RequestTrace? trace = BeginTrace(activity);
        long sent = time.GetTimestamp();
        T response;
        try
        {
            response = await sendAsync(call, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Report(activity, trace, kind, sent, 0, e);
            throw;
        }

        Report(activity, trace, kind, sent, bytes, null);
        return response;
    }

    private void Report(Activity? activity, RequestTrace? trace, RequestKind kind, long sent, long bytes, Exception? error)
    {
        TimeSpan elapsed = time.GetElapsedTime(sent);
        Report(activity, trace, new RequestTiming { Kind = kind, FirstByte = elapsed, Duration = elapsed, Bytes = bytes, Error = error });
    }

    private void Report(Activity? activity, RequestTrace? trace, RequestTiming timing)
    {
        meter.AddRequest(timing);
        if (activity is not null)
        {
            TransferActivity.EndRequest(activity, timing, trace);
        }

        if (observer is null || trace is null)
        {
            return;
        }

        try
        {
            WireException? failure = timing.Error as WireException;
            observer(timing with { Attempt = trace.Attempt, StatusCode = trace.StatusCode ?? failure?.StatusCode, RequestId = trace.RequestId ?? failure?.RequestId });
        }
#pragma warning disable CA1031 // an exception of an observer doesn't affect the request
        catch (Exception)
#pragma warning restore CA1031
        {
            // The documentation of the option says that exceptions are ignored.
        }
    }
}
