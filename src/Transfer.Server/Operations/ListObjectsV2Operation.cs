using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Lists objects with version 2 of the API, which uses continuation tokens for paging.</summary>
internal static class ListObjectsV2Operation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        QueryParameters query = exchange.Target.Query;
        var listing = new Listing(exchange, "max-keys", hasOwners: query["fetch-owner"] == "true");
        string? token = query["continuation-token"];
        string? startAfter = query["start-after"];
        KeyEntry? last = token is null ? null : Listing.Entry(token);
        string? after = last is null ? startAfter : last.Value.Text;
        string? afterGroup = last is null ? listing.GetGroup(startAfter) : last is { IsGroup: true } ? last.Value.Text : null;
        var (page, objects) = exchange.Bucket.List(listing.Prefix, listing.Delimiter, after, afterGroup, listing.Maximum);
        return exchange.AnswerXmlAsync("ListBucketResult", writer =>
        {
            writer.Element("Name", exchange.Target.Bucket);
            writer.Element("Prefix", listing.Encode(listing.Prefix));
            writer.Element("ContinuationToken", token);
            writer.Element("NextContinuationToken", page.Next is KeyEntry next ? Listing.Token(next) : null);
            writer.Element("StartAfter", listing.Encode(startAfter));
            writer.Element("KeyCount", page.Entries.Count);
            writer.Element("MaxKeys", listing.Maximum);
            writer.Element("Delimiter", listing.Delimiter.Length > 0 ? listing.Encode(listing.Delimiter) : null);
            writer.Element("EncodingType", listing.EncodingType);
            writer.Element("IsTruncated", page.Next is not null);
            listing.WriteEntries(writer, page, objects);
        });
    }
}
