using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;

namespace Transfer.S3.Upload;

/// <summary>Reads the data of a part for one request: from memory, which can belong to the caller, or from the source again.</summary>
/// <remarks>
/// The CRC of data that is read again is compared with that of the data that was read first. The last bytes are returned only if it is equal, so no request with different
/// data is ever complete.
/// </remarks>
internal sealed class PartReader : IBodyBytes, IDisposable
{
    /// <summary>The maximum number of readers of a part: one for a request, and one for a second request while the first is in flight.</summary>
    public const int MostAtOnce = 2;

    // An abandoned connection can read for a short time after the part was disposed, when the memory may have another owner.
    private readonly Lock _gate = new();
    private readonly PartBody _body;
    private readonly CrcSet _first;
    private readonly SequenceBytes? _inPlace;
    private readonly PartSend? _send;
    private readonly AgainPiece[] _again;
    private long _next = long.MaxValue;
    private bool _compares;
    private CrcSet _crc;
    private bool _disposed;

    /// <param name="body">The part.</param>
    /// <param name="first">The CRC of the original data.</param>
    /// <param name="inPlace">The data if it is in memory of the caller; otherwise, null.</param>
    /// <param name="send">Measures how fast the data is sent; null if that isn't needed.</param>
    internal PartReader(PartBody body, in CrcSet first, SequenceBytes? inPlace, PartSend? send = null)
    {
        (_body, _first, _inPlace, _send) = (body, first, inPlace, send);
        _again = body.IsReadAgain ? new AgainPiece[body.ChunksPerReader] : [];
    }

    public long Length => _body.Length;

    public int ValidPieces => _body.IsReadAgain ? _again.Length : int.MaxValue;

    /// <summary>Gets the reason why the bytes could not be read; null if they could.</summary>
    public TransferException? Failure { get; private set; }

    public ReadOnlyMemory<byte> Read(long offset, int count = int.MaxValue)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            try
            {
                MoveTo(offset);
                return ReadNext(count);
            }
            catch (TransferException e)
            {
                _next = long.MaxValue;
                Failure = e;
                throw;
            }
        }
    }

    public void Sent(long offset)
    {
        lock (_gate)
        {
            if (!_disposed)
            {
                _body.CountSent(offset);
                _send?.Sent(offset);
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            if (!_disposed)
            {
                _disposed = true;
                foreach (AgainPiece piece in _again)
                {
                    piece.Chunk?.Dispose();
                }
            }
        }
    }

    /// <summary>Moves to an offset. If data is compared, all data before the offset is read.</summary>
    private void MoveTo(long offset)
    {
        if (offset < _next)
        {
            (_next, _compares) = (0, _body.MayDiffer);
            _crc = new CrcSet(_first.Computed);
        }

        while (_compares && _next < offset)
        {
            ReadNext((int)Math.Min(offset - _next, int.MaxValue));
        }

        _next = offset;
    }

    private ReadOnlyMemory<byte> ReadNext(int count)
    {
        ReadOnlyMemory<byte> memory = _inPlace is not null ? _inPlace.Read(_next) : _body.IsReadAgain ? ReadAgain(_next) : _body.Read(_next);
        memory = memory[..Math.Min(count, memory.Length)];
        _next += memory.Length;
        if (_compares)
        {
            _crc.Append(memory.Span);
            if (_next == Length && !_crc.IsSame(_first))
            {
                throw _body.Changed();
            }
        }

        return memory;
    }

    private ReadOnlyMemory<byte> ReadAgain(long offset)
    {
        if (offset == Length)
        {
            return default;
        }

        int index = (int)(offset / _body.ChunkSize);
        ref AgainPiece piece = ref _again[index % _again.Length];
        if (piece.Chunk is null || piece.Index != index)
        {
            piece.Index = -1;
            piece.Bytes = _body.ReadAgain(index, ref piece.Chunk);
            piece.Index = index;
        }

        return piece.Bytes[(int)(offset % _body.ChunkSize)..];
    }

    /// <summary>A chunk of data that was read again.</summary>
    private struct AgainPiece
    {
        public Chunk? Chunk;
        public ReadOnlyMemory<byte> Bytes;
        public int Index;
    }
}
