using Microsoft.Win32.SafeHandles;
using Transfer.Buffers;
using Transfer.Concurrency;
using Transfer.Files;
using Transfer.Integrity;
using Transfer.Observability;

namespace Transfer.Download;

/// <summary>
/// Writes every part where it belongs in a file beside the target, as it arrives. The target's name is touched only by <see cref="Publish"/>; a sink that is
/// disposed without it leaves nothing behind, unless <see cref="Keep"/> was called.
/// </summary>
internal sealed class FileSink(
    ChunkPool pool, FileTarget target, PartialFile partial, PartWindow window, IDiskFlush flush, TransferReporter reporter) : IPartSink, IDisposable
{
    /// <summary>Bytes gathered for one write: about twice as fast as writing each 64 KiB chunk by itself.</summary>
    public const int WriteBytes = 1024 * 1024;

    private readonly int _chunksPerWrite = Math.Max(1, WriteBytes / pool.ChunkSize);
    private readonly Lock _writing = new();
    private NewFile? _file;
    private NameFlush? _names;

    public async ValueTask<PartGrant> AdmitAsync(long wantBytes, long restBytes, CancellationToken cancellationToken)
    {
        await reporter.EnterAsync(window, cancellationToken).ConfigureAwait(false);
        wantBytes = restBytes == long.MaxValue ? wantBytes : window.RangeOf(wantBytes, restBytes);

        // The disk drains what a part holds, so it needs the chunks of one write and uses them again and again.
        int chunks = (int)Math.Min(_chunksPerWrite, Math.Max(1, pool.Budget.LimitOf(MemoryUse.Transient) / pool.ChunkSize));
        chunks = (int)Math.Min(chunks, (wantBytes + pool.ChunkSize - 1) / pool.ChunkSize);
        long since = reporter.Now;
        ChunkLease lease = await pool.LeaseAsync(MemoryUse.Transient, Math.Max(1, chunks), revolving: true, cancellationToken).ConfigureAwait(false);
        reporter.AddTime(TransferTimeKind.Memory, since);
        return new PartGrant(lease, wantBytes, IsFloor: false);
    }

    /// <summary>The file, once it is open.</summary>
    public SafeFileHandle Handle => _file!.Handle;

    /// <summary>Whether the file was opened, and what an earlier run had left of it was looked at.</summary>
    public bool IsOpen => _file is not null;

    public bool HasFinishedParts => partial.IsFound;

    public CrcSet.Kinds WantedCrcs => partial.IsWanted ? CrcSet.Kinds.Crc64Nvme : CrcSet.Kinds.None;

    /// <summary>Makes the file with all of its space, so that a full disk is known before any byte moves; or opens what an earlier run has left of it.</summary>
    public IReadOnlyList<FinishedPart> Open(long length, string? etag)
    {
        _names = target.FlushToDisk ? new NameFlush(target.Path) : null;
        _file = partial.Open(length, etag, out IReadOnlyList<FinishedPart> finished);
        return finished;
    }

    public IPartWriter BeginPart(long offset, long length, PartGrant grant) => new PartWriter(this, offset);

    public void PartFetched()
    {
        window.Fetched();
        window.Leave();
    }

    public bool TryReadBack(FinishedPart part, ChunkLease lease, RangeChecksum checksum, CancellationToken cancellationToken)
    {
        using Chunk? chunk = lease.TryRent(out Chunk? rented) ? rented : null;
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

    /// <summary>Leaves what is there of the file to a later run. Called when nothing is written any more.</summary>
    /// <returns>Bytes that it need not fetch again; 0 where nothing is left.</returns>
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
        // Nobody reads from here: the coordinator's own failure is what the caller sees.
    }

    /// <summary>Gives the finished file its properties and its name.</summary>
    /// <param name="info">The object.</param>
    public void Publish(ObjectInfo info)
    {
        long since = reporter.Now;
        target.Publish(_file!, info, flush);
        _names?.Run(flush);
        reporter.AddTime(TransferTimeKind.Receiving, since);
        reporter.AddTime(TransferTimeKind.Disk, since);
    }

    public void Dispose() => _file?.Dispose();

    private void Added(long offset, RangeChecksum checksum) => partial.Add(offset, checksum);

    private string TargetPath => target.Path;

    private void AddWrite(long since) => reporter.AddTime(TransferTimeKind.Disk, since);

    private long Now => reporter.Now;

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

        public void Wake(bool inline)
        {
            // Nobody waits for a part of a file.
        }

        public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
        {
            Flush();
            if (_written > 0) // otherwise the part was there already
            {
                sink.Added(offset, checksum);
            }

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

                // Into the page cache: as fast as a copy, and a thread of its own for it would cost more than it saves. One at a time, because
                // the kernel writes one file one at a time too, and writers that wait there spin.
                long since = sink.Now;
                lock (sink._writing)
                {
                    RandomAccess.Write(sink._file!.Handle, _gathered, offset + _written);
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
