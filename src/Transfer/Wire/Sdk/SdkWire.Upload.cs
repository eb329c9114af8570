using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Buffers;

namespace Transfer.Wire.Sdk;

internal sealed partial class SdkWire
{
    // UNSIGNED-PAYLOAD is for TLS alone: the SDK refuses it elsewhere. Without TLS the whole body is hashed once, in advance, which
    // costs less than the SDK's signature for each chunk of it.
    private readonly bool? _unsignedPayload = signing != PayloadSigning.Always && IsTls(s3) ? true : null;

    public async Task<PublishedObject> PutObjectAsync(NewObject target, RequestBody body, CancellationToken cancellationToken)
    {
        using SequenceStream stream = new(body.Bytes, body.Moved);
        PutObjectRequest request = new()
        {
            BucketName = target.Address.Bucket,
            Key = target.Address.Key,
            InputStream = stream,
            AutoCloseStream = false,
            UseChunkEncoding = false,
            DisablePayloadSigning = _unsignedPayload,
            ContentType = target.ContentType ?? "application/octet-stream",
            IfNoneMatch = target.OnlyIfAbsent ? "*" : null,
        };
        SdkChecksums.Set(request, target.Checksum, body.Checksum);
        foreach ((string name, string value) in target.Metadata ?? new Dictionary<string, string>())
        {
            request.Metadata[name] = value;
        }

        try
        {
            PutObjectResponse response = await s3.PutObjectAsync(request, cancellationToken).ConfigureAwait(false);
            return new PublishedObject(NullIfEmpty(response.ETag), NullIfEmpty(response.VersionId), SdkChecksums.Of(response));
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken)
    {
        InitiateMultipartUploadRequest request = new()
        {
            BucketName = target.Address.Bucket,
            Key = target.Address.Key,
            ContentType = target.ContentType ?? "application/octet-stream",
            ChecksumAlgorithm = SdkChecksums.Algorithm(target.Checksum),
            ChecksumType = TypeOf(target.Checksum),
        };
        foreach ((string name, string value) in target.Metadata ?? new Dictionary<string, string>())
        {
            request.Metadata[name] = value;
        }

        try
        {
            InitiateMultipartUploadResponse response = await s3.InitiateMultipartUploadAsync(request, cancellationToken).ConfigureAwait(false);
            return string.IsNullOrEmpty(response.UploadId)
                ? throw new WireException(FailureKind.Final, "the store began a multipart upload without telling its id")
                : response.UploadId;
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task<UploadedPart> UploadPartAsync(NewObject target, string uploadId, int partNumber, RequestBody body, CancellationToken cancellationToken)
    {
        using SequenceStream stream = new(body.Bytes, body.Moved);
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
        };
        SdkChecksums.Set(request, target.Checksum, body.Checksum);
        try
        {
            UploadPartResponse response = await s3.UploadPartAsync(request, cancellationToken).ConfigureAwait(false);
            string? confirmed = SdkChecksums.Of(response, target.Checksum);
            if (confirmed is not null && body.Checksum is not null && confirmed != body.Checksum)
            {
                throw new WireException(FailureKind.Corrupt, $"the store confirmed checksum {confirmed}, and {body.Checksum} was sent");
            }

            return new UploadedPart(partNumber, NullIfEmpty(response.ETag), body.Checksum);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, CancellationToken cancellationToken)
    {
        CompleteMultipartUploadRequest request = new()
        {
            BucketName = target.Address.Bucket,
            Key = target.Address.Key,
            UploadId = uploadId,
            IfNoneMatch = target.OnlyIfAbsent ? "*" : null,
            PartETags = [.. parts.Select(part => SdkChecksums.PartETag(part, target.Checksum))],
        };
        if (fullObjectChecksum is not null)
        {
            request.ChecksumType = TypeOf(target.Checksum);
            SdkChecksums.Set(request, target.Checksum, fullObjectChecksum);
        }

        try
        {
            CompleteMultipartUploadResponse response = await s3.CompleteMultipartUploadAsync(request, cancellationToken).ConfigureAwait(false);
            return new PublishedObject(NullIfEmpty(response.ETag), NullIfEmpty(response.VersionId), SdkChecksums.Of(response));
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken)
    {
        try
        {
            await s3.AbortMultipartUploadAsync(
                new AbortMultipartUploadRequest { BucketName = address.Bucket, Key = address.Key, UploadId = uploadId },
                cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    private static ChecksumType? TypeOf(ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme or ChecksumAlgorithm.Crc32C or ChecksumAlgorithm.Crc32 => ChecksumType.FULL_OBJECT,
        ChecksumAlgorithm.Sha256 => ChecksumType.COMPOSITE,
        _ => null,
    };

    private static bool IsTls(IAmazonS3 s3) => s3.Config switch
    {
        null => false,
        { ServiceURL: { Length: > 0 } url } => url.StartsWith("https:", StringComparison.OrdinalIgnoreCase),
        { } config => !config.UseHttp,
    };
}
