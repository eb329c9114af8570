using System.Net.Http.Headers;
using System.Text;

namespace Transfer.S3.Cli.Tracing;

/// <summary>Adds each request and its response to a trace. The data of objects is left out: only documents, such as errors and lists, are kept.</summary>
/// <param name="file">The file.</param>
/// <param name="time">The time.</param>
/// <param name="inner">Sends the requests.</param>
internal sealed class TraceHandler(HarFile file, TimeProvider time, HttpMessageHandler inner) : DelegatingHandler(inner)
{
    /// <summary>The maximum size of a document. A list of 1,000 keys of 1,024 bytes has about 1.3 MB.</summary>
    public const int MaxDocumentBytes = 4 * 1024 * 1024;

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        TracedExchange exchange = new(file, time, await DescribeAsync(request, cancellationToken).ConfigureAwait(false), TraceSecrets.Find(request));
        HttpResponseMessage response;
        try
        {
            response = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            exchange.Fail(e);
            throw;
        }

        exchange.Begin(response);
        response.Content = new TracedContent(response.Content, exchange);
        return response;
    }

    /// <summary>Returns whether a body is a document instead of the data of an object.</summary>
    public static bool IsDocument(HttpContentHeaders headers) => headers.ContentType?.MediaType is "application/xml" or "text/xml" && headers.ContentLength is null or <= MaxDocumentBytes;

    private static async Task<HarRequest> DescribeAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        (string url, IReadOnlyList<HarPair> query) = TraceSecrets.Address(request.RequestUri!);
        HarPostData? document = null;
        if (request.Content is { } content && request.Method != HttpMethod.Put && IsDocument(content.Headers))
        {
            // It is sent from the buffer that this call creates.
            document = new HarPostData("application/xml", Encoding.UTF8.GetString(await content.ReadAsByteArrayAsync(cancellationToken).ConfigureAwait(false)));
        }

        return new HarRequest
        {
            Method = request.Method.Method,
            Url = url,
            Headers = [.. Pairs(request.Headers), .. request.Content is null ? [] : Pairs(request.Content.Headers)],
            QueryString = query,
            PostData = document,
            BodySize = request.Content?.Headers.ContentLength ?? 0,
        };
    }

    public static IEnumerable<HarPair> Pairs(HttpHeaders headers)
        => headers.NonValidated.SelectMany(static header => header.Value.Select(value => new HarPair(header.Key, TraceSecrets.Header(header.Key, value))));
}
