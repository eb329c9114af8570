using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Stores a part. It replaces an earlier part with the same number.</summary>
internal static class UploadPartOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers, takesCustomerKey: true);
        Bucket bucket = exchange.Bucket;
        int number = PartNumber(exchange);
        MultipartUpload upload = bucket.Upload(exchange.Target.Query["uploadId"]!, exchange.Key);
        CustomerKeys.CheckPart(exchange, upload.Attributes);
        ChecksumAlgorithm algorithm = upload.Checksum.Algorithm;
        using var body = new RequestBody(exchange, exchange.Server.MakesMd5, readsChecksum: true, algorithm);
        CheckAlgorithm(upload.Checksum, body.Declared);
        ReceivedContent received = await ContentReceiver.ReceiveAsync(exchange, body).ConfigureAwait(false);
        StoredPart part = await AddAsync(exchange, bucket, upload, number, received).ConfigureAwait(false);

        ChecksumInfo shown = body.Declared?.Info ?? ChecksumInfo.Get(algorithm);
        IHeaderDictionary answer = exchange.Http.Response.Headers;
        answer.ETag = XmlResponse.QuotedETag(part.ETag);
        answer[shown.HeaderName] = part.GetChecksum(shown.Algorithm);
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    public static int PartNumber(S3Exchange exchange) =>
        exchange.Target.Query.Integer("partNumber", 1, ServerDefaults.MaximumPartNumber)
        ?? throw S3Errors.InvalidArgument(
            $"Part number must be an integer between 1 and {ServerDefaults.MaximumPartNumber}, inclusive", "partNumber", value: null);

    /// <summary>
    /// Adds a part to its upload, which takes ownership of the content. The content is released if the upload has ended in the meantime.
    /// </summary>
    public static async Task<StoredPart> AddAsync(S3Exchange exchange, Bucket bucket, MultipartUpload upload, int number, ReceivedContent received)
    {
        var part = new StoredPart
        {
            Number = number,
            ETag = received.ETag,
            LastModified = exchange.Server.Now,
            Checksums = received.Checksums,
            Content = received.Content,
        };
        bool isAdded = false;
        try
        {
            ICatalogJournal journal = exchange.Server.Journal;
            using IStagedRecord record = await journal.StagePartAsync(bucket.Name, upload, part, exchange.Aborted).ConfigureAwait(false);
            isAdded = upload.TryAdd(part, record);
        }
        finally
        {
            if (!isAdded)
            {
                part.Content.Release();
            }
        }

        return isAdded ? part : throw S3Errors.NoSuchUpload(upload.UploadId);
    }

    private static void CheckAlgorithm(UploadChecksum expected, DeclaredChecksum? actual)
    {
        // If the client declared no checksum for the upload, its parts can have any checksum or none. The checksum is verified but doesn't change the
        // object.
        if (!expected.IsDeclared || actual?.Info.Algorithm == expected.Algorithm || (actual is null && expected.Type == ChecksumType.FullObject))
        {
            return;
        }

        throw S3Errors.InvalidRequest(
            $"Checksum Type mismatch occurred, expected checksum Type: {ChecksumInfo.Get(expected.Algorithm).ApiName.ToLowerInvariant()}, "
            + $"actual checksum Type: {actual?.Info.ApiName.ToLowerInvariant() ?? "null"}");
    }
}
