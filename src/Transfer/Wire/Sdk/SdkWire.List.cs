using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.Wire.Sdk;

internal sealed partial class SdkWire
{
    // If both API versions can be used, the token of a page begins with the version that it belongs to.
    private const char V1Page = '1';
    private const char V2Page = '2';

    public Task<Page<ListedObject>> ListAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
        => query.Versions ? ListVersionsAsync(query, after, cancellationToken)
            : settings.ListObjectsV1 ? ListByEitherAsync(query, after, cancellationToken) : ListV2Async(query, after, cancellationToken);

    /// <summary>Lists objects as the SDK's own utility does: with ListObjects or, if that isn't implemented, as in directory buckets, with ListObjectsV2.</summary>
    private async Task<Page<ListedObject>> ListByEitherAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        if (after?.Marker.Token is null or [V1Page, ..])
        {
            try
            {
                if (await ListV1Async(query, after, cancellationToken).ConfigureAwait(false) is { } first)
                {
                    return first;
                }
            }
            catch (WireException e) when (after is null && e.StatusCode == HttpStatusCode.NotImplemented)
            {
            }
        }

        return await ListV2Async(query, after, cancellationToken).ConfigureAwait(false);
    }

    /// <returns>Null if a mock has no response.</returns>
    private Task<Page<ListedObject>?> ListV1Async(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        ListObjectsRequest request = new()
        {
            BucketName = query.Bucket,
            Prefix = query.Prefix,
            Delimiter = query.Delimiter,
            Marker = GetToken(after) ?? query.StartAfter,
            MaxKeys = query.MaxKeys,
            Encoding = EncodingType.Url, // keys can contain characters that XML can't
            OptionalObjectAttributes = query.WithRestoreStates ? [OptionalObjectAttributes.RestoreStatus] : null,
            RequestPayer = Payer(query.Access),
        };
        if (RequestTrace.Current is { } trace)
        {
            trace.Operation = RequestTrace.ListObjects;
        }

        return SendAsync(request, s3.ListObjectsAsync, response =>
        {
            if (response is null)
            {
                return null;
            }

            CheckIsS3(response, response.Name, response.S3Objects is { Count: > 0 } || response.CommonPrefixes is { Count: > 0 });
            bool encoded = response.Encoding == EncodingType.Url;

            // If the store returns no marker, the SDK uses the last key. Its utility ignores IsTruncated.
            string? next = string.IsNullOrEmpty(response.NextMarker) ? null : Decode(response.NextMarker, encoded);
            return GetPage(query, ToListed(response.CommonPrefixes, response.S3Objects, encoded), response.IsTruncated == true || next is not null, V1Page, next, after);
        }, cancellationToken);
    }

    private Task<Page<ListedObject>> ListV2Async(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        if (RequestTrace.Current is { Operation: not null } trace)
        {
            trace.Operation = null; // ListObjects came first
        }

        ListObjectsV2Request request = new()
        {
            BucketName = query.Bucket,
            Prefix = query.Prefix,
            Delimiter = query.Delimiter,
            ContinuationToken = GetToken(after),
            MaxKeys = query.MaxKeys,
            StartAfter = after is null ? query.StartAfter : null,
            Encoding = EncodingType.Url, // keys can contain characters that XML can't
            OptionalObjectAttributes = query.WithRestoreStates ? [OptionalObjectAttributes.RestoreStatus] : null,
            RequestPayer = Payer(query.Access),
        };
        return SendAsync(request, s3.ListObjectsV2Async, response =>
        {
            if (response is null)
            {
                throw new WireException(FailureKind.Final, $"the {nameof(IAmazonS3)} returned null for a listing");
            }

            CheckIsS3(response, response.Name, response.S3Objects is { Count: > 0 } || response.CommonPrefixes is { Count: > 0 });
            ListedObject[] objects = ToListed(response.CommonPrefixes, response.S3Objects, response.Encoding == EncodingType.Url);
            return GetPage(query, objects, response.IsTruncated == true, V2Page, response.NextContinuationToken, after);
        }, cancellationToken);
    }

    private Task<Page<ListedObject>> ListVersionsAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        ListVersionsRequest request = new()
        {
            BucketName = query.Bucket,
            Prefix = query.Prefix,
            KeyMarker = after is null ? query.StartAfter : after.Marker.Token,
            VersionIdMarker = after?.Marker.Id,
            Encoding = EncodingType.Url,
            OptionalObjectAttributes = query.WithRestoreStates ? [OptionalObjectAttributes.RestoreStatus] : null,
            RequestPayer = Payer(query.Access),
        };
        return SendAsync(request, s3.ListVersionsAsync, response =>
        {
            if (response is null)
            {
                throw new WireException(FailureKind.Final, $"the {nameof(IAmazonS3)} returned null for a listing of versions");
            }

            CheckIsS3(response, response.Name, response.Versions is { Count: > 0 });
            bool encoded = response.Encoding == EncodingType.Url;
            ListedObject[] versions =
            [
                .. (response.Versions ?? []).Select(item => new ListedObject
                {
                    Key = Decode(item.Key, encoded),
                    Length = item.Size ?? 0,
                    ETag = NullIfEmpty(item.ETag),
                    LastModified = ToOffset(item.LastModified),
                    StorageClass = item.StorageClass?.Value,
                    VersionId = NullIfEmpty(item.VersionId) ?? throw new WireException(FailureKind.Final, "the store listed a version without an ID"),
                    Restore = GetRestore(item.RestoreStatus?.IsRestoreInProgress, item.RestoreStatus?.RestoreExpiryDate),
                    IsDeleteMarker = item.IsDeleteMarker == true,
                    IsLatest = item.IsLatest == true,
                }),
            ];
            PageMarker? next = NullIfEmpty(response.NextKeyMarker) is { } key ? new PageMarker(Decode(key, encoded), NullIfEmpty(response.NextVersionIdMarker)) : null;
            return new Page<ListedObject>(PageRules.Versions, query.Prefix, versions, response.IsTruncated == true, next, after);
        }, cancellationToken);
    }

    private Page<ListedObject> GetPage(ListQuery query, ListedObject[] objects, bool isTruncated, char version, string? token, PageEnd? before)
    {
        PageMarker? marker = NullIfEmpty(token) is { } next ? new PageMarker(settings.ListObjectsV1 ? version + next : next) : null;
        return new Page<ListedObject>(PageRules.GetObjects(query.Bucket), query.Prefix, objects, isTruncated, marker, before);
    }

    private string? GetToken(PageEnd? end) => settings.ListObjectsV1 ? end?.Marker.Token[1..] : end?.Marker.Token;

    private static ListedObject[] ToListed(List<string>? prefixes, List<S3Object>? objects, bool encoded) =>
    [
        .. (prefixes ?? []).Select(prefix => new ListedObject { Key = Decode(prefix, encoded), Length = 0, IsPrefix = true }),
        .. (objects ?? []).Select(item => new ListedObject
        {
            Key = Decode(item.Key, encoded),
            Length = item.Size ?? 0,
            ETag = NullIfEmpty(item.ETag),
            LastModified = ToOffset(item.LastModified),
            StorageClass = item.StorageClass?.Value,
            Restore = GetRestore(item.RestoreStatus?.IsRestoreInProgress, item.RestoreStatus?.RestoreExpiryDate),
        }),
    ];

    private static RequestPayer? Payer(ReadAccess access) => access.RequesterPays ? RequestPayer.Requester : null;

    /// <summary>
    /// Rejects a web page that the SDK has parsed as an empty listing, because it accepts any XML. Responses of the SDK always have metadata. The response of a
    /// mock, which sets only the properties that its test needs, has none.
    /// </summary>
    private static void CheckIsS3(AmazonWebServiceResponse response, string? name, bool hasContent)
    {
        if (name is null && !hasContent && response.ResponseMetadata is { } metadata && string.IsNullOrEmpty(metadata.RequestId))
        {
            throw new WireException(FailureKind.Final, ErrorKinds.NotS3(response.HttpStatusCode));
        }
    }
}
