using System.Globalization;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire.Http;

internal sealed partial class HttpWire
{
    public Task<PublishedObject> CopyObjectAsync(CopySource source, NewObject target, CancellationToken cancellationToken)
    {
        SignedRequest request = NewCopy(source, target);
        request.Amz("x-amz-checksum-algorithm", ChecksumTable.Find(target.Checksum)?.S3Name);
        AddCondition(request, target.Condition);
        return SendForXmlAsync(target.Address.Bucket, request, "CopyObjectResult", static (response, result) => Published(response, result), cancellationToken);
    }

    public Task<UploadedPart> UploadPartCopyAsync(
        CopySource source, NewObject target, string uploadId, int partNumber, long offset, long length, CancellationToken cancellationToken)
    {
        SignedRequest request = NewCopy(source, target);
        request.Query("partNumber", partNumber.ToString(CultureInfo.InvariantCulture));
        request.Query("uploadId", uploadId);
        request.Amz("x-amz-copy-source-range", source.IsWhole(offset, length) ? null : string.Create(CultureInfo.InvariantCulture, $"bytes={offset}-{offset + length - 1}"));
        return SendForXmlAsync(target.Address.Bucket, request, "CopyPartResult", (response, result) =>
            new UploadedPart(partNumber, result.ETag, result.Checksum is { } checksum && checksum.Algorithm == target.Checksum ? checksum.Value : null, GetOrigin(response)), cancellationToken);
    }

    /// <summary>Creates the request of a copy, bound to the state of its source.</summary>
    private static SignedRequest NewCopy(CopySource source, NewObject target)
    {
        SignedRequest request = new(HttpMethod.Put, target.Address.Key) { IsCopy = true };
        request.Amz("x-amz-copy-source", GetName(source.Address));
        request.Amz("x-amz-copy-source-if-match", source.Info.ETag);
        AddPayer(request, source.Address);
        return request;
    }

    /// <summary>
    /// Gets the source of a copy in the form of its header. Slashes aren't escaped, because some stores split the bucket from the key before they decode the header. An
    /// access point is named by its ARN (Amazon S3 API Reference, "CopyObject").
    /// </summary>
    private static string GetName(ObjectAddress source)
    {
        string name = SignedRequest.EncodePath(source.Bucket + (source.Bucket.StartsWith("arn:", StringComparison.Ordinal) ? "/object/" : "/") + source.Key);
        return source.VersionId is { Length: > 0 } version ? $"{name}?versionId={Uri.EscapeDataString(version)}" : name;
    }
}
