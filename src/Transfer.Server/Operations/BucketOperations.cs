using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Operations on buckets themselves.</summary>
internal static class BucketOperations
{
    private const string FirstRegion = "us-east-1";
    private const string RegionHeader = "x-amz-bucket-region";

    public static Task ListAsync(S3Exchange exchange)
    {
        QueryParameters query = exchange.Target.Query;
        if (query.Contains("max-buckets") || query.Contains("continuation-token"))
        {
            throw S3Errors.NotImplemented("max-buckets"); // bucket listings have no pages, because a server has few buckets
        }

        string prefix = query["prefix"] ?? string.Empty;
        List<Bucket> buckets = [.. exchange.Server.Catalog.Buckets.Where(bucket => bucket.Name.StartsWith(prefix, StringComparison.Ordinal))];
        return exchange.AnswerXmlAsync("ListAllMyBucketsResult", writer =>
        {
            writer.WriteStartElement("Owner");
            writer.Element("ID", exchange.Server.Options.AccessKeyId);
            writer.Element("DisplayName", exchange.Server.Options.AccessKeyId);
            writer.WriteEndElement();
            writer.WriteStartElement("Buckets");
            foreach (Bucket bucket in buckets)
            {
                writer.WriteStartElement("Bucket");
                writer.Element("Name", bucket.Name);
                writer.Element("CreationDate", XmlResponse.Timestamp(bucket.Created));
                writer.WriteEndElement();
            }

            writer.WriteEndElement();
        });
    }

    public static async Task CreateAsync(S3Exchange exchange)
    {
        string name = exchange.Target.Bucket!;
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers);
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

        if (!exchange.Server.Catalog.TryCreate(name, exchange.Server.Now))
        {
            throw S3Errors.BucketAlreadyOwnedByYou(name);
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
