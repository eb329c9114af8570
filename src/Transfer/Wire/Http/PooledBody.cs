using Transfer.S3.Buffers;

namespace Transfer.S3.Wire.Http;

/// <summary>The whole body of a response that is small enough for memory, such as a page of a listing. An XML reader waits for its stream without a token.</summary>
internal sealed class PooledBody : Stream
{
    private static readonly ReceiveBuffers Arrays = ReceiveBuffers.Documents;
    private static readonly int ChunkBytes = Arrays.Length;

    private readonly List<byte[]> _chunks = [];
    private int _rented; // the first chunks; all others are left to the garbage collector
    private long _length;
    private long _position;

    private PooledBody()
    {
    }

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => _length;

    public override long Position
    {
        get => _position;
        set => _position = value is >= 0 && value <= _length ? value : throw new ArgumentOutOfRangeException(nameof(value), value, $"must be from 0 to {_length}");
    }

    /// <summary>Reads a body until its end, or that of the XML document in it.</summary>
    /// <param name="content">The content.</param>
    /// <param name="maxBytes">The maximum length.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="HttpRequestException">Thrown when the body is longer or incomplete.</exception>
    public static async Task<PooledBody> ReadAsync(HttpContent content, long maxBytes, CancellationToken cancellationToken)
    {
        PooledBody body = new();
        try
        {
            IResponseWatch? watch = ResponseWatch.Current;
            Stream stream = await content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
            int read;
            do
            {
                int used = (int)(body._length % ChunkBytes);
                if (used == 0)
                {
                    body.AddChunk();
                }

                read = await stream.ReadAsync(body._chunks[^1].AsMemory(used, ChunkBytes - used), cancellationToken).ConfigureAwait(false);
                watch?.BytesArrived(read);
                body._length += read;
                if (body._length > maxBytes)
                {
                    throw new HttpRequestException(HttpRequestError.ConfigurationLimitExceeded, $"the response is longer than {ByteSize.Format(maxBytes)}");
                }
            }
            while (read > 0 && !body.IsWholeDocument());
            return body;
        }
        catch
        {
            await body.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public override int Read(Span<byte> buffer)
    {
        int offset = (int)(_position % ChunkBytes);
        int count = (int)Math.Min(Math.Min(buffer.Length, ChunkBytes - offset), _length - _position);
        if (count > 0)
        {
            _chunks[(int)(_position / ChunkBytes)].AsSpan(offset, count).CopyTo(buffer);
            _position += count;
        }

        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override long Seek(long offset, SeekOrigin origin)
        => Position = offset + (origin == SeekOrigin.Begin ? 0 : origin == SeekOrigin.Current ? _position : _length);

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        _length = 0; // nothing can be read anymore
        foreach (byte[] chunk in _chunks.Take(_rented))
        {
            Arrays.Return(chunk);
        }

        _chunks.Clear();
        _rented = 0;
        base.Dispose(disposing);
    }

    /// <summary>Returns whether the end of the document was received. If it isn't in one chunk, the body is read until its own end.</summary>
    private bool IsWholeDocument()
    {
        int used = (int)(((_length - 1) % ChunkBytes) + 1);
        return XmlEnd.IsAt(_chunks[0].AsSpan(0, (int)Math.Min(_length, ChunkBytes)), _chunks[^1].AsSpan(0, used));
    }

    private void AddChunk()
    {
        byte[]? chunk = null;
        if (_rented == _chunks.Count && Arrays.TryRent(out chunk))
        {
            _rented++;
        }

        _chunks.Add(chunk ?? GC.AllocateUninitializedArray<byte>(ChunkBytes));
    }
}
