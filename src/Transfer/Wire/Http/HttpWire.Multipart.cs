using System.Buffers;
using System.Globalization;
using System.Net;
using System.Text;
using System.Xml;
using Transfer.Buffers;

namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    private const string XmlType = "application/xml";
    private const string Namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

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
            XmlResponse answer = await SendForXmlAsync(target.Address.Bucket, request, "InitiateMultipartUploadResult", cancellationToken).ConfigureAwait(false);
            return answer.UploadId ?? throw answer.Origin.NoUploadId();
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

    public async Task<PublishedObject> CompleteMultipartUploadAsync(
        NewObject target, string uploadId, IReadOnlyList<UploadedPart> parts, string? fullObjectChecksum, CancellationToken cancellationToken)
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
        if (fullObjectChecksum is not null)
        {
            request.Amz(target.Checksum.HeaderName(), fullObjectChecksum);
            request.Amz("x-amz-checksum-type", TypeOf(target.Checksum));
        }

        XmlResponse answer = await SendForXmlAsync(target.Address.Bucket, request, "CompleteMultipartUploadResult", cancellationToken).ConfigureAwait(false);
        return new PublishedObject(answer.ETag, answer.VersionId, answer.Checksum, answer.Origin)
        {
            Answer = target.Address.Access.KeepsAnswer ? answer.Response : null,
            Location = answer.Location,
            Encryption = answer.Response is { } response ? S3ResponseHeaders.Encryption(response) : null,
        };
    }

    public async Task AbortMultipartUploadAsync(ObjectAddress address, string uploadId, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Delete, address.Key);
        request.Query("uploadId", uploadId);
        AddPayer(request, address);
        using HttpResponseMessage response = await SendAsync(address.Bucket, request, cancellationToken).ConfigureAwait(false);
        if (response.StatusCode != HttpStatusCode.NoContent) // no page has this status
        {
            S3ResponseHeaders.Origin(response).Check();
        }
    }

    private static string TypeOf(ChecksumAlgorithm algorithm) => algorithm == ChecksumAlgorithm.Sha256 ? "COMPOSITE" : "FULL_OBJECT";

    /// <summary>Creates the list of parts for the request that completes an upload (Amazon S3 API Reference, "CompleteMultipartUpload").</summary>
    private static byte[] PartList(IReadOnlyList<UploadedPart> parts, ChecksumAlgorithm algorithm)
    {
        string? element = algorithm.MultipartName() is { } name ? "Checksum" + name : null;
        using MemoryStream text = new();
        using (XmlWriter xml = XmlWriter.Create(text, new XmlWriterSettings { Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false) }))
        {
            xml.WriteStartElement("CompleteMultipartUpload", Namespace);
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

            xml.WriteEndElement();
        }

        return text.ToArray();
    }

    /// <summary>Sends a request and reads the whole response. It can begin with whitespace, which a store sends for minutes while it works.</summary>
    /// <param name="bucket">The bucket.</param>
    /// <param name="request">The request.</param>
    /// <param name="root">The beginning of the name of the response's root element.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    private async Task<XmlResponse> SendForXmlAsync(string bucket, SignedRequest request, string root, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await SendAsync(bucket, request, cancellationToken).ConfigureAwait(false);
        byte[] body = await ReadBodyAsync(response, XmlResponse.MaxBytes, cancellationToken).ConfigureAwait(false);
        return XmlResponse.Parse(response, body, root);
    }
}
