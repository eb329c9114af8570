using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>The source object of a copy.</summary>
internal static class CopySource
{
    private const string HeaderName = "x-amz-copy-source";

    /// <summary>Finds the source, checks its conditions, and holds its content. The caller must release it.</summary>
    public static (string Bucket, StoredObject Value) Hold(S3Exchange exchange)
    {
        (string bucketName, string key, string? versionId) = Parse(exchange.Header(HeaderName)!);
        StoredObject value = exchange.Server.Catalog.Bucket(bucketName).Hold(key, versionId);
        try
        {
            CustomerKeys.CheckCopySource(value.Attributes);
            ReadCondition condition = ReadCondition.From(exchange, HeaderName + "-");
            if ((condition.Failed(value) ?? condition.NotModified(value)) is { } failed)
            {
                throw S3Errors.PreconditionFailed($"{HeaderName}-{failed}");
            }

            value.ThrowIfArchived(exchange.Server.Now);
            return (bucketName, value);
        }
        catch
        {
            value.Content.Release();
            throw;
        }
    }

    private static (string Bucket, string Key, string? VersionId) Parse(string header)
    {
        int question = header.IndexOf('?');
        string? versionId = question < 0 ? null : QueryParameters.Parse(header.AsSpan(question + 1))["versionId"];
        if (versionId is not null && !KeyVersion.IsId(versionId))
        {
            throw S3Errors.InvalidArgument("Invalid version id specified", HeaderName, header);
        }

        string path = (question < 0 ? header : header[..question]).TrimStart('/');
        if (!PercentEncoding.TryDecode(path, plusIsSpace: false, out string? decoded))
        {
            throw S3Errors.InvalidUri();
        }

        int slash = decoded.IndexOf('/');
        return slash > 0 && slash < decoded.Length - 1
            ? (decoded[..slash], decoded[(slash + 1)..], versionId)
            : throw S3Errors.InvalidArgument("Copy Source must mention the source bucket and key: sourcebucket/sourcekey", HeaderName, header);
    }
}
