using System.Xml;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Returns the size, parts, and checksum of an object without its content.</summary>
internal static class GetObjectAttributesOperation
{
    private static readonly string[] Known = ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"];

    public static Task AnswerAsync(S3Exchange exchange)
    {
        string header = exchange.Header("x-amz-object-attributes") ?? string.Empty;
        string[] wanted = header.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        if (wanted.Length == 0 || Array.Exists(wanted, static name => !Known.Contains(name)))
        {
            throw S3Errors.InvalidArgument("Invalid attribute name specified.", "x-amz-object-attributes", header);
        }

        StoredObject value = exchange.Bucket.Get(exchange.Key, exchange.Target.VersionId);
        CustomerKeys.CheckRead(exchange, value.Attributes);
        if (ReadCondition.From(exchange).Failed(value) is string failed)
        {
            throw S3Errors.PreconditionFailed(failed);
        }

        int maximum = Integer(exchange, "x-amz-max-parts") ?? ServerDefaults.MaximumPageEntries;
        int marker = Integer(exchange, "x-amz-part-number-marker") ?? 0;
        exchange.Http.Response.Headers.LastModified = HttpDate.Format(value.LastModified);
        ObjectHeaders.WriteVersion(exchange.Http.Response.Headers, value.VersionId);
        return exchange.AnswerXmlAsync("GetObjectAttributesResponse", writer =>
        {
            writer.Element("ETag", wanted.Contains("ETag") ? value.ETag : null);
            bool tells = exchange.Server.Options.ReturnChecksums;
            if (tells && wanted.Contains("Checksum"))
            {
                writer.WriteStartElement("Checksum");
                writer.Element(value.Checksum.Info.ElementName, value.Checksum.ValueWithoutCount);
                writer.Element("ChecksumType", value.Checksum.Type.ApiName());
                writer.WriteEndElement();
            }

            if (tells && wanted.Contains("ObjectParts") && value.Parts.Count > 0)
            {
                WriteParts(writer, value, marker, Math.Min(maximum, ServerDefaults.MaximumPageEntries));
            }

            writer.Element("StorageClass", wanted.Contains("StorageClass") ? value.StorageClass : null);
            if (wanted.Contains("ObjectSize"))
            {
                writer.Element("ObjectSize", value.Size);
            }
        });
    }

    private static int? Integer(S3Exchange exchange, string header)
    {
        string? text = exchange.Header(header);
        return text is null
            ? null
            : int.TryParse(text, System.Globalization.NumberStyles.None, provider: null, out int value)
                ? value
                : throw S3Errors.InvalidArgument($"{header} must be an integer", header, text);
    }

    private static void WriteParts(XmlWriter writer, StoredObject value, int marker, int maximum)
    {
        List<ObjectPart> page = [.. value.Parts.Where(part => part.Number > marker).Take(maximum)];
        int last = page.Count == 0 ? marker : page[^1].Number;
        writer.WriteStartElement("ObjectParts");
        writer.Element("PartsCount", value.Parts.Count);
        writer.Element("PartNumberMarker", marker);
        writer.Element("NextPartNumberMarker", last);
        writer.Element("MaxParts", maximum);
        writer.Element("IsTruncated", maximum > 0 && last < value.Parts[^1].Number);
        foreach (ObjectPart part in page)
        {
            writer.WriteStartElement("Part");
            writer.Element("PartNumber", part.Number);
            writer.Element("Size", part.Size);
            writer.Element(value.Checksum.Info.ElementName, part.Checksum);
            writer.WriteEndElement();
        }

        writer.WriteEndElement();
    }
}
