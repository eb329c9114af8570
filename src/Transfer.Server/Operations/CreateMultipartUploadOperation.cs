using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Creates a multipart upload.</summary>
internal static class CreateMultipartUploadOperation
{
    private const string AlgorithmHeader = "x-amz-checksum-algorithm";

    public static async Task AnswerAsync(S3Exchange exchange)
    {
        IHeaderDictionary headers = exchange.Http.Request.Headers;
        UnsupportedHeaders.ThrowIfAny(headers, takesCustomerKey: true, takesAcl: exchange.Server.Options.AllowPublicAcls);
        Bucket bucket = exchange.Bucket;
        UploadChecksum checksum = ReadChecksum(exchange);
        var upload = new MultipartUpload(NewUploadId(exchange), exchange.Key, exchange.Server.Now, ObjectHeaders.Read(headers), checksum);
        using (IStagedRecord record = await exchange.Server.Journal.StageUploadAsync(bucket.Name, upload, exchange.Aborted).ConfigureAwait(false))
        {
            bucket.Add(upload, record);
        }

        CustomerKeys.WriteTo(exchange.Http.Response.Headers, upload.Attributes);
        if (checksum.IsDeclared)
        {
            exchange.Http.Response.Headers[AlgorithmHeader] = ChecksumInfo.Get(checksum.Algorithm).ApiName;
            exchange.Http.Response.Headers[ChecksumTypeNames.HeaderName] = checksum.Type.ApiName();
        }

        await exchange.AnswerXmlAsync("InitiateMultipartUploadResult", writer =>
        {
            writer.Element("Bucket", bucket.Name);
            writer.Element("Key", upload.Key);
            writer.Element("UploadId", upload.UploadId);
        }).ConfigureAwait(false);
    }

    private static UploadChecksum ReadChecksum(S3Exchange exchange)
    {
        ChecksumType? type = ChecksumTypeNames.FromHeader(exchange.Header(ChecksumTypeNames.HeaderName));
        string? name = exchange.Header(AlgorithmHeader);
        if (name is null)
        {
            return type is null
                ? new UploadChecksum(ChecksumAlgorithm.Crc64Nvme, ChecksumType.FullObject, IsDeclared: false)
                : throw S3Errors.InvalidRequest("The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.");
        }

        ChecksumInfo info = ChecksumInfo.FromApiName(name) ?? throw S3Errors.InvalidRequest("Checksum algorithm provided is unsupported.");
        ChecksumType chosen = type ?? info.DefaultType;
        bool isAllowed = chosen == ChecksumType.Composite ? info.AllowsComposite : info.AllowsFullObject;
        return isAllowed
            ? new UploadChecksum(info.Algorithm, chosen, IsDeclared: true)
            : throw S3Errors.InvalidRequest(
                $"The {chosen.ApiName()} checksum type cannot be used with the {info.ApiName.ToLowerInvariant()} checksum algorithm.");
    }

    /// <summary>Creates an upload ID. IDs sort by creation time, the order of listings.</summary>
    private static string NewUploadId(S3Exchange exchange) =>
        exchange.Server.Options.Time.GetUtcNow().UtcTicks.ToString("x16") + RandomNumberGenerator.GetHexString(24, lowercase: true);
}
