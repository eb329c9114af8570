using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.S3.Model;

namespace Transfer.S3.Wire.Sdk;

internal sealed partial class SdkWire
{
    private const string CopySourceHeader = "x-amz-copy-source";

    public Task<IReadOnlyDictionary<string, string>> GetTagsAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        GetObjectTaggingRequest request = new() { BucketName = address.Bucket, Key = address.Key, VersionId = address.VersionId, RequestPayer = Payer(address) };
        return SendAsync<GetObjectTaggingRequest, GetObjectTaggingResponse, IReadOnlyDictionary<string, string>>(
            request, s3.GetObjectTaggingAsync, static response => (response.Tagging ?? []).ToDictionary(static tag => tag.Key, static tag => tag.Value ?? string.Empty), cancellationToken);
    }

    public Task<PublishedObject> CopyObjectAsync(CopySource source, NewObject target, CancellationToken cancellationToken)
    {
        CopyObjectRequest request = new()
        {
            SourceBucket = source.Address.Bucket,
            SourceKey = source.Address.Key,
            SourceVersionId = source.Address.VersionId,
            ETagToMatch = source.Info.ETag,
            DestinationBucket = target.Address.Bucket,
            DestinationKey = target.Address.Key,
            IfMatch = target.Condition.IfMatch,
            IfNoneMatch = target.Condition.IfNoneMatch,
            ChecksumAlgorithm = SdkChecksums.Algorithm(target.Checksum),
            RequestPayer = Payer(source.Address),
        };
        UnescapeSlashes(request);
        return SendAsync(
            request,
            s3.CopyObjectAsync,
            static response => Published(response, response.ETag, response.VersionId, SdkChecksums.From(response), response.ServerSideEncryptionMethod),
            cancellationToken,
            call => WaitOutAsync(call, cancellationToken));
    }

    public Task<UploadedPart> UploadPartCopyAsync(
        CopySource source, NewObject target, string uploadId, int partNumber, long offset, long length, CancellationToken cancellationToken)
    {
        CopyPartRequest request = new()
        {
            SourceBucket = source.Address.Bucket,
            SourceKey = source.Address.Key,
            SourceVersionId = source.Address.VersionId,
            ETagToMatch = source.Info.ETag is { } etag ? [etag] : null,
            DestinationBucket = target.Address.Bucket,
            DestinationKey = target.Address.Key,
            UploadId = uploadId,
            PartNumber = partNumber,
            RequestPayer = Payer(source.Address),
        };
        if (!source.IsWhole(offset, length))
        {
            (request.FirstByte, request.LastByte) = (offset, offset + length - 1);
        }

        UnescapeSlashes(request);
        return SendAsync(
            request, s3.CopyPartAsync, response => new UploadedPart(partNumber, Confirmed(response), SdkChecksums.From(response, target.Checksum)), cancellationToken);
    }

    /// <summary>
    /// Sends the source of a copy with plain slashes. The SDK escapes them, but some stores split the bucket from the key before they decode the header. An
    /// escaped percent sign is <c>%25</c>, so that the replaced text is always that of a slash. The request is signed afterward.
    /// </summary>
    private static void UnescapeSlashes(IAmazonWebServiceRequest request) => request.AddBeforeRequestHandler(static (_, e) =>
    {
        if (e is WebServiceRequestEventArgs { Headers: { } headers } && headers.TryGetValue(CopySourceHeader, out string? source))
        {
            headers[CopySourceHeader] = source.Replace("%2F", "/", StringComparison.OrdinalIgnoreCase);
        }
    });

    /// <summary>
    /// Gets the ETag of a copied part. A copy can fail although its status is 200 (Amazon S3 API Reference, "UploadPartCopy"), so a response without an ETag is a
    /// temporary error, whether or not its error can be parsed.
    /// </summary>
    private static string Confirmed(CopyPartResponse response) => NullIfEmpty(response.ETag) ?? throw GetOrigin(response, null).Unclear("it has no ETag");
}
