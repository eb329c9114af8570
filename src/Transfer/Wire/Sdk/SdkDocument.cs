using System.Net;
using Amazon.Runtime.EventStreams;
using Amazon.Runtime.Internal.Transform;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Wire.Sdk;

/// <summary>
/// A response whose body is a document. The SDK reads a document to its end, however long it is, and waits for more bytes than the document has if the response
/// announced them. As on the library's own wire, the body has a maximum length and ends with the document.
/// </summary>
internal sealed class SdkDocument(IWebResponseData response) : IWebResponseData, IHttpResponseBody
{
    public long ContentLength => response.ContentLength;

    public string ContentType => response.ContentType;

    public HttpStatusCode StatusCode => response.StatusCode;

    public bool IsSuccessStatusCode => response.IsSuccessStatusCode;

    public IHttpResponseBody ResponseBody => this;

    public string[] GetHeaderNames() => response.GetHeaderNames();

    public bool IsHeaderPresent(string headerName) => response.IsHeaderPresent(headerName);

    public string GetHeaderValue(string headerName) => response.GetHeaderValue(headerName);

    public bool IsEventHeaderPresent(string headerName) => response.IsEventHeaderPresent(headerName);

    public IEventStreamHeader GetEventStreamHeader(string headerName) => response.GetEventStreamHeader(headerName);

    public Stream OpenResponse() => new Body(response.ResponseBody.OpenResponse());

    public async Task<Stream> OpenResponseAsync() => new Body(await response.ResponseBody.OpenResponseAsync().ConfigureAwait(false));

    public void Dispose() => response.ResponseBody?.Dispose();

    private sealed class Body(Stream content) : ForwardOnlyStream(content)
    {
        /// <summary>The beginning in which the root element is looked for.</summary>
        private const int BeginBytes = 4096;

        private readonly MemoryStream _begin = new();
        private readonly byte[] _end = new byte[XmlEnd.MaxBytes];
        private int _endBytes;
        private long _bytes;
        private bool _isComplete;

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override int Read(Span<byte> buffer) => _isComplete ? 0 : Received(buffer[..Content.Read(buffer)]);

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            int count = _isComplete ? 0 : await Content.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
            return Received(buffer.Span[..count]);
        }

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                _begin.Dispose();
            }

            base.Dispose(disposing);
        }

        private int Received(ReadOnlySpan<byte> bytes)
        {
            _bytes += bytes.Length;
            if (_bytes > ResponseElement.MaxBytes)
            {
                throw new HttpRequestException(HttpRequestError.ConfigurationLimitExceeded, $"the response is longer than {ByteSize.Format(ResponseElement.MaxBytes)}");
            }

            _begin.Write(bytes[..(int)Math.Min(bytes.Length, BeginBytes - _begin.Length)]);
            int kept = Math.Max(0, Math.Min(_endBytes, _end.Length - bytes.Length));
            _end.AsSpan(_endBytes - kept, kept).CopyTo(_end);
            ReadOnlySpan<byte> last = bytes[Math.Max(0, bytes.Length - _end.Length)..];
            last.CopyTo(_end.AsSpan(kept));
            _endBytes = kept + last.Length;
            _isComplete = XmlEnd.IsAt(_begin.GetBuffer().AsSpan(0, (int)_begin.Length), _end.AsSpan(0, _endBytes));
            return bytes.Length;
        }
    }
}
