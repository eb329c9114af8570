using System.Net;

namespace Transfer.S3.Cli.Tracing;

/// <summary>The body of a response, whose bytes are counted as they are read.</summary>
internal sealed class TracedContent : HttpContent
{
    private readonly HttpContent _inner;
    private readonly TracedExchange _exchange;

    public TracedContent(HttpContent inner, TracedExchange exchange)
    {
        (_inner, _exchange) = (inner, exchange);
        foreach (KeyValuePair<string, System.Net.Http.Headers.HeaderStringValues> header in inner.Headers.NonValidated)
        {
            Headers.TryAddWithoutValidation(header.Key, (IEnumerable<string>)header.Value);
        }
    }

    protected override Task<Stream> CreateContentReadStreamAsync() => CreateContentReadStreamAsync(CancellationToken.None);

    protected override async Task<Stream> CreateContentReadStreamAsync(CancellationToken cancellationToken)
        => new TracedStream(await _inner.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false), _exchange);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
    {
        Stream body = await CreateContentReadStreamAsync().ConfigureAwait(false);
        await using (body.ConfigureAwait(false))
        {
            await body.CopyToAsync(stream).ConfigureAwait(false);
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = _inner.Headers.ContentLength ?? -1;
        return length >= 0;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _inner.Dispose();
            _exchange.End(); // a response whose body was not read
        }

        base.Dispose(disposing);
    }
}
