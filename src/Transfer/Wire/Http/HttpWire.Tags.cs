using System.Xml;

namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<IReadOnlyDictionary<string, string>> GetTagsAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, address.Key);
        request.Query("tagging", string.Empty);
        request.Query("versionId", address.VersionId);
        request.Header("Accept-Encoding", "identity");
        AddPayer(request, address);
        Dictionary<string, string> tags = [];
        await SendForElementsAsync(address.Bucket, request, "Tagging", tags, ReadTagSet, cancellationToken).ConfigureAwait(false);
        return tags;
    }

    private static bool ReadTagSet(Dictionary<string, string> tags, XmlReader reader)
    {
        if (reader.LocalName != "TagSet")
        {
            return false;
        }

        S3ResponseXml.ReadChildren(reader, tags, ReadTag);
        return true;
    }

    private static bool ReadTag(Dictionary<string, string> tags, XmlReader reader)
    {
        if (reader.LocalName != "Tag")
        {
            return false;
        }

        Dictionary<string, string> tag = [];
        S3ResponseXml.ReadChildren(reader, tag, static (tag, reader) =>
        {
            string name = reader.LocalName;
            tag[name] = reader.ReadElementContentAsString();
            return true;
        });
        tags[tag.GetValueOrDefault("Key") ?? throw new XmlException("A tag has no key.")] = tag.GetValueOrDefault("Value", string.Empty);
        return true;
    }

    /// <summary>Sends a request, and reads the child elements of the response's root element.</summary>
    /// <param name="bucket">The bucket.</param>
    /// <param name="request">The request.</param>
    /// <param name="root">The beginning of the name of the root element.</param>
    /// <param name="into">What the elements are read into.</param>
    /// <param name="readChild">Reads one element; see <see cref="S3ResponseXml.ReadChildren"/>.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The time of the response by the clock of the store.</returns>
    private async Task<DateTimeOffset?> SendForElementsAsync<T>(
        string bucket, SignedRequest request, string root, T into, Func<T, XmlReader, bool> readChild, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await SendAsync(bucket, request, cancellationToken).ConfigureAwait(false);
        byte[] body = await ReadBodyAsync(response, ListResponse.MaxBytes, cancellationToken).ConfigureAwait(false);
        try
        {
            S3ResponseXml.Read(response, body, root, into, readChild);
            return response.Headers.Date;
        }
        catch (XmlException e)
        {
            S3ResponseHeaders.Origin(response).RejectWebPage();
            throw new WireException(FailureKind.Transient, $"the response is incomplete, or is not an S3 response: {e.Message}", e)
            {
                StatusCode = response.StatusCode,
                RequestId = S3ResponseHeaders.RequestId(response),
            };
        }
    }

    /// <summary>Reads a whole body. An XML reader would wait for its stream without a token.</summary>
    private static async Task<byte[]> ReadBodyAsync(HttpResponseMessage response, int maxBytes, CancellationToken cancellationToken)
    {
        try
        {
            await response.Content.LoadIntoBufferAsync(maxBytes, cancellationToken).ConfigureAwait(false);
            return await response.Content.ReadAsByteArrayAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw Translate(e, cancellationToken);
        }
    }
}
