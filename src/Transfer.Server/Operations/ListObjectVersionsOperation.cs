using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Lists versions and delete markers by key, and those of a key from the newest to the oldest.</summary>
internal static class ListObjectVersionsOperation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        QueryParameters query = exchange.Target.Query;
        var listing = new Listing(exchange, "max-keys", hasOwners: true);
        string? keyMarker = NullIfEmpty(query["key-marker"]);
        string? idMarker = NullIfEmpty(query["version-id-marker"]);
        if (idMarker is not null && keyMarker is null)
        {
            throw S3Errors.InvalidArgument("A version-id marker cannot be specified without a key marker.", "version-id-marker", idMarker);
        }

        VersionPage page = exchange.Bucket.ListVersions(
            listing.Prefix, listing.Delimiter, keyMarker, idMarker, idMarker is null ? listing.GetGroup(keyMarker) : null, listing.Maximum);
        return exchange.AnswerXmlAsync("ListVersionsResult", writer =>
        {
            writer.Element("Name", exchange.Target.Bucket);
            writer.Element("Prefix", listing.Encode(listing.Prefix));
            writer.Element("KeyMarker", listing.Encode(keyMarker ?? string.Empty));
            writer.Element("VersionIdMarker", idMarker ?? string.Empty);
            writer.Element("NextKeyMarker", page.IsTruncated ? listing.Encode(page.NextKey) : null);
            writer.Element("NextVersionIdMarker", page.IsTruncated ? page.NextId : null);
            writer.Element("MaxKeys", listing.Maximum);
            writer.Element("Delimiter", listing.Delimiter.Length > 0 ? listing.Encode(listing.Delimiter) : null);
            writer.Element("EncodingType", listing.EncodingType);
            writer.Element("IsTruncated", page.IsTruncated);
            foreach ((KeyVersion version, bool isLatest) in page.Versions)
            {
                listing.WriteVersion(writer, version, isLatest);
            }

            listing.WriteGroups(writer, page.Groups);
        });
    }

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
