using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Returns the tags of an object.</summary>
internal static class GetObjectTaggingOperation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        StoredObject value = exchange.Bucket.Get(exchange.Key, exchange.Target.VersionId);
        return exchange.AnswerXmlAsync("Tagging", writer =>
        {
            writer.WriteStartElement("TagSet");
            foreach ((string key, string text) in value.Attributes.Tags)
            {
                writer.WriteStartElement("Tag");
                writer.Element("Key", key);
                writer.Element("Value", text);
                writer.WriteEndElement();
            }

            writer.WriteEndElement();
        });
    }
}
