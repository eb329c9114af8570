using System.Buffers;
using System.Runtime.ExceptionServices;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The data of one part and its checksum, which is sent before the data. The data can be sent as often as needed.</summary>
/// <remarks>
/// Data that can be read only once is kept in chunks (<see cref="Add"/>). Data that is already in memory is used without a copy (<see cref="Use"/>). A source that can be
/// read at any offset is read twice instead of being kept in memory: for the checksum (<see cref="ReadOnce"/>), and while the part is sent (<see cref="PartReader"/>). A file
/// is in the page cache the second time. In both cases, the data must not have changed, so the CRC of the first time is kept.
/// </remarks>
internal sealed class PartBody : IDisposable
{
    /// <summary>The number of chunks that a reader of a source fills before they are sent at once: a call of the system costs as much as a copy of some of them.</summary>
    internal const int MostChunksPerReader = 8;

    /// <summary>The number of readers that the memory of an upload is enough for.</summary>
    private const int LeastReaders = PartReader.MostAtOnce * TransferDefaults.MostConcurrency;

    private readonly ChunkList _chunks;
    private readonly ChunkLease _lease;
    private readonly TransferReporter _reporter;
    private readonly Lock _gate = new();
    private readonly PartChecksum? _signed;
    private PartChecksum _checksum;
    private CrcSet _crc;
    private SourceReader? _source;
    private ReadOnlySequence<byte>? _inPlace;
    private long _sentBytes;
    private long _offset;
    private long _readLength;
    private long _filledSince;

    /// <param name="lease">The lease that chunks are rented from. The part disposes it.</param>
    /// <param name="size">The maximum number of bytes.</param>
    /// <param name="algorithm">The algorithm of the checksum.</param>
    /// <param name="isSigned">Whether the data is probably signed.</param>
    /// <param name="reporter">Counts the time to fill the part.</param>
    public PartBody(ChunkLease lease, long size, ChecksumAlgorithm algorithm, bool isSigned, TransferReporter reporter)
    {
        _reporter = reporter;
        _filledSince = reporter.Times.Now;
        _lease = lease;
        _chunks = new ChunkList(lease);
        _checksum = new PartChecksum(algorithm);
        _signed = isSigned && algorithm != ChecksumAlgorithm.Sha256 ? new PartChecksum(ChecksumAlgorithm.Sha256) : null;
        Size = size;
    }

    /// <summary>Gets the maximum number of bytes.</summary>
    public long Size { get; }

    public bool IsFull => Length == Size;

    public long Length => _inPlace?.Length ?? (IsReadAgain ? _readLength : _chunks.Length);

    public PartChecksum Checksum => _checksum;

    /// <summary>Gets the SHA-256 of the data for its signature, in lowercase hexadecimal digits; null if it wasn't computed while the data was read.</summary>
    public string? Sha256
    {
        get
        {
            lock (_gate)
            {
                PartChecksum? sum = _signed ?? (_checksum.Algorithm == ChecksumAlgorithm.Sha256 ? _checksum : null);
                return sum?.Digest is { } digest ? Convert.ToHexStringLower(digest) : null;
            }
        }
    }

    /// <summary>Gets or sets the checksum of the part that the source is verified with, if it is another one; null if there is none.</summary>
    public PartChecksumValue? SourceChecksum { get; set; }

    /// <summary>Gets the error of a wait for memory whose client was disposed; null if there was none. It isn't an error of the source.</summary>
    public ObjectDisposedException? ClientDisposed { get; private set; }

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

    /// <summary>Marks the part as complete: its memory is released when it was sent, without its caller.</summary>
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
            // In steps, so that the second checksum finds the data in the cache.
            for (int at = 0; at < piece.Length; at += _chunks.ChunkSize)
            {
                Sum(piece.Span[at..Math.Min(at + _chunks.ChunkSize, piece.Length)]);
            }
        }
    }

    /// <summary>Reads all data of the part for its checksum. It is read again when the part is sent, unless it fits into the memory that this takes.</summary>
    /// <param name="source">Reads the data.</param>
    /// <param name="offset">The offset of the part in the source.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public void ReadOnce(SourceReader source, long offset, CancellationToken cancellationToken)
    {
        if (Size <= (long)_lease.Chunks * _chunks.ChunkSize)
        {
            while (TryGetRoom(out Memory<byte> room))
            {
                source.ReadAt(offset + Length, room.Span);
                Advance(room, room.Length);
            }

            return;
        }

        (_source, _offset) = (source, offset);
        KeepCrc();
        using Chunk chunk = RentChunk();
        while (_readLength < Size)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Span<byte> piece = chunk.Free.Span[..(int)Math.Min(_chunks.ChunkSize, Size - _readLength)];
            source.ReadAt(offset + _readLength, piece);
            Sum(piece);
            _readLength += piece.Length;
        }
    }

    /// <summary>Gets the memory of a part that is read twice, in bytes.</summary>
    /// <param name="size">The size of the part.</param>
    /// <param name="chunkSize">The size of a chunk.</param>
    /// <param name="memoryBytes">The memory of the client.</param>
    public static long GetMemory(long size, int chunkSize, long memoryBytes)
        => Math.Min(size, PartReader.MostAtOnce * Math.Clamp(UploadRequest.ShareOf(memoryBytes) / LeastReaders / chunkSize, 1, MostChunksPerReader) * chunkSize);

    /// <summary>Sends a request with the data.</summary>
    public async Task<T> SendAsync<T>(ChecksumAlgorithm algorithm, RequestAttempt attempt, Func<RequestBody, Task<T>> sendAsync)
    {
        using PartSend? send = attempt.BeginSend(Length);
        using PartReader bytes = OpenReader(send);
        try
        {
            UseChecksum(algorithm, bytes);
            T result = await sendAsync(
                new RequestBody(bytes, Checksum.ToBase64(), Sha256, attempt.Guard.TouchBody, attempt.Guard.Pace is { } pace ? pace.TakePieceAsync : null)).ConfigureAwait(false);
            if (send is not null)
            {
                attempt.Confirmed(send);
            }

            return result;
        }
        catch (Exception e) when (bytes.Failure is { } failure && e != failure)
        {
            ExceptionDispatchInfo.Throw(failure); // not an error of the store, although it ended the request
            throw;
        }
    }

    /// <summary>Opens a reader of the data for one request. At most <see cref="PartReader.MostAtOnce"/> can be open.</summary>
    /// <param name="send">Measures how fast the data is sent; null if that isn't needed.</param>
    public PartReader OpenReader(PartSend? send = null)
    {
        lock (_gate)
        {
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

    /// <summary>Gets a value that indicates whether the data is not in memory.</summary>
    internal bool IsReadAgain => _source is not null && _inPlace is null;

    /// <summary>
    /// Gets a value that indicates whether a reader could get other data than was read first, because it is read from the source, or because it belongs to the caller and
    /// isn't sent for the first time.
    /// </summary>
    internal bool MayDiffer
    {
        get
        {
            lock (_gate)
            {
                return IsReadAgain || (_inPlace is not null && _sentBytes > 0);
            }
        }
    }

    /// <summary>Reads bytes that are kept in chunks.</summary>
    internal ReadOnlyMemory<byte> Read(long offset)
    {
        lock (_gate)
        {
            return _chunks.Read(offset);
        }
    }

    /// <summary>Gets the number of chunks that each reader can rent.</summary>
    internal int ChunksPerReader => Math.Max(1, _lease.Chunks / PartReader.MostAtOnce);

    /// <summary>Reads a chunk of data from the source again.</summary>
    /// <param name="index">The index of the chunk.</param>
    /// <param name="chunk">The chunk for the data; it is rented if it is null.</param>
    internal Memory<byte> ReadAgain(int index, ref Chunk? chunk)
    {
        chunk ??= RentChunk();
        long at = (long)index * _chunks.ChunkSize;
        Memory<byte> memory = chunk.Free[..(int)Math.Min(_chunks.ChunkSize, Length - at)];
        _source!.ReadAt(_offset + at, memory.Span);
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
            _reporter.Bytes.Add(count);
        }
    }

    internal int ChunkSize => _chunks.ChunkSize;

    internal TransferException Changed() => _source!.Changed(_offset, Length);

    public void Dispose()
    {
        lock (_gate)
        {
            _chunks.Dispose();
        }

        _checksum.Dispose();
        _signed?.Dispose();
    }

    /// <summary>Counts the time since the part was opened, or since the last call, without waits for memory.</summary>
    /// <param name="kind">What fills the part; null if the time is not to be counted.</param>
    public void CountFilling(TransferTimeKind? kind)
    {
        if (kind is { } filling)
        {
            _reporter.Times.Add(filling, _filledSince);
        }

        _filledSince = _reporter.Times.Now;
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
        _signed?.Append(bytes);
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

    private Chunk RentChunk() => _lease.TryRent(out Chunk? chunk) ? chunk
        : throw new InvalidOperationException("More readers are open than chunks are leased for."); // a bug

    private async ValueTask<Memory<byte>> WaitAsync(ValueTask<Memory<byte>> room)
    {
        long since = _reporter.Times.Now;
        try
        {
            Memory<byte> memory = await room.ConfigureAwait(false);
            _reporter.Times.Add(TransferTimeKind.Memory, since);
            _filledSince += _reporter.Times.Now - since;
            return memory;
        }
        catch (ObjectDisposedException e)
        {
            ClientDisposed = e;
            throw;
        }
    }
}
