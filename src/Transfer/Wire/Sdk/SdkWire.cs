using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.S3;
using Amazon.S3.Model;
using Amazon.Util;
using Transfer.S3.Stores;

namespace Transfer.S3.Wire.Sdk;

/// <summary>The wire over any <see cref="IAmazonS3"/>: a mock, a decorator, or an endpoint whose requests only the SDK can sign.</summary>
/// <remarks>
/// The SDK ignores its token while it waits for credentials, and while it reads some of its responses. So every wait for a call uses the token itself.
/// </remarks>
internal sealed partial class SdkWire(IAmazonS3 s3, WireSettings settings, StoreProfile profile) : IObjectWire
{
    /// <summary>The time that a request that publishes an object has to end after its cancellation.</summary>
    private static readonly TimeSpan GraceTime = TimeSpan.FromSeconds(15);

    private volatile bool _isGuarded;

    public bool SendsExpiresAsText(string bucket) => false;

    public bool SignsBodies(string bucket) => false; // the SDK computes what it needs

    public Task<RangeResponse> GetRangeAsync(ObjectAddress address, RequestedRange range, ReadCondition condition, bool wantChecksum, CancellationToken cancellationToken)
        => SendWithChecksumModeAsync(maySend => GetRangeAsync(address, range, condition, wantChecksum, maySend, cancellationToken));

    public Task<ObjectHead> HeadAsync(ObjectAddress address, CancellationToken cancellationToken)
        => SendWithChecksumModeAsync(maySend => SendAsync(Head(address, maySend), s3.GetObjectMetadataAsync, response =>
        {
            GetOrigin(response, response.ETag, response.Headers?.ContentType).Check();
            return ToHead(response, address);
        }, cancellationToken));

    private async Task<RangeResponse> GetRangeAsync(
        ObjectAddress address, RequestedRange range, ReadCondition condition, bool wantChecksum, bool maySend, CancellationToken cancellationToken)
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
            ByteRange = range is { IsLast: true } ? new ByteRange(range.Header) : range.LastByte is { } last ? new ByteRange(range.Offset, last) : null,
            ChecksumMode = wantChecksum && maySend ? ChecksumMode.ENABLED : null,
            RequestPayer = Payer(address),
            ServerSideEncryptionCustomerMethod = KeyMethod(address),
            ServerSideEncryptionCustomerProvidedKey = address.Access.CustomerKey?.Base64,
            ServerSideEncryptionCustomerProvidedKeyMD5 = address.Access.CustomerKey?.Base64Md5,
        };
        if (!maySend)
        {
            // The SDK adds the header to each GET by itself, as configured, and has no option for a single request.
            ((IAmazonWebServiceRequest)request).AddBeforeRequestHandler(
                static (_, e) => (e as WebServiceRequestEventArgs)?.Headers.Remove(StoreProfile.ChecksumModeHeader));
        }

        GetObjectResponse response = await SendAsync(request, s3.GetObjectAsync, static response => response, cancellationToken).ConfigureAwait(false);
        try
        {
            return await CheckAsync(response, range, address, wantChecksum && !maySend ? profile.ChecksumNotRequested : null, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            response.Dispose();
            throw Translate(e, request, cancellationToken);
        }
    }

    /// <summary>Sends a read that requests a checksum, and sends it again without that if the store may have rejected it.</summary>
    /// <param name="sendAsync">Sends the request. Its argument specifies whether it can request a checksum.</param>
    private async Task<T> SendWithChecksumModeAsync<T>(Func<bool, Task<T>> sendAsync)
    {
        FeatureNegotiation mode = new(profile, StoreTrait.ChecksumMode);
        while (true)
        {
            try
            {
                // All requests of the SDK's client go to one store.
                T answer = await sendAsync(mode.TryUse(StoreProfile.EveryBucket, profile.RequestsChecksums)).ConfigureAwait(false);
                mode.Learn();
                return answer;
            }
            catch (WireException failure) when (!mode.TryWithout(failure))
            {
                throw mode.GetCause(failure);
            }
            catch (WireException)
            {
                // It is sent again without the header.
            }
        }
    }

    private static GetObjectMetadataRequest Head(ObjectAddress address, bool asksForChecksum = false) => new()
    {
        BucketName = address.Bucket,
        Key = address.Key,
        VersionId = address.VersionId,
        ChecksumMode = asksForChecksum ? ChecksumMode.ENABLED : null,
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

    private async Task<RangeResponse> CheckAsync(
        GetObjectResponse response, RequestedRange range, ObjectAddress address, string? checksumNotRequested, CancellationToken cancellationToken)
    {
        string? requestId = response.ResponseMetadata?.RequestId;
        GetOrigin(response, response.ETag, response.Headers?.ContentType).Check();
        if (s3.Config?.HttpClientFactory is not null && response.Headers is { ContentLength: < 0 })
        {
            throw ReceivedRange.Decompressed(response.HttpStatusCode, requestId);
        }

        Stream body = response.ResponseStream ?? Stream.Null;
        long length = IsUnsized(response, response.Headers) ? -1 : response.ContentLength;
        if (HiddenError.IsPossible(response.ETag, ToOffset(response.LastModified) is not null, length))
        {
            (Http.ErrorBody error, body) = await HiddenError.FindAsync(body, cancellationToken).ConfigureAwait(false);
            if (error.Code is not null)
            {
                throw SdkErrors.FromBody(response.HttpStatusCode, error, requestId);
            }
        }

        if (UnsizedBody.Is(response.HttpStatusCode, response.ContentRange, length, range))
        {
            // The SDK doesn't show whether the response is chunked.
            body = await UnsizedBody.OpenAsync(
                body, range.Total, isChunked: false, response.ETag, () => HeadOtherAsync(address, cancellationToken), cancellationToken).ConfigureAwait(false);
            length = body.Length;
        }

        ReceivedRange answer = ReceivedRange.Check(response.HttpStatusCode, response.ContentRange, length, requestId, range);
        body = length < 0 && answer.Length > 0 ? UnsizedBody.OfRange(body, answer.Length) : body;
        return new RangeResponse(answer, ToHead(response, answer, address, checksumNotRequested), body, response);
    }

    /// <summary>Requests the headers of an object whose content was requested before.</summary>
    private async Task<ObjectHead> HeadOtherAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        RequestTrace.Leave();
        return await HeadAsync(address, cancellationToken).ConfigureAwait(false);
    }

    private static ObjectHead ToHead(GetObjectMetadataResponse response, ObjectAddress address) => new(new ObjectInfo
    {
        Length = !IsUnsized(response, response.Headers) && response.ContentLength <= Sizes.MaxObject
            ? response.ContentLength
            : throw new WireException(FailureKind.Final, "the response has no valid Content-Length") { StatusCode = response.HttpStatusCode, RequestId = NullIfEmpty(response.ResponseMetadata.RequestId) },
        ETag = NullIfEmpty(response.ETag),
        VersionId = NullIfEmpty(response.VersionId),
        LastModified = ToOffset(response.LastModified),
        Headers = SdkResponseHeaders.Values(response),
        Expires = HttpTime.Parse(response.ExpiresString),
        Encryption = GetEncryption(response.ServerSideEncryptionMethod, response.ServerSideEncryptionCustomerMethod),
        Restore = GetRestore(response.RestoreInProgress, response.RestoreExpiration),
        Metadata = ToDictionary(response.Metadata),
        Checksum = SdkChecksums.From(response),
        TagCount = response.TagsCount,
    })
    {
        ChecksumType = response.ChecksumType?.Value,
        Headers = address.Access.KeepsHeaders ? SdkResponseHeaders.From(response) : [],
    };

    private static ObjectHead ToHead(GetObjectResponse response, ReceivedRange answer, ObjectAddress address, string? checksumNotRequested) => new(new ObjectInfo
    {
        Length = answer.Total,
        ETag = NullIfEmpty(response.ETag),
        VersionId = NullIfEmpty(response.VersionId),
        LastModified = ToOffset(response.LastModified),
        Headers = SdkResponseHeaders.Values(response),
        Expires = HttpTime.Parse(response.ExpiresString),
        Encryption = GetEncryption(response.ServerSideEncryptionMethod, response.ServerSideEncryptionCustomerMethod),
        Restore = GetRestore(response.RestoreInProgress, response.RestoreExpiration),
        Metadata = ToDictionary(response.Metadata),

        // If a range is exactly one stored part, S3 returns the checksum of that part under the same names, which isn't needed here.
        Checksum = answer.IsAll ? SdkChecksums.From(response) : null,
        TagCount = response.TagCount,
    })
    {
        ChecksumType = response.ChecksumType?.Value,
        ChecksumNotRequested = checksumNotRequested,
        Headers = address.Access.KeepsHeaders ? SdkResponseHeaders.From(response) : [],
        Answer = address.Access.KeepsAnswer ? response : null,
    };

    private static string? GetEncryption(ServerSideEncryptionMethod? method, ServerSideEncryptionCustomerMethod? ofCustomer)
        => NullIfEmpty(method?.Value) ?? (string.IsNullOrEmpty(ofCustomer?.Value) ? null : ETags.CustomerEncryption);

    private static RestoreState? GetRestore(bool? isInProgress, DateTime? until)
        => RestoreState.From(isInProgress == true, ToOffset(until));

    /// <summary>Returns whether a response has no Content-Length, which the SDK takes for a length of 0. That of a mock, which has no metadata, is believed.</summary>
    private static bool IsUnsized(AmazonWebServiceResponse response, HeadersCollection? headers) => response.ResponseMetadata is not null && headers is { ContentLength: < 0 };

    /// <summary>Determines whether a response is that of a store. A response of the SDK always has metadata, and that of a mock has none.</summary>
    private static StoreResponse GetOrigin(AmazonWebServiceResponse response, string? etag, string? contentType = null) => new(
        response.HttpStatusCode,
        response.ResponseMetadata?.RequestId,
        contentType,
        !string.IsNullOrEmpty(etag) || response.ResponseMetadata is not { } metadata || !string.IsNullOrEmpty(metadata.RequestId) || GetExtendedId(metadata) is not null);

    private static string? GetExtendedId(ResponseMetadata? metadata) => metadata?.Metadata?.TryGetValue(HeaderKeys.XAmzId2Header, out string? id) == true ? NullIfEmpty(id) : null;

    internal static Dictionary<string, string> ToDictionary(MetadataCollection? metadata)
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
