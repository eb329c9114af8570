using System.Buffers;
using System.Net;
using System.Security.Cryptography;
using Transfer.S3.Buffers;

namespace Transfer.S3.Wire.Http;

internal sealed partial class HttpWire
{
    /// <summary>The region of buckets without a location. Amazon S3 rejects it as one (Amazon S3 API Reference, "CreateBucket").</summary>
    private const string NoLocation = "us-east-1";

    public async Task SetTagsAsync(ObjectAddress address, IReadOnlyDictionary<string, string> tags, CancellationToken cancellationToken)
    {
        SignedRequest request = tags.Count == 0 ? new SignedRequest(HttpMethod.Delete, address.Key) : NewXml(HttpMethod.Put, address.Key, "Tagging", xml =>
        {
            xml.Start("TagSet");
            foreach ((string key, string value) in tags)
            {
                xml.Start("Tag");
                xml.Element("Key", key);
                xml.Element("Value", value);
                xml.End("Tag");
            }

            xml.End("TagSet");
        });
        request.Query("tagging", string.Empty);
        request.Query("versionId", address.VersionId);
        AddPayer(request, address);
        await SendChangeAsync(address.Bucket, request, cancellationToken).ConfigureAwait(false);
    }

    public Task RestoreObjectAsync(ObjectAddress address, int days, CancellationToken cancellationToken)
    {
        SignedRequest request = NewXml(HttpMethod.Post, address.Key, "RestoreRequest", xml => xml.Element("Days", days));
        request.Query("restore", string.Empty);
        request.Query("versionId", address.VersionId);
        AddPayer(request, address);
        return SendChangeAsync(address.Bucket, request, cancellationToken);
    }

    public async Task CreateBucketAsync(string bucket, CancellationToken cancellationToken)
    {
        string region = _endpoints.For(bucket).Region;
        SignedRequest request = region == NoLocation
            ? new SignedRequest(HttpMethod.Put, string.Empty)
            : NewXml(HttpMethod.Put, string.Empty, "CreateBucketConfiguration", xml => xml.Element("LocationConstraint", region));
        await SendChangeAsync(bucket, request, cancellationToken).ConfigureAwait(false);
    }

    public Task DeleteBucketAsync(string bucket, CancellationToken cancellationToken)
        => SendChangeAsync(bucket, new SignedRequest(HttpMethod.Delete, string.Empty), cancellationToken);

    /// <summary>Creates a request with an XML document, whose MD5 some stores require.</summary>
    private static SignedRequest NewXml(HttpMethod method, string key, string root, Action<RequestXml> write)
    {
        ReadOnlyMemory<byte> body = RequestXml.Create(root, write);
        SignedRequest request = new(method, key) { Body = new SequenceBytes(new ReadOnlySequence<byte>(body)), SignsBody = true, ContentType = XmlType };
#pragma warning disable CA5351 // S3 requires it to detect a damaged document; it isn't used for security
        request.Amz("content-md5", Convert.ToBase64String(MD5.HashData(body.Span)));
#pragma warning restore CA5351
        return request;
    }

    /// <summary>Sends a request whose response has no content. It must be that of a store.</summary>
    private async Task SendChangeAsync(string bucket, SignedRequest request, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await SendAsync(bucket, request, cancellationToken).ConfigureAwait(false);
        if (response.StatusCode != HttpStatusCode.NoContent) // no page has this status
        {
            S3ResponseHeaders.Origin(response).Check();
        }

        Learn(bucket, request, response);
    }
}
