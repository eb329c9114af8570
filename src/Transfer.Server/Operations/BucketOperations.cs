using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Acls;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Locks;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Operations on buckets themselves.</summary>
internal static class BucketOperations
{
    private const string FirstRegion = "us-east-1";
    private const int MaximumBuckets = 10_000;
    private const string RegionHeader = "x-amz-bucket-region";

    public static Task ListAsync(S3Exchange exchange)
    {
        QueryParameters query = exchange.Target.Query;
        string prefix = query["prefix"] ?? string.Empty;
        int maximum = query.Integer("max-buckets", 1, MaximumBuckets) ?? MaximumBuckets;
        string after = query["continuation-token"] is { } token ? Listing.Entry(token).Text : string.Empty;
        List<Bucket> rest =
        [
            .. exchange.Server.Catalog.Buckets.Where(bucket => bucket.Name.StartsWith(prefix, StringComparison.Ordinal) && string.CompareOrdinal(bucket.Name, after) > 0),
        ];
        List<Bucket> buckets = [.. rest.Take(maximum)];
        return exchange.AnswerXmlAsync("ListAllMyBucketsResult", writer =>
        {
            Listing.WriteOwner(writer, "Owner", exchange.Server.Options.AccessKeyId);
            writer.WriteStartElement("Buckets");
            foreach (Bucket bucket in buckets)
            {
                writer.WriteStartElement("Bucket");
                writer.Element("Name", bucket.Name);
                writer.Element("CreationDate", XmlResponse.Timestamp(bucket.Created));
                writer.WriteEndElement();
            }

            writer.WriteEndElement();
            writer.Element("ContinuationToken", buckets.Count < rest.Count ? Listing.Token(new KeyEntry(buckets[^1].Name, IsGroup: false)) : null);
            writer.Element("Prefix", query["prefix"]);
        });
    }

    public static async Task CreateAsync(S3Exchange exchange)
    {
        string name = exchange.Target.Bucket!;
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers, takesAcl: exchange.Server.Options.AllowPublicAcls);
        if (!BucketName.IsValid(name))
        {
            throw S3Errors.InvalidBucketName(name);
        }

        string region = exchange.Server.Options.Region;
        string location = await ReadLocationAsync(exchange).ConfigureAwait(false);
        if (location != region && !(location.Length == 0 && region == FirstRegion))
        {
            throw S3Errors.IllegalLocationConstraint(location.Length == 0 ? "unspecified" : location);
        }

        string? acl = exchange.Server.Options.AllowPublicAcls ? CannedAcl.Parse(exchange.Header(CannedAcl.HeaderName)) : null;
        bool hasLock = string.Equals(exchange.Header("x-amz-bucket-object-lock-enabled"), "true", StringComparison.OrdinalIgnoreCase);
        if (hasLock)
        {
            VersioningOperations.ThrowIfInFolder(exchange);
        }

        // As in S3, creating an own bucket again succeeds in the first region, and resets its access control list.
        bool isNew = exchange.Server.Catalog.TryCreate(name, exchange.Server.Now);
        if (!isNew && (region != FirstRegion || hasLock))
        {
            throw S3Errors.BucketAlreadyOwnedByYou(name);
        }

        if (hasLock)
        {
            exchange.Bucket.SetVersioning(isEnabled: true);
            exchange.Bucket.Change(static settings => settings with { Lock = new BucketLock(Default: null) });
        }

        if (acl != exchange.Bucket.Settings.Acl)
        {
            exchange.Bucket.Change(settings => settings with { Acl = acl });
        }

        exchange.Http.Response.Headers.Location = "/" + name;
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    public static Task HeadAsync(S3Exchange exchange)
    {
        _ = exchange.Bucket;
        exchange.Http.Response.Headers[RegionHeader] = exchange.Server.Options.Region;
        return exchange.AnswerAsync(StatusCodes.Status200OK);
    }

    public static Task DeleteAsync(S3Exchange exchange)
    {
        exchange.Server.Catalog.Delete(exchange.Target.Bucket!);
        return exchange.AnswerAsync(StatusCodes.Status204NoContent);
    }

    public static Task GetLocationAsync(S3Exchange exchange)
    {
        _ = exchange.Bucket;
        string region = exchange.Server.Options.Region;
        return exchange.AnswerXmlAsync("LocationConstraint", writer =>
        {
            if (region != FirstRegion)
            {
                writer.WriteString(region);
            }
        });
    }

    private static async Task<string> ReadLocationAsync(S3Exchange exchange)
    {
        string location = string.Empty;
        if (exchange.Http.Request.ContentLength is > 0 || exchange.Payload.IsChunked)
        {
            ReadOnlyMemory<byte> body = await RequestXml.ReadAsync(exchange).ConfigureAwait(false);
            XmlRequest.Read(body, "CreateBucketConfiguration", group: null, onGroup: null, (name, text) =>
                location = name == "LocationConstraint" ? text : throw S3Errors.NotImplemented(name));
        }

        return location;
    }
}
