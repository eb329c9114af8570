using System.Buffers;
using System.Globalization;

namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<PublishedObject> PutObjectAsync(NewObject target, ReadOnlySequence<byte> body, string? checksum, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Put, target.Address.Key) { Body = body, ContentType = target.ContentType ?? "application/octet-stream" };
        request.Header("If-None-Match", target.OnlyIfAbsent ? "*" : null);
        if (checksum is not null)
        {
            request.Amz(target.Checksum.HeaderName(), checksum);
        }

        foreach ((string name, string value) in target.Metadata ?? new Dictionary<string, string>())
        {
            request.Amz("x-amz-meta-" + name.ToLowerInvariant(), value);
        }

        try
        {
            using HttpResponseMessage response = await SendAsync(target.Address.Bucket, request, cancellationToken).ConfigureAwait(false);
            return new PublishedObject(AnswerHeaders.Get(response, "ETag"), AnswerHeaders.Get(response, "x-amz-version-id"), AnswerHeaders.Checksum(response));
        }
        catch (WireException e) when (e.Kind == FailureKind.Elsewhere)
        {
            return await _sdk.PutObjectAsync(target, body, checksum, cancellationToken).ConfigureAwait(false);
        }
    }

    public Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken) => _sdk.CreateMultipartUploadAsync(target, cancellationToken);

    public async Task<UploadedPart> UploadPartAsync(
        NewObject target, string uploadId, int partNumber, ReadOnlySequence<byte> body, string? checksum, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Put, target.Address.Key) { Body = body };
        request.Query("partNumber", partNumber.ToString(CultureInfo.InvariantCulture));
        request.Query("uploadId", uploadId);
        if (checksum is not null)
        {
            request.Amz(target.Checksum.HeaderName(), checksum);
        }

        try
        {
            using HttpResponseMessage response = await SendAsync(target.Address.Bucket, request, cancellationToken).ConfigureAwait(false);
            string? confirmed = checksum is null ? null : AnswerHeaders.Get(response, target.Checksum.HeaderName());
            return confirmed is null || confirmed == checksum
                ? new UploadedPart(partNumber, AnswerHeaders.Get(response, "ETag"), checksum)
                : throw new WireException(FailureKind.Corrupt, $"the store confirmed checksum {confirmed}, and {checksum} was sent");
        }
        catch (WireException e) when (e.Kind == FailureKind.Elsewhere)
        {
            return await _sdk.UploadPartAsync(target, uploadId, partNumber, body, checksum, cancellationToken).ConfigureAwait(false);
        }
    }

    public Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, CancellationToken cancellationToken)
        => _sdk.CompleteMultipartUploadAsync(target, uploadId, parts, fullObjectChecksum, cancellationToken);

    public Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken)
        => _sdk.AbortMultipartUploadAsync(address, uploadId, cancellationToken);
}
