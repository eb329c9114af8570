using System.Globalization;

namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<Page<ListedPart>?> ListStoredPartsAsync(ObjectAddress address, string? etag, PageEnd? after, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, address.Key);
        request.Query("attributes", string.Empty);
        request.Query("versionId", address.VersionId);
        request.Amz("x-amz-object-attributes", "ETag,ObjectParts");
        request.Amz("x-amz-part-number-marker", after?.Marker.Token);
        request.Header("Accept-Encoding", "identity");
        AddAccess(request, address);
        PartElements list = new();
        try
        {
            await SendForElementsAsync(address.Bucket, request, "GetObjectAttributes", list, PartElements.Read, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (IsOfObject(e))
        {
            throw NoAttributes(e);
        }

        // The call has no If-Match, so a response for another state of the object is not valid for this one.
        if (list.Parts.Count == 0 || !ETags.AreSame(etag, list.ETag) || list.Parts.Exists(static part => part.LengthBytes <= 0))
        {
            return null;
        }

        int first = (after is null ? 0 : int.Parse(after.Marker.Token, CultureInfo.InvariantCulture)) + 1;
        ListedPart[] inOrder =
        [
            .. list.Parts.OrderBy(static part => part.Number).Select((part, i) => new ListedPart(part.Number > 0 ? part.Number : first + i, part.LengthBytes, part.Checksum)),
        ];
        return new Page<ListedPart>(PageRules.StoredParts, string.Empty, inOrder, list.IsTruncated, list.Next, after);
    }

    public async Task<Page<SentPart>> ListPartsAsync(ObjectAddress address, string uploadId, PageEnd? after, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, address.Key);
        request.Query("part-number-marker", after?.Marker.Token);
        request.Query("uploadId", uploadId);
        request.Header("Accept-Encoding", "identity");
        AddAccess(request, address);
        PartElements list = new();
        await SendForElementsAsync(address.Bucket, request, "ListPartsResult", list, PartElements.Read, cancellationToken).ConfigureAwait(false);
        return list.UploadId == uploadId
            ? new Page<SentPart>(PageRules.SentParts, string.Empty, list.Parts.FindAll(static part => part.Number > 0), list.IsTruncated, list.Next, after)
            : throw new WireException(FailureKind.Final, "the endpoint did not respond with a list of the upload's parts: is it an S3 endpoint?");
    }

    public async Task<Page<UnfinishedUpload>> ListUploadsAsync(string bucket, string prefix, PageEnd? after, CancellationToken cancellationToken)
    {
        // Keys can contain characters that XML can't.
        UploadElements list = await RequestUploadsAsync(bucket, prefix, after, "url", cancellationToken).ConfigureAwait(false);
        if (list.MayBeEncoded)
        {
            // Ceph encodes keys, but its response doesn't tell that.
            list = await RequestUploadsAsync(bucket, prefix, after, null, cancellationToken).ConfigureAwait(false);
        }

        return new Page<UnfinishedUpload>(PageRules.Uploads, prefix, list.Decoded(), list.IsTruncated, list.Next, after) { StoreTime = list.StoreTime };
    }

    private async Task<UploadElements> RequestUploadsAsync(string bucket, string prefix, PageEnd? after, string? encoding, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("encoding-type", encoding);
        request.Query("key-marker", after?.Marker.Token);
        request.Query("prefix", prefix.Length == 0 ? null : prefix);
        request.Query("upload-id-marker", after?.Marker.UploadId);
        request.Query("uploads", string.Empty);
        request.Header("Accept-Encoding", "identity");
        UploadElements list = new();
        list.StoreTime = await SendForElementsAsync(bucket, request, "ListMultipartUploadsResult", list, UploadElements.Read, cancellationToken).ConfigureAwait(false);
        return list;
    }
}
