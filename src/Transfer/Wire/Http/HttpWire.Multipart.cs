using System.Buffers;
using System.Globalization;
using System.Xml;
using Transfer.Buffers;

namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<string> CreateMultipartUploadAsync(NewObject target, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Post, target.Address.Key)
        {
            Body = new SequenceBytes(ReadOnlySequence<byte>.Empty),
            SignsBody = true,
            ContentType = target.Headers.ContentType ?? DefaultContentType,
        };
        request.Query("uploads", string.Empty);
        if (target.Checksum.MultipartName() is { } algorithm)
        {
            request.Amz("x-amz-checksum-algorithm", algorithm);
            request.Amz("x-amz-checksum-type", TypeOf(target.Checksum));
        }

        AddAccess(request, target.Address);
        Describe(request, target);
        try
        {
            return await SendForXmlAsync(
                target.Address.Bucket, request, "InitiateMultipartUploadResult", static (response, result) => result.Text("UploadId") ?? throw OriginOf(response).NoUploadId(), cancellationToken).ConfigureAwait(false);
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
            request.Amz(target.Checksum.HeaderName(), fullObjectChecksum);
            request.Amz("x-amz-checksum-type", TypeOf(target.Checksum));
        }

        return SendForXmlAsync(target.Address.Bucket, request, "CompleteMultipartUploadResult", (response, result) => Published(response, target, result), cancellationToken);
    }

    public Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Delete, address.Key);
        request.Query("uploadId", uploadId);
        AddPayer(request, address);
        return SendChangeAsync(address.Bucket, request, cancellationToken);
    }

    private static string TypeOf(ChecksumAlgorithm algorithm) => algorithm == ChecksumAlgorithm.Sha256 ? "COMPOSITE" : "FULL_OBJECT";

    /// <summary>Creates the list of parts for the request that completes an upload (Amazon S3 API Reference, "CompleteMultipartUpload").</summary>
    private static byte[] PartList(IReadOnlyList<UploadedPart> parts, ChecksumAlgorithm algorithm) => Document("CompleteMultipartUpload", xml =>
    {
        string? element = algorithm.MultipartName() is { } name ? "Checksum" + name : null;
        foreach (UploadedPart part in parts)
        {
            xml.WriteStartElement("Part", Namespace);
            if (element is not null && part.Checksum is not null)
            {
                xml.WriteElementString(element, Namespace, part.Checksum);
            }

            xml.WriteElementString("ETag", Namespace, part.ETag);
            xml.WriteElementString("PartNumber", Namespace, part.Number.ToString(CultureInfo.InvariantCulture));
            xml.WriteEndElement();
        }
    });
}
