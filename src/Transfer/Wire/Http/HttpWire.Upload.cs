using System.Globalization;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Put, target.Address.Key)
        {
            Body = body.Bytes,
            BodyHash = body.Sha256,
            BodyMoved = body.Moved,
            BodyPace = body.Pace,
            ExpectContinue = _expectContinue,
        };
        AddAccess(request, target.Address);
        AddCondition(request, target.Condition);
        AddChecksum(request, target, body.Checksum);
        Describe(request, target);
        using HttpResponseMessage response = await SendAsync(target.Address.Bucket, request, cancellationToken).ConfigureAwait(false);
        Learn(target.Address.Bucket, request, response);
        return Published(response);
    }

    public async Task<UploadedPart> UploadPartAsync(NewObject target, string uploadId, int partNumber, RequestBody body, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Put, target.Address.Key)
        {
            Body = body.Bytes,
            BodyHash = body.Sha256,
            BodyMoved = body.Moved,
            BodyPace = body.Pace,
            ExpectContinue = _expectContinue,
        };
        request.Query("partNumber", partNumber.ToString(CultureInfo.InvariantCulture));
        request.Query("uploadId", uploadId);
        AddAccess(request, target.Address);
        AddChecksum(request, target, body.Checksum);
        using HttpResponseMessage response = await SendAsync(target.Address.Bucket, request, cancellationToken).ConfigureAwait(false);
        Learn(target.Address.Bucket, request, response);
        string? confirmed = body.Checksum is not null && ChecksumTable.Find(target.Checksum) is { S3Name: not null } sent ? S3ResponseHeaders.Get(response, sent.HeaderName) : null;
        return confirmed is null || confirmed == body.Checksum
            ? new UploadedPart(partNumber, S3ResponseHeaders.Get(response, "ETag"), body.Checksum, S3ResponseHeaders.Origin(response)) { IsChecksumKnown = confirmed is not null }
            : throw new WireException(FailureKind.Corrupt, $"the store returned the checksum {confirmed}, but {body.Checksum} was sent");
    }

    /// <param name="response">The response, of which only the headers are available.</param>
    /// <param name="result">The content of the response; null if its headers contain the result.</param>
    private static PublishedObject Published(HttpResponseMessage response, ResponseElement? result = null) => new(
        result is null ? S3ResponseHeaders.Get(response, "ETag") : result.ETag,
        S3ResponseHeaders.Get(response, "x-amz-version-id"),
        result is null ? S3ResponseHeaders.Checksum(response) : result.Checksum,
        result is null ? S3ResponseHeaders.Origin(response) : GetOrigin(response))
    {
        Answer = response,
        Encryption = S3ResponseHeaders.Get(response, "x-amz-server-side-encryption"),
        Location = result?.Exact("Location"),
    };

    private static void AddChecksum(SignedRequest request, NewObject target, string? checksum)
    {
        if (checksum is not null)
        {
            request.Amz(target.Checksum.HeaderName(), checksum);
        }
    }

    // The conditions are signed, so that the store detects if a proxy removes one. Without its condition, the request would replace an object.
    private static void AddCondition(SignedRequest request, WriteCondition condition)
    {
        request.Amz("if-match", condition.IfMatch);
        request.Amz("if-none-match", condition.IfNoneMatch);
    }

    /// <summary>Adds the headers of the object.</summary>
    private static void Describe(SignedRequest request, NewObject target)
    {
        request.Amz("content-type", "application/octet-stream"); // unless the object has another one
        target.Headers.ForEach(request, static (request, name, value) => request.Amz(name, value));
    }
}
