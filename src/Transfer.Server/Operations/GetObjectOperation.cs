using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Handles GET and HEAD requests for an object.</summary>
internal static class GetObjectOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        if (exchange.Signature is null && exchange.Target.Query.All.Any(static p => p.Key.StartsWith("response-", StringComparison.Ordinal)))
        {
            throw S3Errors.InvalidRequest("Request specific response headers cannot be used for anonymous GET requests.");
        }

        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers, takesCustomerKey: true);
        StoredObject value = exchange.Bucket.Hold(exchange.Key, exchange.Target.VersionId);
        try
        {
            await AnswerAsync(exchange, exchange.Fault?.Seen(value) ?? value).ConfigureAwait(false);
        }
        finally
        {
            value.Content.Release();
        }
    }

    private static async Task AnswerAsync(S3Exchange exchange, StoredObject value)
    {
        IHeaderDictionary headers = exchange.Http.Response.Headers;
        CustomerKeys.CheckRead(exchange, value.Attributes);
        ReadCondition condition = ReadCondition.From(exchange);
        if (condition.Failed(value) is string failed)
        {
            throw S3Errors.PreconditionFailed(failed);
        }

        if (condition.NotModified(value) is not null)
        {
            headers.ETag = XmlResponse.QuotedETag(value.ETag);
            headers.LastModified = HttpDate.Format(value.LastModified);
            await exchange.AnswerAsync(StatusCodes.Status304NotModified).ConfigureAwait(false);
            return;
        }

        if (!exchange.IsHead)
        {
            value.ThrowIfArchived(exchange.Server.Now);
        }

        ObjectSelection selection = ObjectSelection.From(exchange, value);
        selection = exchange.Fault?.Selection(selection, value.Size) ?? selection;
        ObjectHeaders.Write(headers, value, exchange.Target.Query, exchange.Server.Now);
        if (exchange.Server.Abilities.Ignores(ServerAbility.TagCount))
        {
            headers.Remove("x-amz-tagging-count");
        }

        WriteChecksum(exchange, value, selection);
        ByteRange range = selection.Range;
        if (selection.IsPartial && range.Count > 0)
        {
            headers.ContentRange = $"bytes {range.Offset}-{range.Last}/{value.Size}";
        }

        if (selection.PartNumber is not null && value.Parts.Count > 0)
        {
            headers["x-amz-mp-parts-count"] = value.Parts.Count.ToString();
        }

        headers.ContentLength = range.Count;
        await exchange.BeginAnswerAsync(selection.IsPartial ? StatusCodes.Status206PartialContent : StatusCodes.Status200OK).ConfigureAwait(false);
        if (!exchange.IsHead)
        {
            await ObjectSender.SendAsync(exchange, value.Content, range).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Writes the checksum of the object if the whole object is returned, and that of a part if exactly that part is. Other ranges have no checksum.
    /// </summary>
    private static void WriteChecksum(S3Exchange exchange, StoredObject value, ObjectSelection selection)
    {
        const string Mode = "x-amz-checksum-mode";
        bool isWanted = string.Equals(exchange.Header(Mode) ?? exchange.Target.Query[Mode], "ENABLED", StringComparison.OrdinalIgnoreCase); // a parameter in presigned URLs
        bool fitsBytes = exchange.IsHead || value.Content.KeepsBytes;
        if (!isWanted || !fitsBytes || !exchange.Server.Options.ReturnChecksums)
        {
            return;
        }

        string? checksum = selection.Range.Count == value.Size ? value.Checksum.Value : selection.ExactPart(value)?.Checksum;
        if (checksum is not null)
        {
            ObjectHeaders.WriteChecksum(exchange.Http.Response.Headers, value.Checksum.Info, value.Checksum.Type, checksum);
        }
    }
}
