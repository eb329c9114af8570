using System.Globalization;
using System.Net;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.Wire.Sdk;

internal sealed partial class SdkWire
{
    public async Task<StoredPart?> HeadPartAsync(ObjectAddress address, int partNumber, string? etag, CancellationToken cancellationToken)
    {
        try
        {
            GetObjectMetadataRequest request = Head(address);
            request.PartNumber = partNumber;
            request.EtagToMatch = ETags.IsWeak(etag) ? null : etag;
            GetObjectMetadataResponse response = await LateResults.WaitAsync(s3.GetObjectMetadataAsync(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            return StoredPart.Of(response.ContentRange, response.PartsCount, response.ETag, etag);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task<StoredPartPage?> ListStoredPartsAsync(ObjectAddress address, string? etag, int afterPart, CancellationToken cancellationToken)
    {
        try
        {
            GetObjectAttributesRequest request = Attributes(address, ObjectAttributes.ObjectParts, ObjectAttributes.ETag);
            request.PartNumberMarker = afterPart > 0 ? afterPart : null;
            GetObjectAttributesResponse response = await LateResults.WaitAsync(s3.GetObjectAttributesAsync(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            if (response.ObjectParts is not { Parts: { Count: > 0 } parts } page || !ETags.AreSame(etag, response.ETag) || parts.Exists(part => part.Size is not > 0))
            {
                return null;
            }

            bool goesOn = page.IsTruncated == true && page.NextPartNumberMarker > afterPart;
            ObjectPart[] inOrder = [.. parts.OrderBy(part => part.PartNumber)];
            return new StoredPartPage([.. inOrder.Select(part => part.Size!.Value)], [.. inOrder.Select(SdkChecksums.Of)], goesOn ? page.NextPartNumberMarker : null);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task<UploadPage> ListUploadsAsync(string bucket, string prefix, UploadMarker? after, CancellationToken cancellationToken)
    {
        // Keys can contain characters that XML can't.
        (UploadPage page, bool isEncoded) = await ListUploadsAsync(bucket, prefix, after, EncodingType.Url, cancellationToken).ConfigureAwait(false);
        if (isEncoded || !(page.Uploads.Any(static upload => MayBeEncoded(upload.Key)) || MayBeEncoded(page.Next?.Key)))
        {
            return page;
        }

        // Ceph encodes keys, but its response doesn't tell that.
        return (await ListUploadsAsync(bucket, prefix, after, null, cancellationToken).ConfigureAwait(false)).Page;
    }

    private async Task<(UploadPage Page, bool IsEncoded)> ListUploadsAsync(
        string bucket, string prefix, UploadMarker? after, EncodingType? encoding, CancellationToken cancellationToken)
    {
        ListMultipartUploadsRequest request = new()
        {
            BucketName = bucket,
            Prefix = prefix,
            KeyMarker = after?.Key,
            UploadIdMarker = after?.UploadId,
            Encoding = encoding,
        };
        try
        {
            Func<DateTimeOffset?> date = SdkResponseDates.Watch(s3, request);
            ListMultipartUploadsResponse page = await LateResults.WaitAsync(s3.ListMultipartUploadsAsync(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            if (page.BucketName is null && string.IsNullOrEmpty(page.ResponseMetadata?.RequestId))
            {
                // The SDK accepts any XML as an empty list, even a web page.
                throw new WireException(FailureKind.Final, "the endpoint did not respond with a list of uploads: is it an S3 endpoint?");
            }

            bool encoded = page.EncodingType == EncodingType.Url;
            UnfinishedUpload[] uploads =
            [
                .. (page.MultipartUploads ?? []).Select(upload => new UnfinishedUpload(Decode(upload.Key, encoded), upload.UploadId, ToOffset(upload.Initiated))),
            ];
            UploadMarker? next = page.IsTruncated == true && NullIfEmpty(page.NextKeyMarker) is { } key
                ? new UploadMarker(Decode(key, encoded), NullIfEmpty(page.NextUploadIdMarker))
                : null;
            return next is null || next != after
                ? (new UploadPage(uploads, next, date()), encoded)
                : throw new WireException(FailureKind.Final, "the store returned the same page of the list of uploads again");
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    public async Task<SentPartPage> ListPartsAsync(ObjectAddress address, string uploadId, int afterPart, CancellationToken cancellationToken)
    {
        ListPartsRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            UploadId = uploadId,
            PartNumberMarker = afterPart > 0 ? afterPart.ToString(CultureInfo.InvariantCulture) : null,
            RequestPayer = Payer(address),
            SSECustomerAlgorithm = address.Access.CustomerKey is null ? null : CustomerKey.Algorithm,
            SSECustomerKey = address.Access.CustomerKey?.Base64,
            SSECustomerKeyMD5 = address.Access.CustomerKey?.Base64Md5,
        };
        try
        {
            ListPartsResponse page = await LateResults.WaitAsync(s3.ListPartsAsync(request, cancellationToken), cancellationToken).ConfigureAwait(false);
            if (page.UploadId != uploadId)
            {
                // The SDK accepts any XML as an empty list, even a web page.
                throw new WireException(FailureKind.Final, "the endpoint did not respond with a list of the upload's parts: is it an S3 endpoint?");
            }

            SentPart[] parts =
            [
                .. (page.Parts ?? []).Where(part => part.PartNumber > 0)
                    .Select(part => new SentPart(part.PartNumber!.Value, part.Size ?? -1, NullIfEmpty(part.ETag), SdkChecksums.Of(part))),
            ];
            bool goesOn = page.IsTruncated == true && page.NextPartNumberMarker > afterPart;
            return new SentPartPage(parts, goesOn ? page.NextPartNumberMarker : null);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }

    private static bool MayBeEncoded(string? key) => key.AsSpan().ContainsAny('%', '+');

    // "+" is a space and "%2B" a plus: the form encoding.
    private static string Decode(string text, bool encoded) => encoded ? WebUtility.UrlDecode(text) : text;
}
