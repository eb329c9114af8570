using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Stores an object that is uploaded with a single request.</summary>
internal static class PutObjectOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        IHeaderDictionary headers = exchange.Http.Request.Headers;
        UnsupportedHeaders.ThrowIfAny(headers, takesCustomerKey: true, takesAcl: exchange.Server.Options.AllowPublicAcls);
        Bucket bucket = exchange.Bucket;
        WriteCondition condition = WriteCondition.From(exchange);
        ObjectAttributes attributes = ObjectHeaders.Read(headers);
        StoredObject value = await ReceiveAsync(exchange, attributes).ConfigureAwait(false);
        await ObjectPublisher.PublishAsync(exchange, bucket, value, condition).ConfigureAwait(false);

        IHeaderDictionary answer = exchange.Http.Response.Headers;
        answer.ETag = XmlResponse.QuotedETag(value.ETag);
        CustomerKeys.WriteTo(answer, attributes);
        ObjectHeaders.WriteChecksum(answer, value.Checksum.Info, value.Checksum.Type, value.Checksum.Value);
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    private static async Task<StoredObject> ReceiveAsync(S3Exchange exchange, ObjectAttributes attributes)
    {
        // The object keeps the checksum that the client sends. As in S3, the default is CRC-64/NVME.
        ChecksumAlgorithm algorithm = DeclaredChecksum.FromHeaders(exchange.Http.Request.Headers)?.Info.Algorithm ?? ChecksumAlgorithm.Crc64Nvme;
        using var body = new RequestBody(exchange, exchange.Server.MakesMd5, readsChecksum: true, algorithm);
        ReceivedContent received = await ContentReceiver.ReceiveAsync(exchange, body).ConfigureAwait(false);
        return new StoredObject
        {
            Key = exchange.Key,
            ETag = received.ETag,
            LastModified = exchange.Server.Now,
            Attributes = attributes,
            Checksum = new ObjectChecksum(algorithm, ChecksumType.FullObject, received.GetChecksum(algorithm)),
            Content = received.Content,
        };
    }
}
