using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.Wire;

/// <summary>One S3 request at a time over any <see cref="IAmazonS3"/>. It reads errors and checks answers; it knows nothing of parts or transfers.</summary>
/// <remarks>Every method throws <see cref="WireException"/>, or <see cref="OperationCanceledException"/> for the caller's token alone.</remarks>
internal sealed partial class SdkWire(IAmazonS3 s3)
{
    /// <summary>Reads a range, or with a null length all of the object. The answer is checked against what was asked.</summary>
    public async Task<RangeResponse> GetRangeAsync(ObjectAddress address, long offset, long? length, string? ifMatch, bool wantChecksum, CancellationToken cancellationToken)
    {
        GetObjectRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = address.VersionId,
            EtagToMatch = ifMatch,
            ByteRange = length is { } l ? new ByteRange(offset, offset + l - 1) : null,
            ChecksumMode = wantChecksum ? ChecksumMode.ENABLED : null,
        };
        GetObjectResponse response;
        try
        {
            response = await s3.GetObjectAsync(request, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }

        try
        {
            return Check(response, offset, length);
        }
        catch
        {
            response.Dispose();
            throw;
        }
    }

    /// <summary>Asks which checksum the store holds of the whole object; null where it tells none.</summary>
    public async Task<StoredChecksum?> GetAttributesChecksumAsync(ObjectAddress address, string? etag, CancellationToken cancellationToken)
    {
        try
        {
            GetObjectAttributesResponse? response = await s3.GetObjectAttributesAsync(
                new GetObjectAttributesRequest
                {
                    BucketName = address.Bucket,
                    Key = address.Key,
                    VersionId = address.VersionId,
                    ObjectAttributes = [ObjectAttributes.Checksum, ObjectAttributes.ETag],
                },
                cancellationToken).ConfigureAwait(false);

            // The call has no If-Match: an answer about another state of the object says nothing about this one.
            return response?.Checksum is { } checksum && IsSameETag(etag, response.ETag) ? SdkChecksums.Of(checksum) : null;
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    /// <summary>Reads an object's headers.</summary>
    public async Task<ObjectInfo> HeadAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            GetObjectMetadataResponse response = await s3.GetObjectMetadataAsync(
                new GetObjectMetadataRequest { BucketName = address.Bucket, Key = address.Key, VersionId = address.VersionId, ChecksumMode = ChecksumMode.ENABLED },
                cancellationToken).ConfigureAwait(false);
            return new ObjectInfo
            {
                Length = response.ContentLength,
                ETag = NullIfEmpty(response.ETag),
                VersionId = NullIfEmpty(response.VersionId),
                LastModified = ToOffset(response.LastModified),
                ContentType = response.Headers.ContentType,
                Metadata = ToDictionary(response.Metadata),
                Checksum = SdkChecksums.Of(response),
            };
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    /// <summary>Whether two entity tags are the same, whichever of them carries its quotes; an absent one differs from nothing.</summary>
    public static bool IsSameETag(string? one, string? other)
        => string.IsNullOrEmpty(one) || string.IsNullOrEmpty(other) || one.AsSpan().Trim('"').SequenceEqual(other.AsSpan().Trim('"'));

    private static RangeResponse Check(GetObjectResponse response, long offset, long? length)
    {
        Stream body = response.ResponseStream ?? Stream.Null;
        if (string.IsNullOrEmpty(response.ContentRange))
        {
            bool looksLikeS3 = !string.IsNullOrEmpty(response.ETag) || !string.IsNullOrEmpty(response.ResponseMetadata?.RequestId);
            if (!looksLikeS3 && response.Headers?.ContentType?.StartsWith("text/html", StringComparison.OrdinalIgnoreCase) == true)
            {
                throw new WireException(FailureKind.Final, "the endpoint answered with a web page: is it an S3 endpoint?") { StatusCode = response.HttpStatusCode };
            }

            if (length is not null && offset != 0)
            {
                throw Protocol(response, $"the store ignored the range that begins at byte {offset}");
            }

            if (response.ContentLength < 0)
            {
                throw Protocol(response, "the answer does not say how long it is");
            }

            return new RangeResponse(ToInfo(response, response.ContentLength), 0, response.ContentLength, isWholeObject: true, body, response);
        }

        if (!ContentRange.TryParse(response.ContentRange, out ContentRange range))
        {
            throw Protocol(response, $"the Content-Range '{response.ContentRange}' can't be read");
        }

        long last = length is { } l ? Math.Min(offset + l, range.Total) - 1 : range.Total - 1;
        if (range.First != offset || range.Last != last)
        {
            throw Protocol(response, $"bytes {offset}-{last} were asked for, and the store answered with '{response.ContentRange}'");
        }

        // Of a range that is exactly one stored part, S3 sends that part's checksum under the same names: not what is wanted here.
        ObjectInfo info = ToInfo(response, range.Total);
        bool isAll = range.First == 0 && range.Last == range.Total - 1;
        return new RangeResponse(isAll ? info : info with { Checksum = null }, offset, range.Last - range.First + 1, isWholeObject: false, body, response);
    }

    private static WireException Protocol(GetObjectResponse response, string message) => new(FailureKind.Final, message)
    {
        StatusCode = response.HttpStatusCode == 0 ? null : response.HttpStatusCode,
        RequestId = response.ResponseMetadata?.RequestId,
    };

    private static ObjectInfo ToInfo(GetObjectResponse response, long length) => new()
    {
        Length = length,
        ETag = NullIfEmpty(response.ETag),
        VersionId = NullIfEmpty(response.VersionId),
        LastModified = ToOffset(response.LastModified),
        ContentType = response.Headers?.ContentType,
        Metadata = ToDictionary(response.Metadata),
        Checksum = SdkChecksums.Of(response),
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
