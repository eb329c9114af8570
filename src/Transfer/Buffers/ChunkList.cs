namespace Transfer.S3.Buffers;

/// <summary>The data of a part, in chunks. It is filled first and then read as often as needed. Nothing is added while it is read.</summary>
internal sealed class ChunkList(ChunkLease lease) : IDisposable
{
    private readonly List<Chunk> _chunks = new(lease.Chunks);
    private bool _disposed;

    public long Length { get; private set; }

    /// <summary>Gets the number of bytes in a chunk. All chunks except the last are full.</summary>
    public int ChunkSize => lease.ChunkSize;

    /// <summary>Gets the free memory in the last chunk.</summary>
    public Memory<byte> Free => _chunks.Count == 0 ? default : _chunks[^1].Free;

    /// <summary>Gets memory for more data: the rest of the last chunk, or a new chunk. The lease must have one.</summary>
    public async ValueTask<Memory<byte>> GetMemoryAsync(CancellationToken cancellationToken)
    {
        if (_chunks.Count == 0 || _chunks[^1].IsFull)
        {
            _chunks.Add(await lease.RentAsync(cancellationToken).ConfigureAwait(false));
        }

        return _chunks[^1].Free;
    }

    /// <summary>Adds a chunk that was rented from the lease and filled. The list owns it from then on.</summary>
    public void Add(Chunk chunk)
    {
        _chunks.Add(chunk);
        Length += chunk.Filled.Length;
    }

    /// <summary>Gets memory for more data, unless a new chunk is needed and the lease has none.</summary>
    public bool TryGetMemory(out Memory<byte> memory)
    {
        if (_chunks.Count == 0 || _chunks[^1].IsFull)
        {
            if (!lease.TryRent(out Chunk? chunk))
            {
                memory = default;
                return false;
            }

            _chunks.Add(chunk);
        }

        memory = _chunks[^1].Free;
        return true;
    }

    /// <summary>Marks the list as complete: its memory is released without a caller from now on.</summary>
    public void Settle() => lease.Settle();

    public void Advance(int count)
    {
        _chunks[^1].Advance(count);
        Length += count;
    }

    /// <summary>Gets the bytes from an offset to the end of their chunk.</summary>
    public ReadOnlyMemory<byte> Read(long offset)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return offset == Length ? default : _chunks[(int)(offset / ChunkSize)].Filled[(int)(offset % ChunkSize)..];
    }

    public void Dispose()
    {
        if (!_disposed)
        {
            _disposed = true;
            foreach (Chunk chunk in _chunks)
            {
                chunk.Dispose();
            }

            _chunks.Clear();
            lease.Dispose();
        }
    }
}
