using System.Globalization;

namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Put, target.Address.Key)
        {
            Body = body.Bytes,
            BodyMoved = body.Moved,
            ContentType = target.ContentType ?? "application/octet-stream",
            ExpectContinue = _expectContinue,
        };
        request.Header("If-None-Match", target.OnlyIfAbsent ? "*" : null);
        AddChecksum(request, target, body.Checksum);
        Describe(request, target);
        try
        {
            using HttpResponseMessage response = await SendAsync(target.Address.Bucket, request, cancellationToken).ConfigureAwait(false);
            return new PublishedObject(AnswerHeaders.Get(response, "ETag"), AnswerHeaders.Get(response, "x-amz-version-id"), AnswerHeaders.Checksum(response));
        }
        catch (WireException e) when (e.Kind == FailureKind.Elsewhere)
        {
            return await _sdk.PutObjectAsync(target, body, cancellationToken).ConfigureAwait(false);
        }
    }

    public async Task<UploadedPart> UploadPartAsync(NewObject target, string uploadId, int partNumber, RequestBody body, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Put, target.Address.Key) { Body = body.Bytes, BodyMoved = body.Moved, ExpectContinue = _expectContinue };
        request.Query("partNumber", partNumber.ToString(CultureInfo.InvariantCulture));
        request.Query("uploadId", uploadId);
        AddChecksum(request, target, body.Checksum);
        try
        {
            using HttpResponseMessage response = await SendAsync(target.Address.Bucket, request, cancellationToken).ConfigureAwait(false);
            string? confirmed = body.Checksum is null || target.Checksum == ChecksumAlgorithm.Md5 ? null : AnswerHeaders.Get(response, target.Checksum.HeaderName());
            return confirmed is null || confirmed == body.Checksum
                ? new UploadedPart(partNumber, AnswerHeaders.Get(response, "ETag"), body.Checksum)
                : throw new WireException(FailureKind.Corrupt, $"the store confirmed checksum {confirmed}, and {body.Checksum} was sent");
        }
        catch (WireException e) when (e.Kind == FailureKind.Elsewhere)
        {
            return await _sdk.UploadPartAsync(target, uploadId, partNumber, body, cancellationToken).ConfigureAwait(false);
        }
    }

    private static void AddChecksum(SignedRequest request, NewObject target, string? checksum)
    {
        if (checksum is not null)
        {
            request.Amz(target.Checksum.HeaderName(), checksum);
        }
    }

    /// <summary>What the object is to be beside its bytes.</summary>
    private static void Describe(SignedRequest request, NewObject target)
    {
        foreach ((string name, string value) in target.Metadata ?? new Dictionary<string, string>())
        {
            request.Amz("x-amz-meta-" + name.ToLowerInvariant(), value);
        }
    }
}
