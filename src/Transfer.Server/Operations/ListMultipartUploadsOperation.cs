using System.Xml;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Lists incomplete uploads by key and age.</summary>
internal static class ListMultipartUploadsOperation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        QueryParameters query = exchange.Target.Query;
        var listing = new Listing(exchange, "max-uploads", hasOwners: true);
        string keyMarker = query["key-marker"] ?? string.Empty;
        string uploadIdMarker = query["upload-id-marker"] ?? string.Empty;
        UploadPage page = UploadPage.Take(exchange.Bucket.Uploads(listing.Prefix), listing, keyMarker, uploadIdMarker);
        return exchange.AnswerXmlAsync("ListMultipartUploadsResult", writer =>
        {
            writer.Element("Bucket", exchange.Target.Bucket);
            writer.Element("KeyMarker", listing.Encode(keyMarker));
            writer.Element("UploadIdMarker", uploadIdMarker);
            if (page.IsTruncated)
            {
                writer.Element("NextKeyMarker", listing.Encode(page.NextKeyMarker));
                writer.Element("NextUploadIdMarker", page.NextUploadIdMarker);
            }

            writer.Element("Prefix", listing.Encode(listing.Prefix));
            writer.Element("Delimiter", listing.Delimiter.Length > 0 ? listing.Encode(listing.Delimiter) : null);
            writer.Element("EncodingType", listing.EncodingType);
            writer.Element("MaxUploads", listing.Maximum);
            writer.Element("IsTruncated", page.IsTruncated);
            foreach (MultipartUpload upload in page.Uploads)
            {
                WriteUpload(writer, listing, upload);
            }

            listing.WriteGroups(writer, page.Groups);
        });
    }

    private static void WriteUpload(XmlWriter writer, Listing listing, MultipartUpload upload)
    {
        writer.WriteStartElement("Upload");
        writer.Element("Key", listing.Encode(upload.Key));
        writer.Element("UploadId", upload.UploadId);
        listing.WriteInitiator(writer);
        writer.Element("StorageClass", upload.Attributes.StorageClass ?? ServerDefaults.DefaultStorageClass);
        writer.Element("Initiated", XmlResponse.Timestamp(upload.Initiated));
        writer.Element("ChecksumAlgorithm", ChecksumInfo.Get(upload.Checksum.Algorithm).ApiName);
        writer.Element("ChecksumType", upload.Checksum.Type.ApiName());
        writer.WriteEndElement();
    }
}
