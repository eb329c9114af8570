using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Replaces or deletes the tags of an object. Everything else of the object stays, even its last-modified time.</summary>
internal static class ChangeObjectTaggingOperation
{
    public static async Task PutAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        ReadOnlyMemory<byte> body = await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false);
        await ReplaceAsync(exchange, bucket, Parse(body)).ConfigureAwait(false);
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    public static async Task DeleteAsync(S3Exchange exchange)
    {
        await ReplaceAsync(exchange, exchange.Bucket, []).ConfigureAwait(false);
        await exchange.AnswerAsync(StatusCodes.Status204NoContent).ConfigureAwait(false);
    }

    private static IReadOnlyList<KeyValuePair<string, string>> Parse(ReadOnlyMemory<byte> body)
    {
        var tags = new List<KeyValuePair<string, string>>();
        XmlRequest.Read(
            body,
            "Tagging",
            "Tag",
            () => tags.Add(new(string.Empty, string.Empty)),
            (name, text) =>
            {
                KeyValuePair<string, string> tag = tags.Count > 0 ? tags[^1] : throw S3Errors.MalformedXml();
                tags[^1] = name switch
                {
                    "Key" => new(text, tag.Value),
                    "Value" => new(tag.Key, text),
                    _ => throw S3Errors.MalformedXml(),
                };
            },
            container: "TagSet");
        return ObjectHeaders.CheckTags(tags);
    }

    private static async Task ReplaceAsync(S3Exchange exchange, Bucket bucket, IReadOnlyList<KeyValuePair<string, string>> tags)
    {
        bool isReplaced = false;
        while (!isReplaced)
        {
            StoredObject current = bucket.Get(exchange.Key, exchange.Target.VersionId);
            StoredObject tagged = current with { Attributes = current.Attributes with { Tags = tags } };
            using IStagedRecord record = await exchange.Server.Journal.StageObjectAsync(bucket.Name, tagged, exchange.Aborted).ConfigureAwait(false);
            isReplaced = bucket.TryReplace(current, tagged, record);
        }
    }
}
