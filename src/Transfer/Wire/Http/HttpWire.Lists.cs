using System.Globalization;
using System.Net;
using System.Xml;
using Transfer.S3.Integrity;
using Transfer.S3.Stores;

namespace Transfer.S3.Wire.Http;

/// <content>The lists of the store. Objects and uploads are requested in URL encoding, because keys can contain characters that XML can't.</content>
internal sealed partial class HttpWire
{
    private const string DeleteMarker = "DeleteMarker";

    /// <summary>Distinguishes a marker that is a key from a continuation token.</summary>
    private const string KeyMarker = "key";

    public async Task<Page<ListedObject>> ListAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        try
        {
            return await ListKindAsync(query, after, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (after is null && AsksForRestoreStates(query) && e.StatusCode is HttpStatusCode.BadRequest or HttpStatusCode.NotImplemented)
        {
            Page<ListedObject> page = await ListKindAsync(query with { WithRestoreStates = false }, after, cancellationToken).ConfigureAwait(false);
            _profile.Learn(StoreTrait.RestoreStates, query.Bucket, StoreSupport.Refused, e.Message);
            return page;
        }
    }

    private Task<Page<ListedObject>> ListKindAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
        => query.Versions ? ListVersionsAsync(query, after, cancellationToken) : ListObjectsAsync(query, after, cancellationToken);

    private async Task<Page<ListedObject>> ListObjectsAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        bool byKey = after is null ? _profile.GetSupport(StoreTrait.ListV2, query.Bucket) is StoreSupport.Ignored or StoreSupport.Refused : after.Marker.Id == KeyMarker;
        WireException refusal;
        try
        {
            return await ListAsync(query, after, byKey, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (!byKey && after is null && query.StartAfter is null && !AsksForRestoreStates(query) && e.StatusCode == HttpStatusCode.NotImplemented)
        {
            refusal = e;
        }

        Page<ListedObject> page = await ListAsync(query, after: null, byKey: true, cancellationToken).ConfigureAwait(false);
        _profile.Learn(StoreTrait.ListV2, query.Bucket, StoreSupport.Refused, refusal.Message);
        return page;
    }

    /// <param name="query">The objects to list.</param>
    /// <param name="after">The end of the page before; null for the first page.</param>
    /// <param name="byKey">Whether ListObjects is used, whose pages begin after a key, instead of ListObjectsV2.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    private Task<Page<ListedObject>> ListAsync(ListQuery query, PageEnd? after, bool byKey, CancellationToken cancellationToken)
    {
        if (byKey && RequestTrace.Current is { } trace)
        {
            trace.Operation = RequestTrace.ListObjects;
        }

        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("continuation-token", byKey ? null : after?.Marker.Token);
        request.Query("delimiter", query.Delimiter);
        request.Query("encoding-type", "url");
        request.Query("list-type", byKey ? null : "2");
        request.Query("marker", !byKey ? null : after is null ? query.StartAfter : after.Marker.Token);
        request.Query("max-keys", query.MaxKeys?.ToString(CultureInfo.InvariantCulture));
        request.Query("prefix", query.Prefix.Length == 0 ? null : query.Prefix);
        request.Query("start-after", byKey || after is not null ? null : query.StartAfter);
        request.Amz("x-amz-optional-object-attributes", AsksForRestoreStates(query) ? "RestoreStatus" : null);
        request.Amz("x-amz-request-payer", query.Access.RequesterPays ? "requester" : null);
        return SendForXmlAsync(query.Bucket, request, "ListBucketResult", (_, list) =>
        {
            Page<ListedObject> page = ToPage(list, query, after);
            if (!byKey && page.Next?.Marker.Id == KeyMarker)
            {
                _profile.Learn(StoreTrait.ListV2, query.Bucket, StoreSupport.Ignored, "the response was that of ListObjects");
            }

            return page;
        }, cancellationToken);
    }

    private bool AsksForRestoreStates(ListQuery query) => query.WithRestoreStates && _profile.GetSupport(StoreTrait.RestoreStates, query.Bucket) != StoreSupport.Refused;

    public Task<Page<ListedBucket>> ListBucketsAsync(PageEnd? after, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("continuation-token", after?.Marker.Token);
        return SendForXmlAsync(string.Empty, request, "ListAllMyBucketsResult", (_, list) =>
        {
            PageMarker? next = list.Text("ContinuationToken") is { } token ? new PageMarker(token) : null;
            ListedBucket[] buckets = [.. list.Children("Buckets").SelectMany(static all => all.Children("Bucket")).Select(static bucket
                => new ListedBucket { Name = bucket.Text("Name") ?? throw new XmlException("A bucket has no name."), Created = bucket.Time("CreationDate") })];
            return new Page<ListedBucket>(PageRules.Buckets, string.Empty, buckets, next is not null, next, after);
        }, cancellationToken);
    }

    public async Task<Page<UnfinishedUpload>> ListUploadsAsync(string bucket, string prefix, PageEnd? after, CancellationToken cancellationToken)
        => await ListUploadsAsync(bucket, prefix, after, "url", cancellationToken).ConfigureAwait(false)
            ?? (await ListUploadsAsync(bucket, prefix, after, null, cancellationToken).ConfigureAwait(false))!;

    public Task<Page<SentPart>> ListPartsAsync(ObjectAddress address, string uploadId, PageEnd? after, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, address.Key);
        request.Query("part-number-marker", after?.Marker.Token);
        request.Query("uploadId", uploadId);
        AddAccess(request, address);
        return SendForXmlAsync(address.Bucket, request, "ListPartsResult", (response, list) => list.Text("UploadId") == uploadId
            ? new Page<SentPart>(PageRules.SentParts, string.Empty, [.. PartsIn(list).Where(static part => part.Number > 0)], list.IsTrue("IsTruncated"), NextPart(list), after)
            : throw S3ResponseHeaders.Origin(response).NotOfStore("the endpoint did not respond with a list of the upload's parts"), cancellationToken);
    }

    public Task<Page<ListedPart>?> ListStoredPartsAsync(ObjectAddress address, string? etag, PageEnd? after, CancellationToken cancellationToken)
        => GetAttributesAsync(address, "ETag,ObjectParts", etag, after, attributes => ToPage(attributes, after), cancellationToken);

    public Task<StoredChecksum?> GetAttributesChecksumAsync(ObjectAddress address, string? etag, CancellationToken cancellationToken)
        => GetAttributesAsync(address, "Checksum,ETag", etag, null, attributes => attributes.Child("Checksum") is { Checksum: { } stored } checksum ? CompositeChecksum.Complete(stored, checksum.Text("ChecksumType"), etag) : null, cancellationToken);

    public Task<IReadOnlyDictionary<string, string>> GetTagsAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, address.Key);
        request.Query("tagging", string.Empty);
        request.Query("versionId", address.VersionId);
        AddPayer(request, address);
        return SendForXmlAsync<IReadOnlyDictionary<string, string>>(address.Bucket, request, "Tagging", static (_, tagging) =>
        {
            Dictionary<string, string> tags = [];
            foreach (ResponseElement tag in tagging.Children("TagSet").SelectMany(static set => set.Children("Tag")))
            {
                tags[tag.Exact("Key") ?? throw new XmlException("A tag has no key.")] = tag.Exact("Value") ?? string.Empty;
            }

            return tags;
        }, cancellationToken);
    }

    /// <returns>The page; null if the keys look encoded although the response doesn't tell that. Ceph responds in that way.</returns>
    private Task<Page<UnfinishedUpload>?> ListUploadsAsync(string bucket, string prefix, PageEnd? after, string? encoding, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("encoding-type", encoding);
        request.Query("key-marker", after?.Marker.Token);
        request.Query("prefix", prefix.Length == 0 ? null : prefix);
        request.Query("upload-id-marker", after?.Marker.Id);
        request.Query("uploads", string.Empty);
        return SendForXmlAsync(bucket, request, "ListMultipartUploadsResult", (response, list) =>
        {
            bool isEncoded = list.Text("EncodingType") == "url";
            string? nextKey = list.Exact("NextKeyMarker");
            UnfinishedUpload[] uploads = [.. list.Children("Upload").Select(upload => ToUpload(upload, isEncoded))];
            if (encoding is not null && !isEncoded && (IsEncoded(nextKey) || Array.Exists(uploads, static upload => IsEncoded(upload.Key))))
            {
                return null;
            }

            PageMarker? next = string.IsNullOrEmpty(nextKey) ? null : new PageMarker(Decode(nextKey, isEncoded), list.Text("NextUploadIdMarker"));
            return new Page<UnfinishedUpload>(PageRules.Uploads, prefix, uploads, list.IsTrue("IsTruncated"), next, after) { StoreTime = HttpTime.OfStore(response.Headers.Date) };
        }, cancellationToken);
    }

    private async Task<T?> GetAttributesAsync<T>(
        ObjectAddress address, string names, string? etag, PageEnd? after, Func<ResponseElement, T?> convert, CancellationToken cancellationToken)
        where T : class
    {
        SignedRequest request = new(HttpMethod.Get, address.Key);
        request.Query("attributes", string.Empty);
        request.Query("versionId", address.VersionId);
        request.Amz("x-amz-object-attributes", names);
        request.Amz("x-amz-part-number-marker", after?.Marker.Token);
        AddAccess(request, address);
        try
        {
            // The call has no If-Match, so a response for another state of the object is not valid for this one.
            return await SendForXmlAsync(
                address.Bucket, request, "GetObjectAttributes", (_, attributes) => ETags.AreSame(etag, attributes.ETag) ? convert(attributes) : null, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (e.InnerException is XmlException or HttpRequestException { HttpRequestError: HttpRequestError.ConfigurationLimitExceeded })
        {
            // The store has returned the object instead.
            throw new WireException(FailureKind.Final, "the store does not support GetObjectAttributes", e) { StatusCode = e.StatusCode, RequestId = e.RequestId };
        }
    }

    private async Task<Page<ListedObject>> ListVersionsAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
        => await ListVersionsAsync(query, after, "url", cancellationToken).ConfigureAwait(false)
            ?? (await ListVersionsAsync(query, after, null, cancellationToken).ConfigureAwait(false))!;

    /// <returns>The page; null if the keys look encoded although the response doesn't tell that, as for uploads.</returns>
    private Task<Page<ListedObject>?> ListVersionsAsync(ListQuery query, PageEnd? after, string? encoding, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("encoding-type", encoding);
        request.Query("key-marker", after is null ? query.StartAfter : after.Marker.Token);
        request.Query("prefix", query.Prefix.Length == 0 ? null : query.Prefix);
        request.Query("version-id-marker", after?.Marker.Id);
        request.Query("versions", string.Empty);
        request.Amz("x-amz-optional-object-attributes", AsksForRestoreStates(query) ? "RestoreStatus" : null);
        request.Amz("x-amz-request-payer", query.Access.RequesterPays ? "requester" : null);
        return SendForXmlAsync(query.Bucket, request, "ListVersionsResult", (_, list) =>
        {
            bool isEncoded = list.Text("EncodingType") == "url";
            string? nextKey = list.Exact("NextKeyMarker");
            ListedObject[] versions = [.. list.Children("Version", DeleteMarker).Select(item => ToVersion(item, isEncoded))];
            if (encoding is not null && !isEncoded && (IsEncoded(nextKey) || Array.Exists(versions, static version => IsEncoded(version.Key))))
            {
                return null;
            }

            PageMarker? next = string.IsNullOrEmpty(nextKey) ? null : new PageMarker(Decode(nextKey, isEncoded), list.Text("NextVersionIdMarker"));
            return new Page<ListedObject>(PageRules.Versions, query.Prefix, versions, list.IsTrue("IsTruncated"), next, after);
        }, cancellationToken);
    }

    private static ListedObject ToVersion(ResponseElement item, bool isEncoded)
    {
        bool isDeleteMarker = item.Name == DeleteMarker;
        long length = isDeleteMarker ? 0 : item.Number("Size") ?? throw new XmlException("A version has no size.");
        return new ListedObject
        {
            Key = GetKey(item, "Key", isEncoded),
            Length = length,
            ETag = item.ETag,
            LastModified = item.Time("LastModified"),
            StorageClass = item.Text("StorageClass"),
            Restore = item.Child("RestoreStatus") is { } state ? RestoreState.From(state.IsTrue("IsRestoreInProgress"), state.Time("RestoreExpiryDate")) : null,
            VersionId = item.Text("VersionId") ?? throw new XmlException("A version has no ID."),
            IsDeleteMarker = isDeleteMarker,
            IsLatest = item.IsTrue("IsLatest"),
        };
    }

    /// <summary>Converts one page of a listing (Amazon S3 API Reference, "ListObjectsV2").</summary>
    internal static Page<ListedObject> ToPage(ResponseElement list, ListQuery query, PageEnd? after)
    {
        bool isEncoded = list.Exact("EncodingType") == "url";
        ListedObject[] objects =
        [
            .. list.Children("CommonPrefixes").Select(item => new ListedObject { Key = GetKey(item, "Prefix", isEncoded), Length = 0, IsPrefix = true }),
            .. list.Objects.Select(item => isEncoded && IsEncoded(item.Key) ? item with { Key = Decode(item.Key, isEncoded) } : item),
        ];
        bool isTruncated = list.IsTrue("IsTruncated");
        PageMarker? next = list.Exact("NextContinuationToken") is { } token ? new PageMarker(token)
            : isTruncated && list.Child("KeyCount") is null ? NextKey(list, objects, isEncoded)
            : null;
        return new Page<ListedObject>(PageRules.GetObjects(query.Bucket), query.Prefix, objects, isTruncated, next, after);
    }

    /// <summary>
    /// Gets the marker of the next page from a response of ListObjects, which older stores also return to ListObjectsV2. It contains a marker only if there is a
    /// delimiter. Otherwise, the marker is the last key (Amazon S3 API Reference, "ListObjects").
    /// </summary>
    private static PageMarker? NextKey(ResponseElement list, ListedObject[] objects, bool isEncoded)
    {
        string? key = list.Exact("NextMarker") is { Length: > 0 } marker ? Decode(marker, isEncoded) : objects.Select(static item => item.Key).Max(KeyOrder.Instance);
        return key is null ? null : new PageMarker(key, KeyMarker);
    }

    private static Page<ListedPart>? ToPage(ResponseElement attributes, PageEnd? after)
    {
        if (attributes.Child("ObjectParts") is not { } list || PartsIn(list) is not { Count: > 0 } parts || parts.Exists(static part => part.LengthBytes < 0))
        {
            return null;
        }

        int first = (after is null ? 0 : int.Parse(after.Marker.Token, CultureInfo.InvariantCulture)) + 1;
        ListedPart[] inOrder =
        [
            .. parts.OrderBy(static part => part.Number).Select((part, i) => new ListedPart { Number = part.Number > 0 ? part.Number : first + i, Length = part.LengthBytes, Checksum = part.Checksum }),
        ];
        return new Page<ListedPart>(PageRules.StoredParts, string.Empty, inOrder, list.IsTrue("IsTruncated"), NextPart(list), after) { ETag = attributes.ETag };
    }

    /// <summary>
    /// Gets the parts of an incomplete upload, or of an object (Amazon S3 API Reference, "ListParts" and "GetObjectAttributes"), in the order of the store. A number
    /// that the store didn't return is 0, and a length is -1.
    /// </summary>
    private static List<SentPart> PartsIn(ResponseElement list)
        => [.. list.Children("Part").Select(static part => new SentPart(part.PartNumber("PartNumber") ?? 0, part.Number("Size") ?? -1, part.ETag, part.Checksum))];

    private static PageMarker? NextPart(ResponseElement list)
        => list.PartNumber("NextPartNumberMarker") is { } number ? new PageMarker(number.ToString(CultureInfo.InvariantCulture)) : null;

    private static UnfinishedUpload ToUpload(ResponseElement upload, bool isEncoded)
        => new() { Key = GetKey(upload, "Key", isEncoded), UploadId = upload.Exact("UploadId") ?? throw new XmlException("An upload has no ID."), Initiated = upload.Time("Initiated") };

    private static string GetKey(ResponseElement item, string name, bool isEncoded)
        => item.Exact(name) is { Length: > 0 } key ? Decode(key, isEncoded) : throw new XmlException($"The list contains an item without a {name}.");

    private static bool IsEncoded(string? key) => key.AsSpan().ContainsAny('%', '+');

    // "+" is a space and "%2B" a plus: the form encoding.
    private static string Decode(string text, bool isEncoded) => isEncoded && IsEncoded(text) ? WebUtility.UrlDecode(text) : text;
}
