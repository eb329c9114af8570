using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Operations;

/// <summary>Replaces or deletes the tags of an object. Everything else of the object stays, even its last-modified time.</summary>
internal static class ChangeObjectTaggingOperation
{
    public static async Task PutAsync(S3Exchange exchange)
    {
        _ = exchange.Bucket;
        ReadOnlyMemory<byte> body = await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false);
        await ReplaceAsync(exchange, Parse(body)).ConfigureAwait(false);
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    public static async Task DeleteAsync(S3Exchange exchange)
    {
        await ReplaceAsync(exchange, []).ConfigureAwait(false);
        await exchange.AnswerAsync(StatusCodes.Status204NoContent).ConfigureAwait(false);
    }

    /// <summary>Reads tags from a document and checks them.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> Parse(ReadOnlyMemory<byte> body, int maximum = ServerDefaults.MaximumTags)
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
        return ObjectHeaders.CheckTags(tags, maximum);
    }

    private static Task ReplaceAsync(S3Exchange exchange, IReadOnlyList<KeyValuePair<string, string>> tags) =>
        ObjectAttributeChange.ApplyAsync(exchange, static exchange => exchange.Bucket.Get(exchange.Key, exchange.Target.VersionId), current => current with { Tags = tags });
}
