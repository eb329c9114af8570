using System.Text;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>
/// The content of an XML response, to the creation or completion of a multipart upload, or with the attributes of an object. It can be an error although its
/// status is 200.
/// </summary>
internal readonly record struct XmlResponse(string? UploadId, string? ETag, string? VersionId, StoredChecksum? Checksum, string? RequestId)
{
    /// <summary>The maximum size of a response: far more than any of them needs, including leading whitespace.</summary>
    public const int MaxBytes = 1024 * 1024;

    private static readonly XmlReaderSettings Settings = S3ResponseXml.Settings(MaxBytes);

    /// <summary>Gets the location of an object that was uploaded in parts.</summary>
    public string? Location { get; init; }

    /// <summary>Gets the original response, of which only the headers are still available.</summary>
    public HttpResponseMessage? Response { get; init; }

    /// <summary>Gets the origin of the response. Its root element shows that it is a store.</summary>
    public StoreResponse Origin => new(Response!.StatusCode, RequestId, ContentType: null, IsOfStore: true);

    /// <param name="response">The response.</param>
    /// <param name="body">Its body.</param>
    /// <param name="root">The beginning of the name of its root element.</param>
    /// <exception cref="WireException">Thrown when the response is an error, is incomplete, or isn't that of a store, so that the outcome isn't known.</exception>
    public static XmlResponse Parse(HttpResponseMessage response, ReadOnlySpan<byte> body, string root)
    {
        try
        {
            if (HttpErrors.InBody(response, body) is { } error)
            {
                throw error;
            }

            return Read(response, Encoding.UTF8.GetString(body).Trim(), root);
        }
        catch (XmlException e)
        {
            throw new WireException(FailureKind.Transient, $"the response is incomplete, or is not an S3 response: {e.Message}", e) { StatusCode = response.StatusCode, RequestId = S3ResponseHeaders.RequestId(response) };
        }
    }

    private static XmlResponse Read(HttpResponseMessage response, string text, string root)
    {
        XmlResponse answer = new(null, null, S3ResponseHeaders.Get(response, "x-amz-version-id"), null, S3ResponseHeaders.RequestId(response)) { Response = response };
        ChecksumAlgorithm algorithm = ChecksumAlgorithm.None;
        string? value = null;
        bool composite = false;
        using XmlReader reader = XmlReader.Create(new StringReader(text), Settings);
        reader.MoveToContent();
        S3ResponseXml.CheckRoot(reader, root);
        reader.Read();
        while (!reader.EOF)
        {
            if (reader.NodeType != XmlNodeType.Element)
            {
                reader.Read();
                continue;
            }

            string name = reader.LocalName;
            if (name == "Checksum")
            {
                reader.Read(); // its child elements contain the values
                continue;
            }

            ChecksumAlgorithm candidate = S3ResponseXml.AlgorithmOf(name);
            if (candidate == default && name is not ("UploadId" or "ETag" or "Location" or "ChecksumType"))
            {
                S3ResponseXml.Skip(reader); // and its content, such as parts, which have their own checksums
                continue;
            }

            if (name == "ETag")
            {
                answer = answer with { ETag = S3ResponseXml.ETag(reader) };
                continue;
            }

            string content = S3ResponseXml.Exact(reader).Trim();
            switch (name)
            {
                case "UploadId":
                    answer = answer with { UploadId = content is "" ? null : content };
                    break;
                case "Location":
                    answer = answer with { Location = content };
                    break;
                case "ChecksumType":
                    composite = content.Equals("COMPOSITE", StringComparison.OrdinalIgnoreCase);
                    break;
                default:
                    (algorithm, value) = content.Length > 0 ? (candidate, content) : (algorithm, value);
                    break;
            }
        }

        return value is null ? answer : answer with { Checksum = new StoredChecksum(algorithm, value, composite || value.Contains('-', StringComparison.Ordinal)) };
    }
}
