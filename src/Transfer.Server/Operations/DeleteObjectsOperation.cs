using System.Text;
using System.Xml;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Locks;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Deletes up to 1,000 objects. Each has its own result.</summary>
internal static class DeleteObjectsOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        ReadOnlyMemory<byte> body = await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false);
        (List<KeyDeletion> objects, bool quiet) = Parse(body);
        if (objects.Exists(static item => item.IfMatch is not null))
        {
            CheckConditions(exchange, objects);
        }

        bool bypassesGovernance = ObjectLockOperations.Bypasses(exchange);
        objects.ForEach(item => (item.Error, item.BypassesGovernance) = (Check(item), bypassesGovernance));
        bucket.Delete(objects.FindAll(static item => item.Error is null), exchange.Server.Now);
        await exchange.AnswerXmlAsync("DeleteResult", writer => objects.ForEach(item => WriteResult(writer, item, quiet))).ConfigureAwait(false);
    }

    private static (List<KeyDeletion> Entries, bool Quiet) Parse(ReadOnlyMemory<byte> body)
    {
        var entries = new List<KeyDeletion>();
        bool quiet = false;
        XmlRequest.Read(body, "Delete", "Object", () => entries.Add(new KeyDeletion()), (name, text) =>
        {
            if (name == "Quiet")
            {
                quiet = text.Trim() == "true";
                return;
            }

            KeyDeletion item = entries.Count > 0 ? entries[^1] : throw S3Errors.MalformedXml();
            switch (name)
            {
                case "Key":
                    item.Key = text;
                    break;
                case "VersionId":
                    item.VersionId = text;
                    break;
                case "ETag":
                    item.IfMatch = text;
                    break;
                default:
                    throw S3Errors.NotImplemented(name);
            }
        });
        return entries.Count is 0 or > ServerDefaults.MaximumDeleteKeys || entries.Exists(static item => item.Key.Length == 0)
            ? throw S3Errors.MalformedXml()
            : (entries, quiet);
    }

    private static void CheckConditions(S3Exchange exchange, List<KeyDeletion> objects)
    {
        if (exchange.Server.Abilities.Refuses(ServerAbility.BatchDeleteIfMatch))
        {
            throw S3Errors.NotImplemented("ETag");
        }

        if (exchange.Server.Abilities.Ignores(ServerAbility.BatchDeleteIfMatch))
        {
            objects.ForEach(static item => item.IfMatch = null);
        }
    }

    private static S3Exception? Check(KeyDeletion item)
    {
        int bytes = Encoding.UTF8.GetByteCount(item.Key);
        return item.VersionId is { } version && !KeyVersion.IsId(version) ? S3Errors.NoSuchVersion(item.Key, version)
            : bytes > ServerDefaults.MaximumKeyBytes ? S3Errors.KeyTooLong(bytes)
            : null;
    }

    private static void WriteResult(XmlWriter writer, KeyDeletion item, bool quiet)
    {
        S3Exception? error = item.Error;
        if (error is null && quiet)
        {
            return;
        }

        writer.WriteStartElement(error is null ? "Deleted" : "Error");
        writer.Element("Key", item.Key);
        writer.Element("VersionId", item.VersionId);
        if (item.IsDeleteMarker)
        {
            writer.Element("DeleteMarker", true);
            writer.Element("DeleteMarkerVersionId", item.DeletedId);
        }

        writer.Element("Code", error?.Code);
        writer.Element("Message", error?.Message);
        writer.WriteEndElement();
    }
}
