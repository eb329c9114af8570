using System.Net;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.Wire.Sdk;

internal sealed partial class SdkWire
{
    public async Task<ObjectPage> ListAsync(string bucket, string prefix, string? page, ReadAccess access, CancellationToken cancellationToken)
    {
        ListObjectsV2Request request = new()
        {
            BucketName = bucket,
            Prefix = prefix,
            ContinuationToken = page,

            // Keys can hold characters that XML can't.
            Encoding = EncodingType.Url,
            RequestPayer = access.RequesterPays ? RequestPayer.Requester : null,
        };
        try
        {
            ListObjectsV2Response response = await LateResults.WaitAsync(s3.ListObjectsV2Async(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            if (response.Name is null && string.IsNullOrEmpty(response.ResponseMetadata?.RequestId))
            {
                throw new WireException(FailureKind.Final, ErrorKinds.NotS3(response.HttpStatusCode)); // the SDK takes any XML for an empty listing
            }

            bool encoded = response.Encoding == EncodingType.Url;
            ListedObject[] objects = [.. (response.S3Objects ?? []).Select(item => new ListedObject(
                encoded ? WebUtility.UrlDecode(item.Key) : item.Key, item.Size ?? 0, NullIfEmpty(item.ETag), ToOffset(item.LastModified)))];
            return new ObjectPage(objects, ObjectPage.NextOf(response.IsTruncated == true, response.NextContinuationToken));
        }
        catch (Exception e) when (e is not WireException)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }
}
