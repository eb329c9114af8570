using System.Net;

namespace Transfer.S3.Bench.Operations;

/// <summary>The content of a response, which reports once how it ended: at its last byte, or when it is disposed before that.</summary>
internal sealed class TimedContent : HttpContent
{
    private readonly HttpContent _content;
    private readonly Action<long, Exception?> _ended;
    private readonly long? _length;

    public TimedContent(HttpContent content, Action<long, Exception?> ended)
    {
        _content = content;
        _ended = ended;
        _length = content.Headers.ContentLength;
        foreach ((string name, IEnumerable<string> values) in content.Headers)
        {
            Headers.TryAddWithoutValidation(name, values);
        }
    }

    protected override async Task<Stream> CreateContentReadStreamAsync() => new TimedStream(await _content.ReadAsStreamAsync().ConfigureAwait(false), _length, _ended);

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
        length = _length ?? 0; // not the header, which would call this method again
        return _length is not null;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _content.Dispose();
        }

        base.Dispose(disposing);
    }

    private sealed class TimedStream(Stream body, long? length, Action<long, Exception?> ended) : ForwardStream
    {
        private long _received;
        private int _told;

        public override bool CanRead => true;

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            int count;
            try
            {
                count = await body.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                Tell(e);
                throw;
            }

            Count(count);
            return count;
        }

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
            => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override int Read(byte[] buffer, int offset, int count)
        {
            int read = body.Read(buffer, offset, count);
            Count(read);
            return read;
        }

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                Tell(new OperationCanceledException("The response was not read to its end."));
                body.Dispose();
            }

            base.Dispose(disposing);
        }

        private void Count(int count)
        {
            _received += count;
            if (count == 0 || _received >= length)
            {
                Tell(null);
            }
        }

        private void Tell(Exception? error)
        {
            if (Interlocked.Exchange(ref _told, 1) == 0)
            {
                ended(_received, error);
            }
        }
    }
}
