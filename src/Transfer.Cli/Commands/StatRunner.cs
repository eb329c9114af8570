using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Reads the properties of an object, and its parts.</summary>
internal sealed class StatRunner(Location address, ObjectAccessOptions options, TransferClient client, Invocation invocation)
{
    public async Task RunAsync(bool withParts, CancellationToken cancellationToken)
    {
        ObjectInfo info = await client.GetInfoAsync(address.Bucket, address.Key, options, cancellationToken).ConfigureAwait(false);
        StatWriter writer = new(invocation);
        ObjectPropertiesJson properties = Convert(info);
        writer.Object(address, properties);
        invocation.Tally.Objects = 1;
        if (!withParts)
        {
            return;
        }

        long listed = 0;
        ObjectAccessOptions ofVersion = options with { VersionId = options.VersionId ?? (info.VersionId == "null" ? null : info.VersionId) };
        await foreach (ListedPart part in client.ListPartsAsync(address.Bucket, address.Key, ofVersion, cancellationToken).ConfigureAwait(false))
        {
            listed++;
            writer.Part(new ObjectPartJson(part.Number, part.Length, StoredChecksumJson.From(part.Checksum)));
        }

        if (listed == 0 && properties.Parts is { } count)
        {
            invocation.Warning($"the store does not list the {Units.Count(count, "part", "parts")} of the object");
        }
    }

    private ObjectPropertiesJson Convert(ObjectInfo info) => new()
    {
        Key = address.Key,
        Size = info.Length,
        LastModified = info.LastModified,
        ETag = info.ETag,
        VersionId = info.VersionId,
        StorageClass = info.StorageClass ?? "STANDARD",
        ContentType = info.ContentType,
        ContentEncoding = info.ContentEncoding,
        ContentLanguage = info.ContentLanguage,
        ContentDisposition = info.ContentDisposition,
        CacheControl = info.CacheControl,
        Expires = info.ExpiresText,
        Encryption = info.Encryption,
        Restore = info.Restore switch
        {
            { IsInProgress: true } => "in progress",
            { Until: { } until } => $"until {until.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC",
            _ => null,
        },
        Checksum = StoredChecksumJson.From(info.Checksum),
        Parts = GetPartCount(info.ETag),
        Tags = info.TagCount is > 0 ? info.TagCount : null,
        Metadata = info.Metadata.ToDictionary(),
    };

    /// <summary>Gets the number of parts from an ETag such as "0123…-3".</summary>
    private static int? GetPartCount(string? etag)
        => etag?.Trim('"').Split('-') is [_, { } count] && int.TryParse(count, out int parts) && parts > 0 ? parts : null;
}
