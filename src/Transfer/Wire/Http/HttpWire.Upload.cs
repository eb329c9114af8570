using System.Globalization;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire.Http;

internal sealed partial class HttpWire
{
    private const string DefaultContentType = "application/octet-stream";

    public async Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Put, target.Address.Key)
        {
            Body = body.Bytes,
            BodyHash = body.Sha256,
            BodyMoved = body.Moved,
            BodyPace = body.Pace,
            ContentType = target.Headers.ContentType ?? DefaultContentType,
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
        ObjectHeaders headers = target.Headers;
        request.Amz("cache-control", headers.CacheControl);
        request.Amz("content-disposition", headers.ContentDisposition);
        request.Amz("content-encoding", headers.ContentEncoding);
        request.Amz("content-language", headers.ContentLanguage);
        request.Amz("expires", headers.Expires);
        request.Amz("x-amz-acl", headers.Acl);
        request.Amz("x-amz-storage-class", headers.StorageClass);
        request.Amz("x-amz-tagging", headers.TagQuery);
        request.Amz("x-amz-object-lock-legal-hold", headers.Lock?.LegalHoldHeader);
        request.Amz("x-amz-object-lock-mode", headers.Lock?.ModeHeader);
        request.Amz("x-amz-object-lock-retain-until-date", headers.Lock?.RetainUntilHeader);
        if (headers.Encryption is { } encryption)
        {
            request.Amz("x-amz-server-side-encryption", encryption.Algorithm);
            request.Amz("x-amz-server-side-encryption-aws-kms-key-id", encryption.KeyId);
            request.Amz("x-amz-server-side-encryption-bucket-key-enabled", encryption.UsesBucketKey is { } uses ? (uses ? "true" : "false") : null);
            request.Amz("x-amz-server-side-encryption-context", encryption.Context);
        }

        if (headers.Metadata is not { } metadata)
        {
            return;
        }

        foreach ((string name, string value) in metadata)
        {
            request.Amz("x-amz-meta-" + name.ToLowerInvariant(), value);
        }
    }
}
