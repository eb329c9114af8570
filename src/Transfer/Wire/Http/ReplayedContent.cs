using System.Net;

namespace Transfer.S3.Wire.Http;

/// <summary>The content of a response whose body was already read in part.</summary>
internal sealed class ReplayedContent : HttpContent
{
    private readonly HttpContent _former;
    private readonly Stream _body;

    /// <param name="former">The content of the response, which is disposed together with this one.</param>
    /// <param name="body">The whole body.</param>
    public ReplayedContent(HttpContent former, Stream body)
    {
        (_former, _body) = (former, body);
        foreach ((string name, System.Net.Http.Headers.HeaderStringValues values) in former.Headers.NonValidated)
        {
            Headers.TryAddWithoutValidation(name, values);
        }

        Headers.ContentLength = former.Headers.ContentLength;
    }

    protected override Task<Stream> CreateContentReadStreamAsync() => Task.FromResult(_body);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => _body.CopyToAsync(stream);

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _former.Dispose();
        }

        base.Dispose(disposing);
    }
}
