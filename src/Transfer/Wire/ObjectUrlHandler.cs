using System.Net;
using System.Net.Http.Headers;

namespace Transfer.S3;

/// <summary>
/// Sends the reads of a client to one URL, such as a presigned URL, whatever their bucket and key. It allows only GET requests, so a HEAD request becomes the read of
/// one byte, or of the headers of the whole. Requests for anything else are answered as by a store that doesn't implement them.
/// </summary>
/// <param name="url">The URL.</param>
/// <param name="inner">Sends the requests.</param>
/// <remarks>To download a URL, call <see cref="ITransferClient.DownloadAsync(Uri, string, DownloadOptions?, IProgress{TransferProgress}?, CancellationToken)"/>. This class is for copies from a URL to a store.</remarks>
/// <example>
/// <code>
/// using Amazon.Runtime;
///
/// using AmazonS3Client anonymous = new(new AnonymousAWSCredentials(), new AmazonS3Config { ServiceURL = url.GetLeftPart(UriPartial.Authority), ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
/// await using TransferClient source = new(anonymous, new TransferClientOptions { Advanced = { WrapHandler = inner => new ObjectUrlHandler(url, inner) } });
/// await source.CopyAsync(new S3Uri("url", "object"), client, new S3Uri("bucket", "copy"));
/// </code>
/// </example>
public sealed class ObjectUrlHandler(Uri url, HttpMessageHandler inner) : DelegatingHandler(inner)
{
    // A URL that asks for the checksum of the object gets it only with a read of the whole, of which no more than the headers is read.
    private readonly bool _asksForChecksum = url.Query.Contains("x-amz-checksum-mode=ENABLED", StringComparison.OrdinalIgnoreCase);

    // A store refuses headers of S3 that the URL doesn't sign (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters").
    private readonly HashSet<string> _signed = GetSignedHeaders(url);

    /// <inheritdoc/>
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        bool isHead = request.Method == HttpMethod.Head;
        if ((!isHead && request.Method != HttpMethod.Get) || request.RequestUri!.Query.Length > 0)
        {
            return NotImplemented(request);
        }

        request.RequestUri = url;
        List<string> refused = [];
        foreach ((string name, _) in request.Headers.NonValidated)
        {
            if (name.StartsWith("x-amz-", StringComparison.OrdinalIgnoreCase) && !_signed.Contains(name))
            {
                refused.Add(name);
            }
        }

        refused.ForEach(name => request.Headers.Remove(name));

        if (!isHead)
        {
            return await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        }

        request.Method = HttpMethod.Get;
        request.Headers.Range = _asksForChecksum ? null : new RangeHeaderValue(0, 0);
        return ToHead(await base.SendAsync(request, cancellationToken).ConfigureAwait(false));
    }

    private static HashSet<string> GetSignedHeaders(Uri url)
    {
        const string Name = "X-Amz-SignedHeaders=";
        string? parameter = url.Query.TrimStart('?').Split('&').FirstOrDefault(static text => text.StartsWith(Name, StringComparison.OrdinalIgnoreCase));
        return new HashSet<string>(Uri.UnescapeDataString(parameter?[Name.Length..] ?? string.Empty).Split(';'), StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>Creates the response to a HEAD request from that to a read of the first byte.</summary>
    private static HttpResponseMessage ToHead(HttpResponseMessage read)
    {
        // An empty object has no first byte.
        bool isEmpty = read.StatusCode == HttpStatusCode.RequestedRangeNotSatisfiable && read.Content.Headers.ContentRange?.Length == 0;
        long? length = read.StatusCode == HttpStatusCode.PartialContent || isEmpty ? read.Content.Headers.ContentRange?.Length
            : read.StatusCode == HttpStatusCode.OK ? read.Content.Headers.ContentLength
            : null;
        if (length is null)
        {
            return read;
        }

        using (read)
        {
            HttpResponseMessage head = new(HttpStatusCode.OK) { Content = new ByteArrayContent([]), RequestMessage = read.RequestMessage };
            foreach ((string name, HeaderStringValues values) in read.Headers.NonValidated)
            {
                head.Headers.TryAddWithoutValidation(name, values);
            }

            foreach ((string name, HeaderStringValues values) in read.Content.Headers.NonValidated)
            {
                if (!isEmpty && !name.Equals("Content-Range", StringComparison.OrdinalIgnoreCase) && !name.Equals("Content-Length", StringComparison.OrdinalIgnoreCase))
                {
                    head.Content.Headers.TryAddWithoutValidation(name, values);
                }
            }

            head.Content.Headers.ContentLength = length;
            return head;
        }
    }

    private static HttpResponseMessage NotImplemented(HttpRequestMessage request) => new(HttpStatusCode.NotImplemented)
    {
        RequestMessage = request,
        Content = new StringContent("<Error><Code>NotImplemented</Code><Message>A URL reads one object, and nothing else.</Message></Error>", MediaTypeHeaderValue.Parse("application/xml")),
    };
}
