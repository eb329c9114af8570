using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.Wire.Sdk;

internal sealed partial class SdkWire
{
    // If both API versions can be used, the token of a page begins with the version that it belongs to.
    private const char V1Page = '1';
    private const char V2Page = '2';

    public Task<ObjectPage> ListAsync(string bucket, string prefix, string? page, ReadAccess access, CancellationToken cancellationToken)
        => settings.ListObjectsV1 ? ListByEitherAsync(bucket, prefix, page, access, cancellationToken) : ListV2Async(bucket, prefix, page, access, cancellationToken);

    /// <summary>Lists objects as the SDK's own utility does: with ListObjects or, if that isn't implemented, as in directory buckets, with ListObjectsV2.</summary>
    private async Task<ObjectPage> ListByEitherAsync(string bucket, string prefix, string? page, ReadAccess access, CancellationToken cancellationToken)
    {
        if (page is null or [V1Page, ..])
        {
            try
            {
                if (await ListV1Async(bucket, prefix, page?[1..], access, cancellationToken).ConfigureAwait(false) is { } first)
                {
                    return first with { Next = first.Next is null ? null : V1Page + first.Next };
                }
            }
            catch (WireException e) when (page is null && e.StatusCode == HttpStatusCode.NotImplemented)
            {
            }
        }

        ObjectPage second = await ListV2Async(bucket, prefix, page?[1..], access, cancellationToken).ConfigureAwait(false);
        return second with { Next = second.Next is null ? null : V2Page + second.Next };
    }

    /// <returns>Null if a mock has no response.</returns>
    private async Task<ObjectPage?> ListV1Async(string bucket, string prefix, string? marker, ReadAccess access, CancellationToken cancellationToken)
    {
        ListObjectsRequest request = new()
        {
            BucketName = bucket,
            Prefix = prefix,
            Marker = marker,
            Encoding = EncodingType.Url, // keys can contain characters that XML can't
            RequestPayer = Payer(access),
        };
        try
        {
            ListObjectsResponse? response = await LateResults.WaitAsync(s3.ListObjectsAsync(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            if (response is null)
            {
                return null;
            }

            CheckIsS3(response, response.Name, response.S3Objects);
            bool encoded = response.Encoding == EncodingType.Url;

            // If the store returns no marker, the SDK uses the last key. Its utility ignores IsTruncated.
            string? next = string.IsNullOrEmpty(response.NextMarker) ? null : Decode(response.NextMarker, encoded);
            return new ObjectPage(ToListed(response.S3Objects, encoded), ObjectPage.NextOf(response.IsTruncated == true || next is not null, next));
        }
        catch (Exception e) when (e is not WireException)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    private async Task<ObjectPage> ListV2Async(string bucket, string prefix, string? token, ReadAccess access, CancellationToken cancellationToken)
    {
        ListObjectsV2Request request = new()
        {
            BucketName = bucket,
            Prefix = prefix,
            ContinuationToken = token,
            Encoding = EncodingType.Url, // keys can contain characters that XML can't
            RequestPayer = Payer(access),
        };
        try
        {
            ListObjectsV2Response? response = await LateResults.WaitAsync(s3.ListObjectsV2Async(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            if (response is null)
            {
                throw new WireException(FailureKind.Final, $"the {nameof(IAmazonS3)} returned null for a listing");
            }

            CheckIsS3(response, response.Name, response.S3Objects);
            ListedObject[] objects = ToListed(response.S3Objects, response.Encoding == EncodingType.Url);
            return new ObjectPage(objects, ObjectPage.NextOf(response.IsTruncated == true, response.NextContinuationToken));
        }
        catch (Exception e) when (e is not WireException)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    private static ListedObject[] ToListed(List<S3Object>? objects, bool encoded)
        => [.. (objects ?? []).Select(item => new ListedObject(Decode(item.Key, encoded), item.Size ?? 0, NullIfEmpty(item.ETag), ToOffset(item.LastModified)))];

    private static RequestPayer? Payer(ReadAccess access) => access.RequesterPays ? RequestPayer.Requester : null;

    /// <summary>
    /// Rejects a web page that the SDK has parsed as an empty listing, because it accepts any XML. Responses of the SDK always have metadata. The response of a
    /// mock, which sets only the properties that its test needs, has none.
    /// </summary>
    private static void CheckIsS3(AmazonWebServiceResponse response, string? name, List<S3Object>? objects)
    {
        if (name is null && objects is not { Count: > 0 } && response.ResponseMetadata is { } metadata && string.IsNullOrEmpty(metadata.RequestId))
        {
            throw new WireException(FailureKind.Final, ErrorKinds.NotS3(response.HttpStatusCode));
        }
    }
}
