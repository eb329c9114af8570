using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Stores a part that is a copy of another object or a range of it.</summary>
internal static class UploadPartCopyOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers);
        Bucket bucket = exchange.Bucket;
        int number = UploadPartOperation.PartNumber(exchange);
        MultipartUpload upload = bucket.Upload(exchange.Target.Query["uploadId"]!, exchange.Key);
        CustomerKeys.CheckPart(exchange, upload.Attributes);
        ReceivedContent copied = await CopyAsync(exchange, upload.Checksum.Algorithm).ConfigureAwait(false);
        StoredPart part = await UploadPartOperation.AddAsync(exchange, bucket, upload, number, copied).ConfigureAwait(false);
        await exchange.AnswerXmlAsync("CopyPartResult", writer =>
        {
            writer.Element("LastModified", XmlResponse.Timestamp(part.LastModified));
            writer.Element("ETag", XmlResponse.QuotedETag(part.ETag));
            writer.Element(ChecksumInfo.Get(upload.Checksum.Algorithm).ElementName, part.GetChecksum(upload.Checksum.Algorithm));
        }).ConfigureAwait(false);
    }

    private static async Task<ReceivedContent> CopyAsync(S3Exchange exchange, ChecksumAlgorithm algorithm)
    {
        (_, StoredObject source) = CopySource.Hold(exchange);
        Content? part = null;
        try
        {
            string? header = exchange.Header("x-amz-copy-source-range");
            ByteRange range = header is null ? new ByteRange(0, source.Size) : ByteRange.ResolveExact(header, source.Size);
            if (range.Count > ServerDefaults.MaximumPartBytes)
            {
                throw S3Errors.EntityTooLarge(range.Count, ServerDefaults.MaximumPartBytes);
            }

            part = source.Content.Slice(range.Offset, range.Count);
            return await ContentReceiver.ReadAsync(exchange, part, algorithm).ConfigureAwait(false);
        }
        catch
        {
            part?.Release();
            throw;
        }
        finally
        {
            source.Content.Release();
        }
    }
}
