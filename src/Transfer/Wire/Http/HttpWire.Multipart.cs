using System.Buffers;
using System.Globalization;
using System.Xml;
using Transfer.S3.Buffers;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Post, target.Address.Key)
        {
            Body = new SequenceBytes(ReadOnlySequence<byte>.Empty),
            SignsBody = true,
        };
        request.Query("uploads", string.Empty);
        if (ChecksumTable.Find(target.Checksum) is { S3Name: { } algorithm } entry)
        {
            request.Amz("x-amz-checksum-algorithm", algorithm);
            request.Amz("x-amz-checksum-type", entry.MultipartType);
        }

        AddAccess(request, target.Address);
        Describe(request, target);
        try
        {
            return await SendForXmlAsync(
                target.Address.Bucket, request, "InitiateMultipartUploadResult", (response, result) => GetOrigin(response).CheckUploadId(result.Text("UploadId"), result.Text("Key"), target.Address.Key), cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (e is { InnerException: XmlException, RequestId: not null })
        {
            // The store has created an upload. If the request was repeated, each attempt could leave another one.
            throw new WireException(FailureKind.Final, $"the store created a multipart upload, but its response could not be read: {e.InnerException.Message}", e)
            {
                StatusCode = e.StatusCode,
                RequestId = e.RequestId,
            };
        }
    }

    public Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, long objectBytes, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Post, target.Address.Key)
        {
            Body = new SequenceBytes(new ReadOnlySequence<byte>(PartList(parts, target.Checksum))),
            SignsBody = true,
            ContentType = XmlType,
        };
        request.Query("uploadId", uploadId);
        AddAccess(request, target.Address);
        AddCondition(request, target.Condition);
        request.Amz("x-amz-mp-object-size", objectBytes.ToString(CultureInfo.InvariantCulture));
        if (fullObjectChecksum is not null)
        {
            ChecksumEntry entry = ChecksumTable.Find(target.Checksum)!;
            request.Amz(entry.HeaderName, fullObjectChecksum);
            request.Amz("x-amz-checksum-type", entry.MultipartType);
        }

        return SendForXmlAsync(target.Address.Bucket, request, "CompleteMultipartUploadResult", static (response, result) => Published(response, result), cancellationToken);
    }

    public Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Delete, address.Key);
        request.Query("uploadId", uploadId);
        AddPayer(request, address);
        return SendChangeAsync(address.Bucket, request, cancellationToken);
    }

    /// <summary>Creates the list of parts for the request that completes an upload (Amazon S3 API Reference, "CompleteMultipartUpload").</summary>
    private static ReadOnlyMemory<byte> PartList(IReadOnlyList<UploadedPart> parts, ChecksumAlgorithm algorithm) => RequestXml.Create("CompleteMultipartUpload", xml =>
    {
        string? element = ChecksumTable.Find(algorithm)?.ElementName;
        foreach (UploadedPart part in parts)
        {
            xml.Start("Part");
            if (element is not null)
            {
                xml.Element(element, part.Checksum);
            }

            xml.Element("ETag", part.ETag);
            xml.Element("PartNumber", part.Number);
            xml.End("Part");
        }
    });
}
