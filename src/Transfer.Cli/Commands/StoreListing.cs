using System.Net;
using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Reads listings page by page, so that a listing of any length takes the memory of one page.</summary>
internal static class StoreListing
{
    /// <summary>Lists the objects under a prefix, with their keys decoded.</summary>
    /// <param name="s3">The client.</param>
    /// <param name="address">The bucket and the prefix.</param>
    /// <param name="delimiter">The delimiter of the level to list; null for all levels.</param>
    /// <param name="tally">Counts the requests.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<ListObjectsV2Response> ReadObjectsAsync(
        IAmazonS3 s3, Location address, string? delimiter, Tally tally, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        // Keys can contain characters that XML can't.
        ListObjectsV2Request request = new() { BucketName = address.Bucket, Prefix = address.Key, Delimiter = delimiter, Encoding = EncodingType.Url };
        ListObjectsV2Response page;
        do
        {
            page = await s3.ListObjectsV2Async(request, cancellationToken).ConfigureAwait(false);
            tally.Requests++;
            CheckIsS3(page, page.Name is not null);
            bool isEncoded = page.Encoding == EncodingType.Url;
            page.CommonPrefixes = page.CommonPrefixes?.ConvertAll(prefix => Decode(prefix, isEncoded));
            foreach (S3Object item in page.S3Objects ?? [])
            {
                item.Key = Decode(item.Key, isEncoded);
            }

            CheckGoesOn(request.ContinuationToken, page.NextContinuationToken, page.IsTruncated == true && !string.IsNullOrEmpty(page.NextContinuationToken));
            request.ContinuationToken = page.NextContinuationToken;
            yield return page;
        }
        while (page.IsTruncated == true && !string.IsNullOrEmpty(page.NextContinuationToken));
    }

    /// <summary>Checks that the next page isn't the same page again, because such a listing would never end.</summary>
    public static void CheckGoesOn<T>(T here, T next, bool hasNext)
    {
        if (hasNext && EqualityComparer<T>.Default.Equals(here, next))
        {
            throw new TransferException("the store returned the same page of the listing again");
        }
    }

    /// <summary>Checks that the response is from S3: the SDK accepts any XML, even a web page, as an empty listing.</summary>
    public static void CheckIsS3(AmazonWebServiceResponse page, bool hasContent)
    {
        if (!hasContent && string.IsNullOrEmpty(page.ResponseMetadata?.RequestId))
        {
            throw new TransferException("the endpoint did not respond with a listing: is it an S3 endpoint?", new HttpRequestException("The response is not a listing."));
        }
    }

    // S3 uses form encoding: "+" is a space, and "%2B" is a plus sign.
    public static string Decode(string text, bool isEncoded) => isEncoded ? WebUtility.UrlDecode(text) : text;
}
