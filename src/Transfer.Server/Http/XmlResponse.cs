using System.Text;
using System.Xml;

namespace Transfer.S3.Server.Http;

/// <summary>Writes the XML bodies of responses.</summary>
internal static class XmlResponse
{
    private const string Namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

    // Keys can contain characters that XML 1.0 doesn't allow. S3 writes them as character references. Clients avoid that with encoding-type=url.
    private static readonly XmlWriterSettings Settings = new()
    {
        Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false),
        CheckCharacters = false,
        NewLineHandling = NewLineHandling.Entitize,
        CloseOutput = false,
    };

    public static string Timestamp(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'");

    public static string QuotedETag(string etag) => $"\"{etag}\"";

    public static ReadOnlyMemory<byte> Document(string root, bool withNamespace, Action<XmlWriter> content)
    {
        var buffer = new MemoryStream();
        using (XmlWriter writer = XmlWriter.Create(buffer, Settings))
        {
            if (withNamespace)
            {
                writer.WriteStartElement(root, Namespace);
            }
            else
            {
                writer.WriteStartElement(root);
            }

            content(writer);
            writer.WriteEndElement();
        }

        return buffer.GetBuffer().AsMemory(0, (int)buffer.Length);
    }

    /// <summary>Writes an element with text, or nothing if the text is null.</summary>
    public static void Element(this XmlWriter writer, string name, string? text)
    {
        if (text is not null)
        {
            writer.WriteStartElement(name);
            writer.WriteString(text);
            writer.WriteEndElement();
        }
    }

    public static void Element(this XmlWriter writer, string name, long value) => writer.Element(name, value.ToString());

    public static void Element(this XmlWriter writer, string name, bool value) => writer.Element(name, value ? "true" : "false");
}
