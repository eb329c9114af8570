namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    // These requests carry no object data, so the SDK is fast enough.
    public Task<IReadOnlyDictionary<string, string>> GetTagsAsync(ObjectAddress address, CancellationToken cancellationToken)
        => _sdk.GetTagsAsync(address, cancellationToken);

    public Task<PublishedObject> CopyObjectAsync(CopySource source, NewObject target, CancellationToken cancellationToken)
        => _sdk.CopyObjectAsync(source, target, cancellationToken);

    public Task<UploadedPart> UploadPartCopyAsync(
        CopySource source, NewObject target, string uploadId, int partNumber, long offset, long length, CancellationToken cancellationToken)
        => _sdk.UploadPartCopyAsync(source, target, uploadId, partNumber, offset, length, cancellationToken);
}
