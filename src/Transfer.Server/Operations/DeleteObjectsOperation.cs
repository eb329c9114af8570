using System.Text;
using System.Xml;
using Transfer.Server.Http;
using Transfer.Server.Storage;

namespace Transfer.Server.Operations;

/// <summary>Deletes up to 1,000 objects. Each has its own result.</summary>
internal static class DeleteObjectsOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        ReadOnlyMemory<byte> body = await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false);
        (List<Entry> entries, bool quiet) = Parse(body);
        List<(Entry Entry, S3Exception? Error)> results = entries.ConvertAll(entry => (entry, Delete(bucket, entry)));
        await exchange.AnswerXmlAsync("DeleteResult", writer =>
        {
            foreach ((Entry entry, S3Exception? error) in results)
            {
                WriteResult(writer, entry, error, quiet);
            }
        }).ConfigureAwait(false);
    }

    private static (List<Entry> Entries, bool Quiet) Parse(ReadOnlyMemory<byte> body)
    {
        var entries = new List<Entry>();
        bool quiet = false;
        XmlRequest.Read(body, "Delete", "Object", () => entries.Add(new Entry()), (name, text) =>
        {
            if (name == "Quiet")
            {
                quiet = text.Trim() == "true";
                return;
            }

            Entry entry = entries.Count > 0 ? entries[^1] : throw S3Errors.MalformedXml();
            switch (name)
            {
                case "Key":
                    entry.Key = text;
                    break;
                case "VersionId":
                    entry.VersionId = text;
                    break;
                case "ETag":
                    entry.ETag = text;
                    break;
                default:
                    throw S3Errors.NotImplemented(name);
            }
        });
        return entries.Count is 0 or > ServerDefaults.MaximumDeleteKeys || entries.Exists(static entry => entry.Key.Length == 0)
            ? throw S3Errors.MalformedXml()
            : (entries, quiet);
    }

    private static S3Exception? Delete(Bucket bucket, Entry entry)
    {
        if (entry.VersionId is not (null or "null"))
        {
            return new S3Exception(404, "NoSuchVersion", "The specified version does not exist.");
        }

        int bytes = Encoding.UTF8.GetByteCount(entry.Key);
        if (bytes > ServerDefaults.MaximumKeyBytes)
        {
            return S3Errors.KeyTooLong(bytes);
        }

        try
        {
            bucket.Delete(entry.Key, entry.ETag);
            return null;
        }
        catch (S3Exception exception)
        {
            return exception;
        }
    }

    private static void WriteResult(XmlWriter writer, Entry entry, S3Exception? error, bool quiet)
    {
        if (error is null && quiet)
        {
            return;
        }

        writer.WriteStartElement(error is null ? "Deleted" : "Error");
        writer.Element("Key", entry.Key);
        writer.Element("VersionId", entry.VersionId);
        writer.Element("Code", error?.Code);
        writer.Element("Message", error?.Message);
        writer.WriteEndElement();
    }

    private sealed class Entry
    {
        public string Key { get; set; } = string.Empty;

        public string? VersionId { get; set; }

        public string? ETag { get; set; }
    }
}
