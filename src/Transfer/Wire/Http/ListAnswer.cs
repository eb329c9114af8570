using System.Globalization;
using System.Net;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>A page of a listing (Amazon S3 API Reference, "ListObjectsV2"), read as it arrives.</summary>
internal static class ListAnswer
{
    /// <summary>Far more than a thousand keys of 1,024 escaped bytes are.</summary>
    private const int MaxCharacters = 16 * 1024 * 1024;

    private static readonly XmlReaderSettings Settings = new()
    {
        Async = true,
        CloseInput = false,
        DtdProcessing = DtdProcessing.Prohibit,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
        MaxCharactersInDocument = MaxCharacters,
        XmlResolver = null,
    };

    /// <exception cref="WireException">It is no listing, or was cut.</exception>
    public static async Task<ObjectPage> ReadAsync(HttpResponseMessage response, Stream body, CancellationToken cancellationToken)
    {
        try
        {
            using XmlReader reader = XmlReader.Create(body, Settings);
            if (await reader.MoveToContentAsync().ConfigureAwait(false) != XmlNodeType.Element || reader.LocalName != "ListBucketResult")
            {
                throw new WireException(FailureKind.Final, "the endpoint did not answer with a listing: is it an S3 endpoint?")
                {
                    StatusCode = response.StatusCode,
                    RequestId = AnswerHeaders.RequestId(response),
                };
            }

            return await ReadPageAsync(reader, cancellationToken).ConfigureAwait(false);
        }
        catch (XmlException e)
        {
            throw new WireException(FailureKind.Transient, $"the listing broke off, or is none: {e.Message}", e)
            {
                StatusCode = response.StatusCode,
                RequestId = AnswerHeaders.RequestId(response),
            };
        }
    }

    private static async Task<ObjectPage> ReadPageAsync(XmlReader reader, CancellationToken cancellationToken)
    {
        List<ListedObject> objects = new(1000);
        bool isCut = false;
        bool isEncoded = false;
        string? next = null;
        await reader.ReadAsync().ConfigureAwait(false);
        while (reader.NodeType == XmlNodeType.Element)
        {
            switch (reader.LocalName)
            {
                case "Contents":
                    cancellationToken.ThrowIfCancellationRequested();
                    objects.Add(await ReadObjectAsync(reader).ConfigureAwait(false));
                    break;
                case "IsTruncated":
                    isCut = bool.TryParse(await TextAsync(reader).ConfigureAwait(false), out bool value) && value;
                    break;
                case "NextContinuationToken":
                    next = await TextAsync(reader).ConfigureAwait(false);
                    break;
                case "EncodingType":
                    isEncoded = await TextAsync(reader).ConfigureAwait(false) == "url";
                    break;
                default:
                    await reader.SkipAsync().ConfigureAwait(false);
                    break;
            }
        }

        if (reader.NodeType != XmlNodeType.EndElement)
        {
            throw new XmlException("The listing does not end.");
        }

        if (isEncoded)
        {
            // "+" is a space and "%2B" a plus: the form encoding.
            for (int i = 0; i < objects.Count; i++)
            {
                objects[i] = objects[i] with { Key = WebUtility.UrlDecode(objects[i].Key) };
            }
        }

        return new ObjectPage(objects, isCut && next is { Length: > 0 } ? next : null);
    }

    private static async Task<ListedObject> ReadObjectAsync(XmlReader reader)
    {
        string key = string.Empty;
        long length = 0;
        string? etag = null;
        DateTimeOffset? lastModified = null;
        await reader.ReadAsync().ConfigureAwait(false);
        while (reader.NodeType == XmlNodeType.Element)
        {
            switch (reader.LocalName)
            {
                case "Key":
                    key = await TextAsync(reader).ConfigureAwait(false);
                    break;
                case "Size":
                    length = long.TryParse(await TextAsync(reader).ConfigureAwait(false), NumberStyles.None, CultureInfo.InvariantCulture, out long size)
                        ? size
                        : throw new XmlException("An object's size is no number.");
                    break;
                case "ETag":
                    etag = await TextAsync(reader).ConfigureAwait(false) is { Length: > 0 } text ? text : null;
                    break;
                case "LastModified":
                    lastModified = DateTimeOffset.TryParse(
                        await TextAsync(reader).ConfigureAwait(false), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
                    break;
                default:
                    await reader.SkipAsync().ConfigureAwait(false);
                    break;
            }
        }

        await reader.ReadAsync().ConfigureAwait(false); // past the end of Contents
        return key.Length > 0 ? new ListedObject(key, length, etag, lastModified) : throw new XmlException("An object has no key.");
    }

    /// <summary>The element's text; the reader stands behind it then.</summary>
    private static Task<string> TextAsync(XmlReader reader) => reader.ReadElementContentAsStringAsync();
}
