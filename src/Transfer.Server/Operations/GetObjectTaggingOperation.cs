using System.Xml;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Returns the tags of an object.</summary>
internal static class GetObjectTaggingOperation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        StoredObject value = exchange.Bucket.Get(exchange.Key, exchange.Target.VersionId);
        ObjectHeaders.WriteVersion(exchange.Http.Response.Headers, value.VersionId);
        return exchange.AnswerXmlAsync("Tagging", writer => WriteTo(writer, value.Attributes.Tags));
    }

    public static void WriteTo(XmlWriter writer, IReadOnlyList<KeyValuePair<string, string>> tags)
    {
        writer.WriteStartElement("TagSet");
        foreach ((string key, string text) in tags)
        {
            writer.WriteStartElement("Tag");
            writer.Element("Key", key);
            writer.Element("Value", text);
            writer.WriteEndElement();
        }

        writer.WriteEndElement();
    }
}
