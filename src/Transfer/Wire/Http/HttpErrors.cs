using System.Globalization;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>Reads an answer that is not a success. Its body is bounded, and XML without document types.</summary>
internal static class HttpErrors
{
    private const int MaxBodyBytes = 64 * 1024;
    private static readonly XmlReaderSettings Settings = new() { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, MaxCharactersInDocument = MaxBodyBytes };

    public static async Task<WireException> ReadAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        string? code = null;
        string? message = null;
        string? requestId = AnswerHeaders.RequestId(response);
        try
        {
            byte[] body = await ReadBoundedAsync(response, cancellationToken).ConfigureAwait(false);
            (code, message, string? id) = Parse(body);
            requestId ??= id;
        }
        catch (Exception e) when (e is XmlException or IOException or HttpRequestException)
        {
            // The status alone has to do.
        }

        bool isS3 = code is not null || requestId is not null || AnswerHeaders.Get(response, "x-amz-id-2") is not null;
        string text = !isS3 ? ErrorKinds.NotS3(response.StatusCode)
            : code is null ? string.Create(CultureInfo.InvariantCulture, $"status {(int)response.StatusCode} ({response.ReasonPhrase})")
            : string.IsNullOrEmpty(message) ? code : $"{code}: {message}";
        return new WireException(ErrorKinds.Of(response.StatusCode, code), text) { StatusCode = response.StatusCode, ErrorCode = code, RequestId = requestId };
    }

    /// <summary>The code, message and request id of an S3 error; nulls where the text is none.</summary>
    internal static (string? Code, string? Message, string? RequestId) Parse(ReadOnlySpan<byte> body)
    {
        string text = System.Text.Encoding.UTF8.GetString(body).Trim();
        if (text.Length == 0 || text[0] != '<')
        {
            return default;
        }

        string? code = null;
        string? message = null;
        string? requestId = null;
        using XmlReader reader = XmlReader.Create(new StringReader(text), Settings);
        if (reader.MoveToContent() != XmlNodeType.Element || reader.LocalName != "Error")
        {
            return default;
        }

        reader.Read();
        while (!reader.EOF)
        {
            if (reader.NodeType != XmlNodeType.Element)
            {
                reader.Read();
                continue;
            }

            switch (reader.LocalName)
            {
                case "Code":
                    code = reader.ReadElementContentAsString().Trim();
                    break;
                case "Message":
                    message = reader.ReadElementContentAsString().Trim();
                    break;
                case "RequestId":
                    requestId = reader.ReadElementContentAsString().Trim();
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }

        return (string.IsNullOrEmpty(code) ? null : code, message, requestId);
    }

    private static async Task<byte[]> ReadBoundedAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        byte[] body = new byte[MaxBodyBytes];
        int count = await stream.ReadAtLeastAsync(body, body.Length, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false);
        return body[..count];
    }
}
