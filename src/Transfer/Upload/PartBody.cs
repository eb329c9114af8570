using System.Buffers;
using Transfer.Buffers;
using Transfer.Integrity;
using Transfer.Observability;

namespace Transfer.Upload;

/// <summary>
/// One part's bytes and their checksum, which is computed as they come in, while they are in the processor's cache. They can be sent
/// as often as it takes.
/// </summary>
internal sealed class PartBody : IDisposable
{
    private readonly ChunkList _chunks;
    private readonly TransferReporter _reporter;
    private PartChecksum _checksum;
    private long _filledSince;

    /// <param name="lease">What its chunks are rented from; the body gives it back.</param>
    /// <param name="size">Bytes that it is for, at the most.</param>
    /// <param name="algorithm">Of the checksum.</param>
    /// <param name="reporter">Counts the time that it takes to fill the part.</param>
    public PartBody(ChunkLease lease, long size, ChecksumAlgorithm algorithm, TransferReporter reporter)
    {
        _reporter = reporter;
        _filledSince = reporter.Now;
        _chunks = new ChunkList(lease);
        _checksum = new PartChecksum(algorithm);
        Size = size;
    }

    /// <summary>Bytes that it is for, at the most.</summary>
    public long Size { get; }

    public bool IsFull => Length == Size;

    public long Length => _chunks.Length;

    public PartChecksum Checksum => _checksum;

    /// <summary>Why there was no memory for it; null if there was. A source that meets this did not fail.</summary>
    public Exception? MemoryFailure { get; private set; }

    /// <summary>Room for the next bytes.</summary>
    public ValueTask<Memory<byte>> GetMemoryAsync(CancellationToken cancellationToken)
    {
        ValueTask<Memory<byte>> room = _chunks.GetMemoryAsync(cancellationToken);
        return room.IsCompletedSuccessfully ? room : WaitAsync(room);
    }

    /// <summary>Room for the next bytes of those that it is for, if its lease has a chunk left.</summary>
    public bool TryGetRoom(out Memory<byte> room)
    {
        if (IsFull || !_chunks.TryGetMemory(out room))
        {
            room = default;
            return false;
        }

        room = room.Length > Size - Length ? room[..(int)(Size - Length)] : room;
        return true;
    }

    /// <summary>Nothing more comes in: its memory drains as it is sent.</summary>
    public void Settle() => _chunks.Settle();

    /// <summary>Counts bytes that were written to the start of the room.</summary>
    public void Advance(int count) => Advance(_chunks.Free, count);

    /// <summary>Counts bytes that were written to <paramref name="memory"/>, from its start.</summary>
    public void Advance(ReadOnlyMemory<byte> memory, int count)
    {
        _checksum.Append(memory.Span[..count]);
        _chunks.Advance(count);
    }

    /// <summary>Has the checksum of another algorithm from now on: of the bytes that are here, and of those to come.</summary>
    public void UseChecksum(ChecksumAlgorithm algorithm)
    {
        if (_checksum.Algorithm == algorithm)
        {
            return;
        }

        _checksum.Dispose();
        _checksum = new PartChecksum(algorithm);
        foreach (ReadOnlyMemory<byte> memory in AsSequence())
        {
            _checksum.Append(memory.Span);
        }
    }

    public ReadOnlySequence<byte> AsSequence() => _chunks.AsSequence();

    public void Dispose()
    {
        _chunks.Dispose();
        _checksum.Dispose();
    }

    /// <summary>Counts the time since the part was opened, or since the last call, without waits for memory.</summary>
    /// <param name="kind">What fills the part; null if the time is not to be counted.</param>
    public void CountFilling(TransferTimeKind? kind)
    {
        if (kind is { } filling)
        {
            _reporter.AddTime(filling, _filledSince);
        }

        _filledSince = _reporter.Now;
    }

    private async ValueTask<Memory<byte>> WaitAsync(ValueTask<Memory<byte>> room)
    {
        long since = _reporter.Now;
        try
        {
            Memory<byte> memory = await room.ConfigureAwait(false);
            _reporter.AddTime(TransferTimeKind.Memory, since);
            _filledSince += _reporter.Now - since;
            return memory;
        }
        catch (InvalidOperationException e)
        {
            MemoryFailure = e;
            throw;
        }
    }
}
