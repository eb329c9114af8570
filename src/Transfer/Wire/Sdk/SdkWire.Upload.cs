using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Buffers;

namespace Transfer.S3.Wire.Sdk;

internal sealed partial class SdkWire
{
    // The SDK supports UNSIGNED-PAYLOAD only with TLS. Without TLS, the whole body is hashed once in advance, which
    // takes less time than the SDK's signatures of chunks.
    private readonly bool? _unsignedPayload = settings.PayloadSigning != PayloadSigning.Always && IsTls(s3) ? true : null;

    public async Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken)
    {
        using BodyStream stream = new(body.Bytes, body.Moved, body.Pace);
        PutObjectRequest request = new()
        {
            BucketName = target.Address.Bucket,
            Key = target.Address.Key,
            InputStream = stream,
            AutoCloseStream = false,
            UseChunkEncoding = false,
            DisablePayloadSigning = _unsignedPayload,
            IfMatch = target.Condition.IfMatch,
            IfNoneMatch = target.Condition.IfNoneMatch,
            RequestPayer = Payer(target.Address),
            CannedACL = target.Headers.Values[ObjectHeader.Acl],
            StorageClass = target.Headers.Values[ObjectHeader.StorageClass],
            TagSet = GetTags(target.Headers),
            ServerSideEncryptionMethod = target.Headers.Encryption?.Algorithm,
            ServerSideEncryptionKeyManagementServiceKeyId = target.Headers.Encryption?.KeyId,
            ServerSideEncryptionKeyManagementServiceEncryptionContext = target.Headers.Encryption?.Context,
            BucketKeyEnabled = target.Headers.Encryption?.UsesBucketKey,
            ObjectLockMode = target.Headers.Lock?.ModeHeader,
            ObjectLockRetainUntilDate = target.Headers.Lock?.RetainUntil?.UtcDateTime,
            ObjectLockLegalHoldStatus = target.Headers.Lock?.LegalHoldHeader,
            ServerSideEncryptionCustomerMethod = KeyMethod(target.Address),
            ServerSideEncryptionCustomerProvidedKey = target.Address.Access.CustomerKey?.Base64,
            ServerSideEncryptionCustomerProvidedKeyMD5 = target.Address.Access.CustomerKey?.Base64Md5,
        };
        SdkChecksums.Set(request, target.Checksum, body.Checksum);
        Describe(request.Headers, request.Metadata, target.Headers);

        return await SendAsync(
            request,
            s3.PutObjectAsync,
            static response => Published(response, response.ETag, response.VersionId, SdkChecksums.From(response), response.ServerSideEncryptionMethod),
            cancellationToken,
            call => WaitAsync(call, stream, cancellationToken)).ConfigureAwait(false);
    }

    public Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken)
    {
        InitiateMultipartUploadRequest request = new()
        {
            BucketName = target.Address.Bucket,
            Key = target.Address.Key,
            ChecksumAlgorithm = SdkChecksums.Algorithm(target.Checksum),
            ChecksumType = SdkChecksums.MultipartType(target.Checksum),
            RequestPayer = Payer(target.Address),
            CannedACL = target.Headers.Values[ObjectHeader.Acl],
            StorageClass = target.Headers.Values[ObjectHeader.StorageClass],
            TagSet = GetTags(target.Headers),
            ServerSideEncryptionMethod = target.Headers.Encryption?.Algorithm,
            ServerSideEncryptionKeyManagementServiceKeyId = target.Headers.Encryption?.KeyId,
            ServerSideEncryptionKeyManagementServiceEncryptionContext = target.Headers.Encryption?.Context,
            BucketKeyEnabled = target.Headers.Encryption?.UsesBucketKey,
            ObjectLockMode = target.Headers.Lock?.ModeHeader,
            ObjectLockRetainUntilDate = target.Headers.Lock?.RetainUntil?.UtcDateTime,
            ObjectLockLegalHoldStatus = target.Headers.Lock?.LegalHoldHeader,
            ServerSideEncryptionCustomerMethod = KeyMethod(target.Address),
            ServerSideEncryptionCustomerProvidedKey = target.Address.Access.CustomerKey?.Base64,
            ServerSideEncryptionCustomerProvidedKeyMD5 = target.Address.Access.CustomerKey?.Base64Md5,
        };
        Describe(request.Headers, request.Metadata, target.Headers);

        return SendAsync(
            request,
            s3.InitiateMultipartUploadAsync,
            response => GetOrigin(response, null).CheckUploadId(response.UploadId, response.Key, target.Address.Key),
            cancellationToken);
    }

    public async Task<UploadedPart> UploadPartAsync(NewObject target, string uploadId, int partNumber, RequestBody body, CancellationToken cancellationToken)
    {
        using BodyStream stream = new(body.Bytes, body.Moved, body.Pace);
        UploadPartRequest request = new()
        {
            BucketName = target.Address.Bucket,
            Key = target.Address.Key,
            UploadId = uploadId,
            PartNumber = partNumber,
            PartSize = body.Bytes.Length,
            InputStream = stream,
            UseChunkEncoding = false,
            DisablePayloadSigning = _unsignedPayload,
            RequestPayer = Payer(target.Address),
            ServerSideEncryptionCustomerMethod = KeyMethod(target.Address),
            ServerSideEncryptionCustomerProvidedKey = target.Address.Access.CustomerKey?.Base64,
            ServerSideEncryptionCustomerProvidedKeyMD5 = target.Address.Access.CustomerKey?.Base64Md5,
        };
        SdkChecksums.Set(request, target.Checksum, body.Checksum);
        return await SendAsync(
            request,
            s3.UploadPartAsync,
            response =>
            {
                string? confirmed = SdkChecksums.From(response, target.Checksum);
                return confirmed is null || body.Checksum is null || confirmed == body.Checksum
                    ? new UploadedPart(partNumber, response.ETag, body.Checksum, GetOrigin(response, response.ETag)) { IsChecksumKnown = confirmed is not null }
                    : throw new WireException(FailureKind.Corrupt, $"the store returned the checksum {confirmed}, but {body.Checksum} was sent");
            },
            cancellationToken,
            call => WaitAsync(call, stream, cancellationToken)).ConfigureAwait(false);
    }

    public Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, long objectBytes, CancellationToken cancellationToken)
    {
        CompleteMultipartUploadRequest request = new()
        {
            BucketName = target.Address.Bucket,
            Key = target.Address.Key,
            UploadId = uploadId,
            MpuObjectSize = objectBytes,
            IfMatch = target.Condition.IfMatch,
            IfNoneMatch = target.Condition.IfNoneMatch,
            RequestPayer = Payer(target.Address),
            SSECustomerAlgorithm = target.Address.Access.CustomerKey is null ? null : CustomerKey.Algorithm,
            SSECustomerKey = target.Address.Access.CustomerKey?.Base64,
            SSECustomerKeyMD5 = target.Address.Access.CustomerKey?.Base64Md5,
            PartETags = [.. parts.Select(part => SdkChecksums.PartETag(part, target.Checksum))],
        };
        if (fullObjectChecksum is not null)
        {
            request.ChecksumType = SdkChecksums.MultipartType(target.Checksum);
            SdkChecksums.Set(request, target.Checksum, fullObjectChecksum);
        }

        return SendAsync(
            request,
            s3.CompleteMultipartUploadAsync,
            static response => Published(response, response.ETag, response.VersionId, SdkChecksums.From(response), response.ServerSideEncryptionMethod),
            cancellationToken,
            call => WaitOutAsync(call, cancellationToken));
    }

    public Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken) => SendAsync(
        new AbortMultipartUploadRequest { BucketName = address.Bucket, Key = address.Key, UploadId = uploadId, RequestPayer = Payer(address) },
        s3.AbortMultipartUploadAsync,
        static response =>
        {
            if (response?.HttpStatusCode != HttpStatusCode.NoContent) // no page has this status
            {
                CheckOrigin(response);
            }

            return response;
        },
        cancellationToken);

    private static PublishedObject Published(AmazonWebServiceResponse response, string? etag, string? versionId, StoredChecksum? checksum, ServerSideEncryptionMethod? encryption)
        => new(etag, NullIfEmpty(versionId), checksum, GetOrigin(response, etag)) { Answer = response, Encryption = encryption?.Value };

    /// <summary>
    /// Waits for a request with a body. If the SDK has started to read the body, a canceled request is waited for, because it must not reach the store after an
    /// abort. If the SDK hasn't read the body, because the request waits for credentials, the request is abandoned, and its body can't be read anymore.
    /// </summary>
    private static async Task<T> WaitAsync<T>(Task<T> call, BodyStream body, CancellationToken cancellationToken)
    {
        try
        {
            return await call.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!call.IsCompleted && body.TryCloseUnread())
        {
            LateResults.Abandon(call);
            throw;
        }
        catch (OperationCanceledException)
        {
            return await call.ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Waits for a request that publishes an object. After a cancellation, the request has some time to end, because its response shows whether the object
    /// exists. A request that doesn't end, because it waits for credentials, is then abandoned.
    /// </summary>
    private async Task<T> WaitOutAsync<T>(Task<T> call, CancellationToken cancellationToken)
    {
        try
        {
            return await call.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            using CancellationTokenSource grace = new(GraceTime, settings.Time);
            return await LateResults.WaitAsync(call, grace.Token).ConfigureAwait(false);
        }
    }

    private static List<Tag>? GetTags(ObjectHeaders headers)
        => headers.Tags is { Count: > 0 } tags ? [.. tags.Select(tag => new Tag { Key = tag.Key, Value = tag.Value })] : null;

    /// <summary>Sets the headers of the object for which the SDK's request has no property.</summary>
    private static void Describe(HeadersCollection headers, MetadataCollection metadata, ObjectHeaders wanted)
    {
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            if (header != ObjectHeader.StorageClass && header != ObjectHeader.Acl)
            {
                headers[header.Name] = wanted.Values[header];
            }
        }

        headers.ContentType ??= "application/octet-stream";
        foreach ((string name, string value) in wanted.Metadata ?? new Dictionary<string, string>())
        {
            metadata[name] = value;
        }
    }

    private static bool IsTls(IAmazonS3 s3) => s3.Config switch
    {
        null => false,
        { ServiceURL: { Length: > 0 } url } => url.StartsWith("https:", StringComparison.OrdinalIgnoreCase),
        { } config => !config.UseHttp,
    };
}
