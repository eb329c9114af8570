using Microsoft.Win32.SafeHandles;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>
/// Writes each part at its offset in a temporary file next to the target as it arrives. Only <see cref="Publish"/> changes the target. A sink that is
/// disposed without it deletes the temporary file, unless <see cref="Keep"/> was called.
/// </summary>
internal sealed class FileSink(
    ChunkPool pool, FileTarget target, PartialFile partial, PartWindow window, IDiskFlush flush, TransferReporter reporter, bool sumsContent = false,
    ReusableFile? reusable = null) : IPartSink, IDisposable
{
    /// <summary>The number of bytes to gather for one write. This is about twice as fast as separate writes of 64 KiB chunks.</summary>
    public const int WriteBytes = 1024 * 1024;

    private readonly int _chunksPerWrite = Math.Max(1, WriteBytes / pool.ChunkSize);
    private readonly Lock _writing = new();
    private readonly SortedDictionary<long, CrcSet>? _sums = sumsContent ? [] : null;
    private AtomicFile? _file;
    private NameFlush? _names;

    public async ValueTask<PartReservation> AdmitAsync(long wantBytes, long restBytes, CancellationToken cancellationToken)
    {
        await reporter.Times.EnterAsync(window, cancellationToken).ConfigureAwait(false);
        wantBytes = window.GetRange(wantBytes, restBytes);

        // The disk drains the chunks of a part, so a part needs only the chunks of one write and reuses them.
        int chunks = (int)Math.Min(_chunksPerWrite, Math.Max(1, pool.Budget.GetLimit(MemoryUse.Transient) / pool.ChunkSize));
        chunks = (int)Math.Min(chunks, (wantBytes + pool.ChunkSize - 1) / pool.ChunkSize);
        long since = reporter.Times.Now;
        ChunkLease lease = await pool.LeaseAsync(MemoryUse.Transient, Math.Max(1, chunks), revolving: true, cancellationToken).ConfigureAwait(false);
        reporter.Times.Add(TransferTimeKind.Memory, since);
        return new PartReservation(lease, wantBytes, IsFloor: false);
    }

    /// <summary>Gets the handle of the file, once it is open.</summary>
    public SafeFileHandle Handle => _file!.Handle;

    /// <summary>Gets a value that indicates whether the file was opened, and the state of an earlier run was examined.</summary>
    public bool IsOpen => _file is not null;

    public bool HasFinishedParts => partial.IsFound || reusable is not null;

    public ObjectHead? KnownHead => reusable?.Head;

    public CrcSet.Kinds WantedCrcs => partial.IsWanted || sumsContent ? CrcSet.Kinds.Crc64Nvme : CrcSet.Kinds.None;

    /// <summary>
    /// Opens the file of an earlier run, or creates one with all of its space, so that a full disk is detected before any data is transferred.
    /// </summary>
    public IReadOnlyList<CompletedPart> Open(long length, string? etag)
    {
        _names = target.FlushToDisk ? new NameFlush(target.Path) : null;
        _file = partial.Open(length, etag, out IReadOnlyList<CompletedPart> finished);
        return reusable?.AddTo(finished, length, etag) ?? finished;
    }

    public IPartWriter BeginPart(long offset, long length, PartReservation grant) => new PartWriter(this, offset);

    public void PartFetched()
    {
        window.Fetched();
        window.Leave();
    }

    public bool TryReadBack(CompletedPart part, ChunkLease lease, RangeChecksum checksum, CancellationToken cancellationToken)
    {
        using Chunk? chunk = lease.TryRent(out Chunk? rented) ? rented : null;
        if (reusable?.Has(part) == true)
        {
            bool isReused = chunk is not null && reusable.TryCopy(part, _file!.Handle, chunk.Free.Span, checksum, cancellationToken);
            if (isReused)
            {
                partial.Add(part.At, checksum);
            }

            return isReused;
        }

        while (chunk is not null && checksum.Length < part.Bytes)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Span<byte> room = chunk.Free.Span;
            room = room[..(int)Math.Min(room.Length, part.Bytes - checksum.Length)];
            int read = RandomAccess.Read(_file!.Handle, room, part.At + checksum.Length);
            if (read == 0)
            {
                break;
            }

            checksum.Append(room[..read]);
        }

        bool isThere = checksum.Length == part.Bytes && checksum.Crc.ToBase64(ChecksumAlgorithm.Crc64Nvme) == part.Crc64Nvme;
        if (!isThere)
        {
            partial.Lost(part);
        }

        return isThere;
    }

    /// <summary>Keeps the file for a later run. It is called after the last write.</summary>
    /// <returns>The number of bytes that need not be downloaded again; 0 if nothing is kept.</returns>
    public long Keep()
    {
        long bytes = partial.Keep();
        if (bytes > 0)
        {
            _file?.IsKept = true;
        }

        return bytes;
    }

    public void Fail(Exception error)
    {
        // There is no reader here. The caller gets the exception from the coordinator.
    }

    /// <summary>Sets the properties of the complete file and renames it to the target.</summary>
    /// <param name="info">The object.</param>
    public void Publish(ObjectInfo info)
    {
        long since = reporter.Times.Now;
        target.Publish(_file!, info, flush);
        _names?.Run(flush);
        reporter.Times.Add(TransferTimeKind.Receiving, since);
        reporter.Times.Add(TransferTimeKind.Disk, since);
    }

    /// <summary>Gets the CRC-64/NVME of the complete file, if it was wanted; null if it isn't known of all bytes.</summary>
    public string? Sum(long length)
    {
        CrcSet all = new(CrcSet.Kinds.Crc64Nvme);
        lock (_writing)
        {
            foreach ((long offset, CrcSet part) in _sums!)
            {
                if (offset != all.Length)
                {
                    return null;
                }

                all = all.Then(part);
            }
        }

        return all.Length == length ? all.ToBase64(ChecksumAlgorithm.Crc64Nvme) : null;
    }

    public void Dispose() => _file?.Dispose();

    private void Added(long offset, RangeChecksum checksum, bool isWritten)
    {
        if (isWritten)
        {
            partial.Add(offset, checksum);
        }

        if (_sums is not null && checksum.Length > 0)
        {
            CrcSet crc = checksum.Crc;
            lock (_writing)
            {
                _sums[offset] = crc;
            }
        }
    }

    private string TargetPath => target.Path;

    private void AddWrite(long since) => reporter.Times.Add(TransferTimeKind.Disk, since);

    private long Now => reporter.Times.Now;

    private sealed class PartWriter(FileSink sink, long offset) : IPartWriter
    {
        private readonly List<Chunk> _chunks = new(sink._chunksPerWrite);
        private readonly List<ReadOnlyMemory<byte>> _gathered = new(sink._chunksPerWrite);
        private long _written;

        public bool IsStarved => false;

        public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
        {
            _chunks.Add(chunk);
            if (_chunks.Count == sink._chunksPerWrite || chunk.Lease is not { } lease || _chunks.Count == lease.Chunks)
            {
                Flush();
            }

            return ValueTask.CompletedTask;
        }

        public bool TryWriteOut(Chunk? partial)
        {
            if (partial is not null)
            {
                _chunks.Add(partial);
            }

            Flush();
            return true;
        }

        public void Wake(bool inline)
        {
            // No reader waits for a part of a file.
        }

        public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
        {
            Flush();
            sink.Added(offset, checksum, isWritten: _written > 0); // otherwise, the part was already in the file
            checksum.Complete();
            return ValueTask.CompletedTask;
        }

        public void Fail(Exception error) => ReturnChunks();

        private void Flush()
        {
            if (_chunks.Count == 0)
            {
                return;
            }

            try
            {
                long length = 0;
                foreach (Chunk chunk in _chunks)
                {
                    _gathered.Add(chunk.Filled);
                    length += chunk.Length;
                }

                // The write goes to the page cache and is as fast as a copy. A separate thread would cost more than it saves. Writes are serialized
                // because the kernel serializes the writes of one file too, and threads that wait there spin.
                long since = sink.Now;
                lock (sink._writing)
                {
                    FileContent.Write(sink._file!.Handle, _gathered, offset + _written);
                }

                sink.AddWrite(since);

                _written += length;
            }
            catch (IOException e)
            {
                throw new TransferException($"'{sink.TargetPath}' could not be written: {e.Message}", e);
            }
            finally
            {
                _gathered.Clear();
                ReturnChunks();
            }
        }

        private void ReturnChunks()
        {
            foreach (Chunk chunk in _chunks)
            {
                chunk.Dispose();
            }

            _chunks.Clear();
        }
    }
}
