namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    // No object's bytes pass here: the SDK's calls are fast enough.
    public Task<PublishedObject> CopyObjectAsync(CopySource source, NewObject target, CancellationToken cancellationToken)
        => _sdk.CopyObjectAsync(source, target, cancellationToken);

    public Task<UploadedPart> UploadPartCopyAsync(
        CopySource source, NewObject target, string uploadId, int partNumber, long offset, long length, CancellationToken cancellationToken)
        => _sdk.UploadPartCopyAsync(source, target, uploadId, partNumber, offset, length, cancellationToken);
}
