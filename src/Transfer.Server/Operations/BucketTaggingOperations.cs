using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Returns, replaces, and deletes the tags of a bucket, which have no effect.</summary>
internal static class BucketTaggingOperations
{
    public static Task GetAsync(S3Exchange exchange)
    {
        IReadOnlyList<KeyValuePair<string, string>> tags = exchange.Bucket.Settings.Tags ?? throw S3Errors.NoSuchTagSet();
        return exchange.AnswerXmlAsync("Tagging", writer => GetObjectTaggingOperation.WriteTo(writer, tags));
    }

    public static async Task PutAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        IReadOnlyList<KeyValuePair<string, string>> tags =
            ChangeObjectTaggingOperation.Parse(await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false), ServerDefaults.MaximumBucketTags);
        bucket.Change(settings => settings with { Tags = tags });
        await exchange.AnswerAsync(StatusCodes.Status204NoContent).ConfigureAwait(false);
    }

    public static Task DeleteAsync(S3Exchange exchange)
    {
        exchange.Bucket.Change(static settings => settings with { Tags = null });
        return exchange.AnswerAsync(StatusCodes.Status204NoContent);
    }
}
