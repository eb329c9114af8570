using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.Wire.Sdk;

/// <summary>The wire over any <see cref="IAmazonS3"/>: a mock, a decorator, or an endpoint whose requests only the SDK can sign.</summary>
/// <remarks>The SDK ignores its token while it waits for credentials, and while it reads some of its answers. So no call is awaited without it.</remarks>
internal sealed partial class SdkWire(IAmazonS3 s3, WireSettings settings) : IObjectWire
{
    private const string ContentLanguage = "Content-Language";

    /// <summary>How long a request that publishes an object may take to end after its cancellation.</summary>
    private static readonly TimeSpan GraceTime = TimeSpan.FromSeconds(15);

    // What stands in for the SDK without a configuration sends nothing itself.
    public bool KeepsSecrets => s3.Config switch
    {
        null => true,
        { ServiceURL: { Length: > 0 } url } => Uri.TryCreate(url, UriKind.Absolute, out Uri? uri) && (uri.Scheme == Uri.UriSchemeHttps || uri.IsLoopback),
        { } config => !config.UseHttp,
    };

    public async Task<RangeResponse> GetRangeAsync(ObjectAddress address, long offset, long? length, ReadCondition condition, bool wantChecksum, CancellationToken cancellationToken)
    {
        GetObjectRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = address.VersionId,
            EtagToMatch = condition.IfMatch,
            EtagToNotMatch = condition.IfNoneMatch,
            ModifiedSinceDate = condition.IfModifiedSince?.UtcDateTime,
            UnmodifiedSinceDate = condition.IfUnmodifiedSince?.UtcDateTime,
            ByteRange = length is { } l ? new ByteRange(offset, offset + l - 1) : null,
            ChecksumMode = wantChecksum ? ChecksumMode.ENABLED : null,
            RequestPayer = Payer(address),
            ServerSideEncryptionCustomerMethod = KeyMethod(address),
            ServerSideEncryptionCustomerProvidedKey = address.Access.CustomerKey?.Base64,
            ServerSideEncryptionCustomerProvidedKeyMD5 = address.Access.CustomerKey?.Base64Md5,
        };
        GetObjectResponse response;
        try
        {
            response = await LateResults.WaitAsync(s3.GetObjectAsync(request, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }

        try
        {
            return Check(response, offset, length, address);
        }
        catch
        {
            response.Dispose();
            throw;
        }
    }

    public async Task<StoredChecksum?> GetAttributesChecksumAsync(ObjectAddress address, string? etag, CancellationToken cancellationToken)
    {
        try
        {
            GetObjectAttributesResponse? response = await LateResults.WaitAsync(
                s3.GetObjectAttributesAsync(Attributes(address, ObjectAttributes.Checksum, ObjectAttributes.ETag), cancellationToken), cancellationToken).ConfigureAwait(false);

            // The call has no If-Match: an answer about another state of the object says nothing about this one.
            return response?.Checksum is { } checksum && ETags.AreSame(etag, response.ETag) ? SdkChecksums.Of(checksum) : null;
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task<ObjectInfo> HeadAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            GetObjectMetadataRequest request = Head(address);
            request.ChecksumMode = ChecksumMode.ENABLED;
            GetObjectMetadataResponse response = await LateResults.WaitAsync(s3.GetObjectMetadataAsync(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            RangeAnswer.CheckIsS3(response.HttpStatusCode, response.ETag, response.ResponseMetadata?.RequestId, response.Headers.ContentType);
            return ToInfo(response, address);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task<StoredParts?> GetStoredPartsAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            GetObjectMetadataRequest request = Head(address);
            request.PartNumber = 1;
            GetObjectMetadataResponse response = await LateResults.WaitAsync(s3.GetObjectMetadataAsync(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            return StoredParts.Of(response.ContentRange, response.PartsCount);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public void Dispose()
    {
        // The IAmazonS3 is its owner's to dispose.
    }

    private static GetObjectMetadataRequest Head(ObjectAddress address) => new()
    {
        BucketName = address.Bucket,
        Key = address.Key,
        VersionId = address.VersionId,
        RequestPayer = Payer(address),
        ServerSideEncryptionCustomerMethod = KeyMethod(address),
        ServerSideEncryptionCustomerProvidedKey = address.Access.CustomerKey?.Base64,
        ServerSideEncryptionCustomerProvidedKeyMD5 = address.Access.CustomerKey?.Base64Md5,
    };

    private static GetObjectAttributesRequest Attributes(ObjectAddress address, params List<ObjectAttributes> wanted) => new()
    {
        BucketName = address.Bucket,
        Key = address.Key,
        VersionId = address.VersionId,
        ObjectAttributes = wanted,
        RequestPayer = Payer(address),
        SSECustomerAlgorithm = address.Access.CustomerKey is null ? null : CustomerKey.Algorithm,
        SSECustomerKey = address.Access.CustomerKey?.Base64,
        SSECustomerKeyMD5 = address.Access.CustomerKey?.Base64Md5,
    };

    private static RequestPayer? Payer(ObjectAddress address) => address.Access.RequesterPays ? RequestPayer.Requester : null;

    private static ServerSideEncryptionCustomerMethod? KeyMethod(ObjectAddress address)
        => address.Access.CustomerKey is null ? null : ServerSideEncryptionCustomerMethod.AES256;

    private static RangeResponse Check(GetObjectResponse response, long offset, long? length, ObjectAddress address)
    {
        string? requestId = response.ResponseMetadata?.RequestId;
        RangeAnswer.CheckIsS3(response.HttpStatusCode, response.ETag, requestId, response.Headers?.ContentType);
        RangeAnswer answer = RangeAnswer.Check(response.HttpStatusCode, response.ContentRange, response.ContentLength, requestId, offset, length);
        return new RangeResponse(answer, ToInfo(response, answer, address), response.ResponseStream ?? Stream.Null, response);
    }

    private static ObjectInfo ToInfo(GetObjectMetadataResponse response, ObjectAddress address) => new()
    {
        Length = response.ContentLength,
        ETag = NullIfEmpty(response.ETag),
        VersionId = NullIfEmpty(response.VersionId),
        LastModified = ToOffset(response.LastModified),
        ContentType = response.Headers.ContentType,
        CacheControl = NullIfEmpty(response.Headers.CacheControl),
        ContentDisposition = NullIfEmpty(response.Headers.ContentDisposition),
        ContentEncoding = NullIfEmpty(response.Headers.ContentEncoding),
        ContentLanguage = NullIfEmpty(response.Headers[ContentLanguage]),
        Expires = HttpTime.Parse(response.ExpiresString),
        Metadata = ToDictionary(response.Metadata),
        Checksum = SdkChecksums.Of(response),
        HidesMd5 = ETags.HideMd5(address, response.ServerSideEncryptionMethod?.Value, response.ServerSideEncryptionCustomerMethod?.Value),
    };

    private static ObjectInfo ToInfo(GetObjectResponse response, RangeAnswer answer, ObjectAddress address) => new()
    {
        Length = answer.Total,
        ETag = NullIfEmpty(response.ETag),
        VersionId = NullIfEmpty(response.VersionId),
        LastModified = ToOffset(response.LastModified),
        ContentType = response.Headers?.ContentType,
        CacheControl = NullIfEmpty(response.Headers?.CacheControl),
        ContentDisposition = NullIfEmpty(response.Headers?.ContentDisposition),
        ContentEncoding = NullIfEmpty(response.Headers?.ContentEncoding),
        ContentLanguage = NullIfEmpty(response.Headers?[ContentLanguage]),
        Expires = HttpTime.Parse(response.ExpiresString),
        Metadata = ToDictionary(response.Metadata),

        // Of a range that is exactly one stored part, S3 sends that part's checksum under the same names: not what is wanted here.
        Checksum = answer.IsAll ? SdkChecksums.Of(response) : null,
        HidesMd5 = ETags.HideMd5(address, response.ServerSideEncryptionMethod?.Value, response.ServerSideEncryptionCustomerMethod?.Value),
        Answer = address.Access.KeepsAnswer ? response : null,
    };

    private static Dictionary<string, string> ToDictionary(MetadataCollection? metadata)
    {
        const string prefix = "x-amz-meta-";
        Dictionary<string, string> result = [];
        foreach (string key in metadata?.Keys ?? [])
        {
            result[key.StartsWith(prefix, StringComparison.OrdinalIgnoreCase) ? key[prefix.Length..] : key] = metadata![key];
        }

        return result;
    }

    private static DateTimeOffset? ToOffset(DateTime? time) => time is { Ticks: > 0 } t ? new DateTimeOffset(t.ToUniversalTime()) : null;

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
