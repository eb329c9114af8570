using System.Globalization;
using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire.Sdk;

internal sealed partial class SdkWire
{
    public Task<StoredParts?> GetStoredPartsAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        GetObjectMetadataRequest request = Head(address);
        request.PartNumber = 1;
        return SendAsync(request, s3.GetObjectMetadataAsync, static response => StoredParts.Parse(response.ContentRange, response.PartsCount), cancellationToken);
    }

    public Task<StoredPart?> HeadPartAsync(ObjectAddress address, int partNumber, string? etag, CancellationToken cancellationToken)
    {
        GetObjectMetadataRequest request = Head(address);
        request.PartNumber = partNumber;
        request.EtagToMatch = ETags.IsWeak(etag) ? null : etag;
        return SendAsync(request, s3.GetObjectMetadataAsync, response => StoredPart.Parse(response.ContentRange, response.PartsCount, response.ETag, etag), cancellationToken);
    }

    // The call has no If-Match, so a response for another state of the object is not valid for this one.
    public Task<StoredChecksum?> GetAttributesChecksumAsync(ObjectAddress address, string? etag, CancellationToken cancellationToken) => SendAsync(
        Attributes(address, ObjectAttributes.Checksum, ObjectAttributes.ETag),
        s3.GetObjectAttributesAsync,
        response => response?.Checksum is { } checksum && ETags.AreSame(etag, response.ETag) && SdkChecksums.From(checksum) is { } stored
            ? CompositeChecksum.Complete(stored, checksum.ChecksumType?.Value, etag)
            : null,
        cancellationToken);

    public Task<Page<ListedPart>?> ListStoredPartsAsync(ObjectAddress address, string? etag, PageEnd? after, CancellationToken cancellationToken)
    {
        GetObjectAttributesRequest request = Attributes(address, ObjectAttributes.ObjectParts, ObjectAttributes.ETag);
        request.PartNumberMarker = GetNumber(after);
        return SendAsync(request, s3.GetObjectAttributesAsync, response =>
        {
            if (response.ObjectParts is not { Parts: { Count: > 0 } parts } page || !ETags.AreSame(etag, response.ETag) || parts.Exists(part => part.Size is not >= 0))
            {
                return null;
            }

            int first = (GetNumber(after) ?? 0) + 1;
            ListedPart[] inOrder =
            [
                .. parts.OrderBy(static part => part.PartNumber).Select((part, i) => new ListedPart { Number = part.PartNumber ?? first + i, Length = part.Size!.Value, Checksum = SdkChecksums.From(part) }),
            ];
            return new Page<ListedPart>(PageRules.StoredParts, string.Empty, inOrder, page.IsTruncated == true, GetMarker(page.NextPartNumberMarker), after) { ETag = response.ETag };
        }, cancellationToken);
    }

    public async Task<Page<UnfinishedUpload>> ListUploadsAsync(string bucket, string prefix, PageEnd? after, CancellationToken cancellationToken)
    {
        // Keys can contain characters that XML can't.
        (ListMultipartUploadsResponse page, DateTimeOffset? date) = await RequestUploadsAsync(bucket, prefix, after, EncodingType.Url, cancellationToken).ConfigureAwait(false);
        bool isEncoded = page.EncodingType == EncodingType.Url;
        if (!isEncoded && ((page.MultipartUploads ?? []).Exists(static upload => MayBeEncoded(upload.Key)) || MayBeEncoded(page.NextKeyMarker)))
        {
            // Ceph encodes keys, but its response doesn't tell that.
            (page, date) = await RequestUploadsAsync(bucket, prefix, after, null, cancellationToken).ConfigureAwait(false);
        }

        UnfinishedUpload[] uploads =
        [
            .. (page.MultipartUploads ?? []).Select(upload => new UnfinishedUpload { Key = Decode(upload.Key, isEncoded), UploadId = upload.UploadId, Initiated = ToOffset(upload.Initiated) }),
        ];
        PageMarker? next = NullIfEmpty(page.NextKeyMarker) is { } key ? new PageMarker(Decode(key, isEncoded), NullIfEmpty(page.NextUploadIdMarker)) : null;
        return new Page<UnfinishedUpload>(PageRules.Uploads, prefix, uploads, page.IsTruncated == true, next, after) { StoreTime = date };
    }

    private Task<(ListMultipartUploadsResponse Page, DateTimeOffset? Date)> RequestUploadsAsync(
        string bucket, string prefix, PageEnd? after, EncodingType? encoding, CancellationToken cancellationToken)
    {
        ListMultipartUploadsRequest request = new()
        {
            BucketName = bucket,
            Prefix = prefix,
            KeyMarker = after?.Marker.Token,
            UploadIdMarker = after?.Marker.Id,
            Encoding = encoding,
        };
        Func<DateTimeOffset?> date = SdkResponseDates.Watch(s3, request);
        return SendAsync(
            request,
            s3.ListMultipartUploadsAsync,
            page => page.BucketName is not null || !string.IsNullOrEmpty(page.ResponseMetadata?.RequestId)
                ? (page, date())
                : throw new WireException(FailureKind.Final, "the endpoint did not respond with a list of uploads: is it an S3 endpoint?"), // the SDK accepts any XML as an empty list
            cancellationToken);
    }

    public Task<Page<SentPart>> ListPartsAsync(ObjectAddress address, string uploadId, PageEnd? after, CancellationToken cancellationToken)
    {
        ListPartsRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            UploadId = uploadId,
            PartNumberMarker = after?.Marker.Token,
            RequestPayer = Payer(address),
            SSECustomerAlgorithm = address.Access.CustomerKey is null ? null : CustomerKey.Algorithm,
            SSECustomerKey = address.Access.CustomerKey?.Base64,
            SSECustomerKeyMD5 = address.Access.CustomerKey?.Base64Md5,
        };
        return SendAsync(request, s3.ListPartsAsync, page =>
        {
            if (page.UploadId != uploadId)
            {
                // The SDK accepts any XML as an empty list, even a web page.
                throw new WireException(FailureKind.Final, "the endpoint did not respond with a list of the upload's parts: is it an S3 endpoint?");
            }

            SentPart[] parts =
            [
                .. (page.Parts ?? []).Where(part => part.PartNumber > 0)
                    .Select(part => new SentPart(part.PartNumber!.Value, part.Size ?? -1, NullIfEmpty(part.ETag), SdkChecksums.From(part))),
            ];
            return new Page<SentPart>(PageRules.SentParts, string.Empty, parts, page.IsTruncated == true, GetMarker(page.NextPartNumberMarker), after);
        }, cancellationToken);
    }

    private static int? GetNumber(PageEnd? end) => end is null ? null : int.Parse(end.Marker.Token, CultureInfo.InvariantCulture);

    private static PageMarker? GetMarker(int? number) => number > 0 ? new PageMarker(number.Value.ToString(CultureInfo.InvariantCulture)) : null;

    private static bool MayBeEncoded(string? key) => key.AsSpan().ContainsAny('%', '+');

    // "+" is a space and "%2B" a plus: the form encoding.
    private static string Decode(string text, bool encoded) => encoded ? WebUtility.UrlDecode(text) : text;
}
