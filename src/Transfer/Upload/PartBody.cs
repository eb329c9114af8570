using System.Buffers;
using Transfer.Buffers;
using Transfer.Concurrency;
using Transfer.Integrity;
using Transfer.Observability;

namespace Transfer.Upload;

/// <summary>
/// The data of one part and its checksum, which is computed when the data is added, while it is in the processor's cache. The data can be sent as often as needed.
/// </summary>
/// <remarks>
/// If the source can be read at any offset, memory is released while the part is sent, and the data is read from the source again if necessary
/// (<see cref="PartReader"/>). It must not have changed, so the CRC of the original data is kept. Data that is already in memory is used without a copy
/// (<see cref="Use"/>).
/// </remarks>
internal sealed class PartBody : IDisposable
{
    private readonly ChunkList _chunks;
    private readonly ChunkLease _lease;
    private readonly TransferReporter _reporter;
    private readonly Lock _gate = new();
    private PartChecksum _checksum;
    private CrcSet _crc;
    private SourceReader? _source;
    private ReadOnlySequence<byte>? _inPlace;
    private bool _wasSent;
    private long _sentBytes;
    private long _offset;
    private int _readers;
    private long _filledSince;
    private PausableRun? _pauses;

    /// <param name="lease">The lease that chunks are rented from. The part disposes it.</param>
    /// <param name="size">The maximum number of bytes.</param>
    /// <param name="algorithm">The algorithm of the checksum.</param>
    /// <param name="reporter">Counts the time to fill the part.</param>
    public PartBody(ChunkLease lease, long size, ChecksumAlgorithm algorithm, TransferReporter reporter)
    {
        _reporter = reporter;
        _filledSince = reporter.Now;
        _lease = lease;
        _chunks = new ChunkList(lease);
        _checksum = new PartChecksum(algorithm);
        Size = size;
    }

    /// <summary>Gets the maximum number of bytes.</summary>
    public long Size { get; }

    public bool IsFull => Length == Size;

    public long Length => _inPlace?.Length ?? _chunks.Length;

    public PartChecksum Checksum => _checksum;

    /// <summary>Gets or sets the checksum of the part that the source is verified with, if it is another one; null if there is none.</summary>
    public PartChecksumValue? SourceChecksum { get; set; }

    /// <summary>Gets the error of the wait for memory; null if there was none. It isn't an error of the source.</summary>
    public Exception? MemoryFailure { get; private set; }

    /// <summary>Gets memory for the next bytes.</summary>
    public ValueTask<Memory<byte>> GetMemoryAsync(CancellationToken cancellationToken)
    {
        ValueTask<Memory<byte>> room = _chunks.GetMemoryAsync(cancellationToken);
        return room.IsCompletedSuccessfully ? room : WaitAsync(room);
    }

    /// <summary>Gets memory for the next bytes, unless the part is full or its lease has no chunk left.</summary>
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

    /// <summary>Marks the part as complete: its memory is released while it is sent.</summary>
    public void Settle() => _chunks.Settle();

    /// <summary>Counts bytes that were written to the start of the free memory.</summary>
    public void Advance(int count) => Advance(_chunks.Free, count);

    /// <summary>Counts bytes that were written to the start of <paramref name="memory"/>.</summary>
    public void Advance(ReadOnlyMemory<byte> memory, int count)
    {
        Sum(memory.Span[..count]);
        _chunks.Advance(count);
    }

    /// <summary>Gets the lease for chunks that are filled elsewhere and passed to <see cref="Add"/>.</summary>
    public ChunkLease Lease => _lease;

    /// <summary>Adds a chunk of <see cref="Lease"/>. All chunks except the last must be full. The part owns the chunk from then on.</summary>
    public void Add(Chunk chunk)
    {
        _chunks.Add(chunk);
        Sum(chunk.Filled.Span);
    }

    /// <summary>Uses data without a copy. It is all of the data of the part.</summary>
    /// <param name="bytes">The data.</param>
    /// <param name="source">The source of the data.</param>
    /// <param name="offset">The offset of the part in the source.</param>
    public void Use(in ReadOnlySequence<byte> bytes, SourceReader source, long offset)
    {
        (_inPlace, _source, _offset) = (bytes, source, offset);
        KeepCrc();
        foreach (ReadOnlyMemory<byte> piece in bytes)
        {
            Sum(piece.Span);
        }
    }

    /// <summary>Releases memory while the part is sent. It must be called before the part is filled.</summary>
    /// <param name="source">Reads the data again.</param>
    /// <param name="offset">The offset of the part in the source.</param>
    public void ReleaseWhenSent(SourceReader source, long offset)
    {
        if (Size <= PartReader.MostAtOnce * _chunks.ChunkSize)
        {
            return; // reading it again would need as much memory
        }

        (_source, _offset) = (source, offset);
        _chunks.Keep(PartReader.MostAtOnce);
        KeepCrc();
    }

    /// <summary>
    /// Marks the part as filled. If its data can be read again, its memory is released whenever the transfer is paused, apart from the chunks that readers need.
    /// </summary>
    public void Filled()
    {
        if (_source is not null && _inPlace is null && _reporter.Pause is { } gate)
        {
            _pauses = PausableRun.Begin(gate, ReleaseUnread);
        }
    }

    /// <summary>Opens a reader of the data for one request. At most <see cref="PartReader.MostAtOnce"/> can be open.</summary>
    /// <param name="send">Measures how fast the data is sent; null if that isn't needed.</param>
    public PartReader OpenReader(PartSend? send = null)
    {
        lock (_gate)
        {
            _readers++;
            CrcSet first = _crc.Computed == CrcSet.Kinds.None ? _checksum.Crc : _crc;
            return new PartReader(this, first, _inPlace is { } bytes ? new SequenceBytes(bytes) : null, send);
        }
    }

    /// <summary>Replaces the checksum with that of another algorithm. It must be called after the part was filled.</summary>
    public void UseChecksum(ChecksumAlgorithm algorithm, PartReader reader)
    {
        if (_checksum.Algorithm != algorithm)
        {
            PartChecksum other = Compute(algorithm, reader);
            lock (_gate)
            {
                _crc = _crc.Computed == CrcSet.Kinds.None ? _checksum.Crc : _crc;
                _checksum.Dispose();
                _checksum = other;
            }
        }
    }

    /// <summary>Computes the MD5 of the data, in base64.</summary>
    public string ComputeMd5()
    {
        using PartReader reader = OpenReader();
        using PartChecksum md5 = Compute(ChecksumAlgorithm.Md5, reader);
        return md5.ToBase64()!;
    }

    /// <summary>
    /// Gets a value that indicates whether a new reader could get other data than was sent before, because some of it was released and is read from the source, or
    /// because it belongs to the caller.
    /// </summary>
    internal bool MayDiffer
    {
        get
        {
            lock (_gate)
            {
                return _inPlace is null ? _chunks.ReleasedBytes > 0 : _wasSent;
            }
        }
    }

    /// <summary>Reads bytes that were not released.</summary>
    internal bool TryRead(long offset, out ReadOnlyMemory<byte> memory)
    {
        lock (_gate)
        {
            bool isThere = offset >= _chunks.ReleasedBytes;
            memory = isThere ? _chunks.Read(offset) : default;
            return isThere;
        }
    }

    /// <summary>Reads a chunk from the source again.</summary>
    /// <param name="index">The index of the chunk.</param>
    /// <param name="chunk">The chunk for the data; it is rented if it is null.</param>
    internal Memory<byte> ReadAgain(int index, ref Chunk? chunk)
    {
        if (chunk is null && !_chunks.TryRentKept(out chunk))
        {
            throw new InvalidOperationException("More readers are open than chunks were kept for."); // a bug
        }

        long at = (long)index * _chunks.ChunkSize;
        Memory<byte> memory = chunk.Free[..(int)Math.Min(_chunks.ChunkSize, Length - at)];
        _source!.ReadAgain(_offset + at, memory.Span);
        return memory;
    }

    /// <summary>Counts the bytes before an offset as sent. Bytes that are sent again count once.</summary>
    public void CountSent(long offset)
    {
        long count;
        lock (_gate)
        {
            count = offset - _sentBytes;
            _sentBytes = Math.Max(offset, _sentBytes);
        }

        if (count > 0)
        {
            _reporter.AddBytes(count);
        }
    }

    /// <summary>Releases the memory of the data before an offset, unless another reader uses it or it belongs to the caller.</summary>
    internal void Release(long offset)
    {
        lock (_gate)
        {
            if (_inPlace is not null)
            {
                _wasSent = true;
                return;
            }

            // Release at least two chunks at a time, so that each reader that needs the bytes again has one.
            if (_source is not null && _readers == 1 && offset >= PartReader.MostAtOnce * _chunks.ChunkSize)
            {
                _chunks.Release(offset);
            }
        }
    }

    internal int ChunkSize => _chunks.ChunkSize;

    internal TransferException Changed() => _source!.Changed(_offset, Length);

    internal void Closed()
    {
        lock (_gate)
        {
            _readers--;
        }
    }

    public void Dispose()
    {
        _pauses?.Dispose();
        lock (_gate)
        {
            _chunks.Dispose();
        }

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

    private void ReleaseUnread()
    {
        lock (_gate)
        {
            if (_readers == 0)
            {
                _chunks.Release(Length);
            }
        }
    }

    /// <summary>Computes a CRC to compare data with when it is read again, regardless of the algorithm of the checksum.</summary>
    private void KeepCrc()
    {
        if (_checksum.Algorithm.Crc() == CrcSet.Kinds.None)
        {
            _crc = new CrcSet(CrcSet.Kinds.Crc64Nvme);
        }
    }

    private void Sum(ReadOnlySpan<byte> bytes)
    {
        _checksum.Append(bytes);
        if (_crc.Computed != CrcSet.Kinds.None)
        {
            _crc.Append(bytes);
        }
    }

    private PartChecksum Compute(ChecksumAlgorithm algorithm, PartReader reader)
    {
        PartChecksum checksum = new(algorithm);
        for (long at = 0; at < Length;)
        {
            ReadOnlySpan<byte> piece = reader.Read(at).Span;
            checksum.Append(piece);
            at += piece.Length;
        }

        return checksum;
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
