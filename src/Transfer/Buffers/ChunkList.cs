using System.Buffers;

namespace Transfer.Buffers;

/// <summary>
/// A body of known length in chunks that can be read as often as needed: what an upload keeps until the store has confirmed a
/// part. Filled first, then read; it is not changed while somebody reads it.
/// </summary>
internal sealed class ChunkList(ChunkLease lease) : IDisposable
{
    private readonly List<Chunk> _chunks = new(lease.Chunks);
    private bool _disposed;

    public long Length { get; private set; }

    /// <summary>The room that is left in the last chunk.</summary>
    public Memory<byte> Free => _chunks.Count == 0 ? default : _chunks[^1].Free;

    /// <summary>Room for more bytes: the rest of the last chunk, or a new one. The lease must still have one.</summary>
    public async ValueTask<Memory<byte>> GetMemoryAsync(CancellationToken cancellationToken)
    {
        if (_chunks.Count == 0 || _chunks[^1].IsFull)
        {
            _chunks.Add(await lease.RentAsync(cancellationToken).ConfigureAwait(false));
        }

        return _chunks[^1].Free;
    }

    /// <summary>Room for more bytes, if the lease has a chunk left where one is needed.</summary>
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

    /// <summary>Nothing more is added: what the list holds drains without a caller from now on.</summary>
    public void Settle() => lease.Settle();

    public void Advance(int count)
    {
        _chunks[^1].Advance(count);
        Length += count;
    }

    /// <summary>The bytes as one sequence, valid until the list is disposed.</summary>
    public ReadOnlySequence<byte> AsSequence()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        Chunk? previous = null;
        foreach (Chunk chunk in _chunks)
        {
            chunk.Link(previous);
            previous = chunk;
        }

        return previous is null ? ReadOnlySequence<byte>.Empty : new ReadOnlySequence<byte>(_chunks[0], 0, previous, previous.Length);
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
