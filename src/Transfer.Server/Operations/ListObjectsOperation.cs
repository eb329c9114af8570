using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Operations;

/// <summary>Lists objects with version 1 of the API, which uses markers for paging.</summary>
internal static class ListObjectsOperation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        var listing = new Listing(exchange, "max-keys", hasOwners: true);
        string? marker = exchange.Target.Query["marker"];
        var (page, objects) = exchange.Bucket.List(listing.Prefix, listing.Delimiter, marker, listing.GetGroup(marker), listing.Maximum);
        return exchange.AnswerXmlAsync("ListBucketResult", writer =>
        {
            writer.Element("Name", exchange.Target.Bucket);
            writer.Element("Prefix", listing.Encode(listing.Prefix));
            writer.Element("Marker", listing.Encode(marker ?? string.Empty));
            if (page.Next is not null && listing.Delimiter.Length > 0)
            {
                writer.Element("NextMarker", listing.Encode(page.Next.Value.Text));
            }

            writer.Element("MaxKeys", listing.Maximum);
            writer.Element("Delimiter", listing.Delimiter.Length > 0 ? listing.Encode(listing.Delimiter) : null);
            writer.Element("EncodingType", listing.EncodingType);
            writer.Element("IsTruncated", page.Next is not null);
            listing.WriteEntries(writer, page, objects);
        });
    }
}
