using Transfer.S3.Buffers;
using Transfer.S3.Download;
using Transfer.S3.Verification;

namespace Transfer.S3.Ranges;

/// <summary>
/// Reads with the memory that a stream owns, if there is none for the cache. It fetches whole pages, so that they can be verified, and keeps the last ones.
/// </summary>
/// <param name="floor">The memory: one chunk for each page. This object owns it.</param>
/// <param name="fetchAsync">Fetches bytes into a writer.</param>
/// <param name="sum">Adds the content of a page to the checksums before a reader gets it; null if the reader doesn't verify.</param>
internal sealed class FloorReader(
    ChunkLease floor, Func<long, long, ChunkLease, IPartWriter, CancellationToken, Task> fetchAsync, Action<long, ReadOnlyMemory<byte>>? sum) : IDisposable
{
    private readonly SemaphoreSlim _turn = new(1);
    private readonly Collector _data = new(sum);
    private long _offset;

    /// <summary>Reads bytes, at least one.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="length">The length of the object.</param>
    /// <param name="buffer">The buffer.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async ValueTask<int> ReadAsync(long offset, long length, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (offset < _offset || offset >= _offset + _data.Length)
            {
                long page = offset / floor.ChunkSize;
                _data.Begin(page);
                _offset = page * floor.ChunkSize;
                await fetchAsync(_offset, Math.Min((long)floor.Chunks * floor.ChunkSize, length - _offset), floor, _data, cancellationToken).ConfigureAwait(false);
            }

            return _data.CopyTo(offset - _offset, buffer.Span);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Returns the chunks of the last bytes. The stream keeps its claim to the memory.</summary>
    public async ValueTask ClearAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        _data.Clear();
        _turn.Release();
    }

    /// <summary>Releases the memory. No read is in progress.</summary>
    public void Dispose()
    {
        _data.Clear();
        floor.Dispose();
        _turn.Dispose();
    }

    private sealed class Collector(Action<long, ReadOnlyMemory<byte>>? sum) : IPartWriter
    {
        private readonly List<Chunk> _chunks = [];
        private long _first;

        public long Length => _chunks.Sum(chunk => (long)chunk.Length);

        public bool IsStarved => false;

        public bool IsHead => true;

        public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
        {
            try
            {
                sum?.Invoke(_first + _chunks.Count, chunk.Filled);
            }
            catch
            {
                chunk.Dispose();
                throw;
            }

            _chunks.Add(chunk);
            return ValueTask.CompletedTask;
        }

        public void Begin(long page)
        {
            Clear();
            _first = page;
        }

        public int CopyTo(long from, Span<byte> buffer)
        {
            int copied = 0;
            foreach (Chunk chunk in _chunks)
            {
                if (from < chunk.Length && copied < buffer.Length)
                {
                    ReadOnlySpan<byte> rest = chunk.Filled.Span[(int)from..];
                    rest = rest[..Math.Min(rest.Length, buffer.Length - copied)];
                    rest.CopyTo(buffer[copied..]);
                    copied += rest.Length;
                }

                from = Math.Max(0, from - chunk.Length);
            }

            return copied;
        }

        public void Clear()
        {
            _chunks.ForEach(static chunk => chunk.Dispose());
            _chunks.Clear();
        }

        public void Wake(bool inline)
        {
            // The reader waits for all of it.
        }

        public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public void Fail(Exception error) => Clear();
    }
}
