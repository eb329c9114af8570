namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    // These lists are rarely requested, so the SDK is fast enough.
    public Task<Page<ListedPart>?> ListStoredPartsAsync(ObjectAddress address, string? etag, PageEnd? after, CancellationToken cancellationToken)
        => _sdk.ListStoredPartsAsync(address, etag, after, cancellationToken);

    public Task<Page<UnfinishedUpload>> ListUploadsAsync(string bucket, string prefix, PageEnd? after, CancellationToken cancellationToken)
        => _sdk.ListUploadsAsync(bucket, prefix, after, cancellationToken);

    public Task<Page<SentPart>> ListPartsAsync(ObjectAddress address, string uploadId, PageEnd? after, CancellationToken cancellationToken)
        => _sdk.ListPartsAsync(address, uploadId, after, cancellationToken);
}
