using System.Xml;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Lists the parts of an incomplete upload by part number.</summary>
internal static class ListPartsOperation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        QueryParameters query = exchange.Target.Query;
        int maximum = Math.Min(query.Integer("max-parts", 0, int.MaxValue) ?? ServerDefaults.MaximumPageEntries, ServerDefaults.MaximumPageEntries);
        int marker = query.Integer("part-number-marker", 0, int.MaxValue) ?? 0;
        MultipartUpload upload = exchange.Bucket.Upload(query["uploadId"]!, exchange.Key);
        List<StoredPart> rest = [.. upload.Parts().Where(part => part.Number > marker)];
        List<StoredPart> page = [.. rest.Take(maximum)];
        return exchange.AnswerXmlAsync("ListPartsResult", writer =>
        {
            writer.Element("Bucket", exchange.Target.Bucket);
            writer.Element("Key", upload.Key);
            writer.Element("UploadId", upload.UploadId);
            Listing.WriteOwner(writer, "Initiator", exchange.Server.Options.AccessKeyId);
            Listing.WriteOwner(writer, "Owner", exchange.Server.Options.AccessKeyId);
            writer.Element("StorageClass", upload.Attributes.StorageClass ?? ServerDefaults.DefaultStorageClass);
            writer.Element("PartNumberMarker", marker);
            writer.Element("NextPartNumberMarker", page.Count == 0 ? 0 : page[^1].Number);
            writer.Element("MaxParts", maximum);
            writer.Element("IsTruncated", maximum > 0 && page.Count < rest.Count);
            writer.Element("ChecksumAlgorithm", ChecksumInfo.Get(upload.Checksum.Algorithm).ApiName);
            writer.Element("ChecksumType", upload.Checksum.Type.ApiName());
            page.ForEach(part => WritePart(writer, upload, part));
        });
    }

    private static void WritePart(XmlWriter writer, MultipartUpload upload, StoredPart part)
    {
        ChecksumAlgorithm algorithm = upload.Checksum.Algorithm;
        writer.WriteStartElement("Part");
        writer.Element("PartNumber", part.Number);
        writer.Element("LastModified", XmlResponse.Timestamp(part.LastModified));
        writer.Element("ETag", XmlResponse.QuotedETag(part.ETag));
        writer.Element("Size", part.Size);
        writer.Element(ChecksumInfo.Get(algorithm).ElementName, part.GetChecksum(algorithm));
        writer.WriteEndElement();
    }
}
