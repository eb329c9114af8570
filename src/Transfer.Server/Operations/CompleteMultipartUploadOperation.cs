using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Publishes an object that consists of the parts of an upload.</summary>
internal static class CompleteMultipartUploadOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers, takesCustomerKey: true);
        Bucket bucket = exchange.Bucket;
        string uploadId = exchange.Target.Query["uploadId"]!;
        WriteCondition condition = WriteCondition.From(exchange);
        ReadOnlyMemory<byte> body = await RequestXml.ReadAsync(exchange, readsChecksum: false).ConfigureAwait(false);
        exchange.Fault?.ThrowIfCompletionFails();
        List<CompletionPart> named = CompletionPart.Parse(body, uploadId);
        CompletedUpload completed = await CompleteAsync(exchange, bucket, uploadId, named, condition).ConfigureAwait(false);
        string location = $"{exchange.Http.Request.Scheme}://{exchange.Http.Request.Host.Value}{exchange.Target.RawPath}";
        await exchange.AnswerXmlAsync("CompleteMultipartUploadResult", writer =>
        {
            writer.Element("Location", location);
            writer.Element("Bucket", bucket.Name);
            writer.Element("Key", completed.Key);
            writer.Element("ETag", XmlResponse.QuotedETag(completed.ETag));
            writer.Element(completed.Checksum.Info.ElementName, completed.Checksum.Value);
            writer.Element("ChecksumType", completed.Checksum.Type.ApiName());
        }).ConfigureAwait(false);
    }

    private static async Task<CompletedUpload> CompleteAsync(
        S3Exchange exchange, Bucket bucket, string uploadId, List<CompletionPart> named, WriteCondition condition)
    {
        string partList = string.Join(';', named.Select(static part => $"{part.Number}:{part.ETag}"));
        MultipartUpload? upload = bucket.FindUpload(uploadId, exchange.Key);
        if (upload is null)
        {
            return Repeat(bucket, uploadId, exchange.Key, partList);
        }

        await upload.Ending.WaitAsync(exchange.Aborted).ConfigureAwait(false);
        try
        {
            if (upload.IsClosed)
            {
                return Repeat(bucket, uploadId, exchange.Key, partList);
            }

            // The key is optional in this request, but must match if it is sent.
            if (CustomerKeys.Read(exchange.Http.Request.Headers) is not null)
            {
                CustomerKeys.CheckPart(exchange, upload.Attributes);
            }

            List<StoredPart> parts = MultipartAssembler.Choose(upload, named, exchange.Server.Abilities.Refuses(ServerAbility.UnequalParts));
            StoredObject value = MultipartAssembler.Assemble(upload, parts, exchange.Http.Request.Headers, exchange.Server.Now);
            await ObjectPublisher.PublishAsync(exchange, bucket, value, condition).ConfigureAwait(false);
            var completed = new CompletedUpload(uploadId, upload.Key, partList, value.ETag, value.Checksum);
            bucket.End(upload, completed);
            return completed;
        }
        finally
        {
            upload.Ending.Release();
        }
    }

    /// <summary>Repeats the response if a client that lost it sends the completion again with the same parts.</summary>
    private static CompletedUpload Repeat(Bucket bucket, string uploadId, string key, string partList) =>
        bucket.FindCompleted(uploadId, key) is CompletedUpload completed
        && string.Equals(completed.Parts, partList, StringComparison.OrdinalIgnoreCase)
            ? completed
            : throw S3Errors.NoSuchUpload(uploadId);
}
