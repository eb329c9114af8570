using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Cors;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Returns, replaces, and deletes the rules of a bucket for pages of other origins.</summary>
internal static class BucketCorsOperations
{
    public static Task GetAsync(S3Exchange exchange)
    {
        CorsConfiguration cors = exchange.Bucket.Settings.Cors ?? throw S3Errors.NoSuchCorsConfiguration();
        return exchange.AnswerXmlAsync("CORSConfiguration", cors.WriteTo);
    }

    public static async Task PutAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        CorsConfiguration cors = CorsConfiguration.Parse(await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false));
        bucket.Change(settings => settings with { Cors = cors });
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    public static Task DeleteAsync(S3Exchange exchange)
    {
        exchange.Bucket.Change(static settings => settings with { Cors = null });
        return exchange.AnswerAsync(StatusCodes.Status204NoContent);
    }
}
