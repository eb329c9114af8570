namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    // These lists are rarely requested, so the SDK is fast enough.
    public Task<StoredPartPage?> ListStoredPartsAsync(ObjectAddress address, string? etag, int afterPart, CancellationToken cancellationToken)
        => _sdk.ListStoredPartsAsync(address, etag, afterPart, cancellationToken);

    public Task<UploadPage> ListUploadsAsync(string bucket, string prefix, UploadMarker? after, CancellationToken cancellationToken)
        => _sdk.ListUploadsAsync(bucket, prefix, after, cancellationToken);

    public Task<SentPartPage> ListPartsAsync(ObjectAddress address, string uploadId, int afterPart, CancellationToken cancellationToken)
        => _sdk.ListPartsAsync(address, uploadId, afterPart, cancellationToken);
}
