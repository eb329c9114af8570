using System.Globalization;
using System.Net;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>Parses one page of a listing (Amazon S3 API Reference, "ListObjectsV2").</summary>
internal static class ListResponse
{
    /// <summary>The maximum size of a page: far more than 1,000 keys of 1,024 bytes need, however they are escaped.</summary>
    public const int MaxBytes = 8 * 1024 * 1024;

    /// <summary>The storage class of most objects.</summary>
    private const string Standard = "STANDARD";

    private static readonly XmlReaderSettings Settings = S3ResponseXml.Settings(MaxBytes);

    /// <exception cref="WireException">Thrown when the response isn't a listing, or is incomplete.</exception>
    public static Page<ListedObject> Read(HttpResponseMessage response, ListQuery query, PageEnd? before, Stream body)
    {
        try
        {
            using XmlReader reader = XmlReader.Create(body, Settings);
            if (reader.MoveToContent() != XmlNodeType.Element || reader.LocalName != "ListBucketResult")
            {
                throw new WireException(FailureKind.Final, "the endpoint did not respond with a listing: is it an S3 endpoint?")
                {
                    StatusCode = response.StatusCode,
                    RequestId = S3ResponseHeaders.RequestId(response),
                };
            }

            return ReadPage(reader, query, before);
        }
        catch (XmlException e)
        {
            S3ResponseHeaders.Origin(response).RejectWebPage();
            throw new WireException(FailureKind.Transient, $"the listing is incomplete or invalid: {e.Message}", e)
            {
                StatusCode = response.StatusCode,
                RequestId = S3ResponseHeaders.RequestId(response),
            };
        }
    }

    private static Page<ListedObject> ReadPage(XmlReader reader, ListQuery query, PageEnd? before)
    {
        List<ListedObject> prefixes = [];
        List<ListedObject> objects = new(1000);
        bool isCut = false;
        bool isEncoded = false;
        string? next = null;
        bool isEmpty = reader.IsEmptyElement;
        reader.Read();
        while (reader.NodeType == XmlNodeType.Element)
        {
            switch (reader.LocalName)
            {
                case "Contents":
                    objects.Add(ReadObject(reader));
                    break;
                case "CommonPrefixes":
                    prefixes.Add(ReadPrefix(reader));
                    break;
                case "IsTruncated":
                    isCut = bool.TryParse(S3ResponseXml.Exact(reader), out bool value) && value;
                    break;
                case "NextContinuationToken":
                    next = S3ResponseXml.Exact(reader);
                    break;
                case "EncodingType":
                    isEncoded = S3ResponseXml.Exact(reader) == "url";
                    break;
                default:
                    S3ResponseXml.Skip(reader);
                    break;
            }
        }

        if (!isEmpty && reader.NodeType != XmlNodeType.EndElement)
        {
            throw new XmlException("The listing contains unexpected content.");
        }

        if (prefixes.Count > 0)
        {
            objects.InsertRange(0, prefixes);
        }

        // "+" is a space and "%2B" a plus: the form encoding.
        for (int i = 0; isEncoded && i < objects.Count; i++)
        {
            if (objects[i].Key.AsSpan().ContainsAny('+', '%'))
            {
                objects[i] = objects[i] with { Key = WebUtility.UrlDecode(objects[i].Key) };
            }
        }

        return new Page<ListedObject>(PageRules.ObjectsOf(query.Bucket), query.Prefix, objects, isCut, next is null ? null : new PageMarker(next), before);
    }

    private static ListedObject ReadObject(XmlReader reader)
    {
        string key = string.Empty;
        long? length = null;
        string? etag = null;
        DateTimeOffset? lastModified = null;
        string? storageClass = null;
        if (reader.IsEmptyElement)
        {
            throw new XmlException("An object is empty.");
        }

        reader.Read();
        while (reader.NodeType == XmlNodeType.Element)
        {
            switch (reader.LocalName)
            {
                case "Key":
                    key = S3ResponseXml.Exact(reader);
                    break;
                case "Size":
                    length = long.TryParse(S3ResponseXml.Exact(reader), NumberStyles.None, CultureInfo.InvariantCulture, out long size)
                        ? size
                        : throw new XmlException("The size of an object is not a number.");
                    break;
                case "ETag":
                    etag = S3ResponseXml.ETag(reader);
                    break;
                case "LastModified":
                    lastModified = DateTimeOffset.TryParse(
                        S3ResponseXml.Exact(reader), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
                    break;
                case "StorageClass":
                    storageClass = S3ResponseXml.Exact(reader) is { Length: > 0 } name ? name == Standard ? Standard : name : null;
                    break;
                default:
                    S3ResponseXml.Skip(reader);
                    break;
            }
        }

        if (reader.NodeType != XmlNodeType.EndElement || key.Length == 0 || length is null)
        {
            throw new XmlException("An object has no key, no size, or unexpected content.");
        }

        reader.Read();
        return new ListedObject(key, length.Value, etag, lastModified) { StorageClass = storageClass };
    }

    private static ListedObject ReadPrefix(XmlReader reader)
    {
        string prefix = string.Empty;
        bool isEmpty = reader.IsEmptyElement;
        reader.Read();
        while (!isEmpty && reader.NodeType == XmlNodeType.Element)
        {
            if (reader.LocalName == "Prefix")
            {
                prefix = S3ResponseXml.Exact(reader);
            }
            else
            {
                S3ResponseXml.Skip(reader);
            }
        }

        if (reader.NodeType != XmlNodeType.EndElement || prefix.Length == 0)
        {
            throw new XmlException("A common prefix is empty, or has unexpected content.");
        }

        reader.Read();
        return new ListedObject(prefix, 0, null, null) { IsPrefix = true };
    }
}
