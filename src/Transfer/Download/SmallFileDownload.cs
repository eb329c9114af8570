using Transfer.S3.Buffers;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>
/// Downloads an object with one request and one write. The content is verified before a file is created. The components that assemble larger objects
/// aren't needed; they would be a considerable part of the cost of a small object.
/// </summary>
internal static class SmallFileDownload
{
    /// <summary>Returns whether an object is known to be small enough.</summary>
    public static bool Takes(DownloadRequest request, ChunkPool pool)
        => request is { StartsAtOnce: true, Range: null, AlignsToStoredParts: false }
            && request.Hint!.Length <= Math.Min(request.PartSizeBytes, FileSink.WriteBytes)
            && (long)pool.ChunksFor(request.Hint.Length) * pool.ChunkSize <= pool.Budget.GetLimit(MemoryUse.Transient);

    public static async Task<CompletedDownload> RunAsync(TransferRun run, DownloadRequest request, FileTarget target, CancellationToken cancellationToken)
    {
        long length = request.Hint!.Length;
        run.Reporter.SetTotal(length, 1);
        using ContentVerifier verifier = new(request.Address, request.Verify);
        PartFetcher fetcher = new(run, request.Address, request.Condition, verifier);
        fetcher.Pin(length, request.Hint.ETag);
        long waiting = run.Reporter.Times.Now;
        using ChunkLease lease = await run.Client.Pool.LeaseAsync(MemoryUse.Transient, run.Client.Pool.ChunksFor(length), revolving: false, cancellationToken).ConfigureAwait(false);
        run.Reporter.Times.Add(TransferTimeKind.Memory, waiting);
        using HeldChunks chunks = new();

        // The response to a request for the whole object contains everything that the store knows about it, including the checksum.
        RangeBody body = await fetcher.SendFirstAsync(null, request.Verify, cancellationToken).ConfigureAwait(false);
        ObjectHead first = body.Head;
        ChecksumLookup lookup = new(run, request.Verification, first, FirstResponse.AllWithChecksum);
        bool isToAsk = request.Verify && lookup.IsToAsk;
        if (!isToAsk)
        {
            await lookup.RunAsync(verifier, cancellationToken).ConfigureAwait(false);
        }

        using (PartFetch part = fetcher.Begin(0, length, lease, chunks, body))
        {
            await part.ReceiveAsync(cancellationToken).ConfigureAwait(false);
        }

        if (isToAsk)
        {
            // The lookup waits until the first request has released its slot, because a holder of a slot never waits for another one.
            await lookup.RunAsync(verifier, cancellationToken).ConfigureAwait(false);
        }

        cancellationToken.ThrowIfCancellationRequested(); // a canceled lookup must not lead to a verdict
        chunks.AppendTo(verifier);
        ChecksumVerdict verdict = await lookup.FinishAsync(verifier, length, chunks.AppendToAsync, cancellationToken).ConfigureAwait(false);
        long writing = run.Reporter.Times.Now;
        NameFlush? names = target.FlushToDisk ? new NameFlush(target.Path) : null;
        using LocalFolder? folder = target.Folder is null ? LocalFolder.Open(Path.GetDirectoryName(target.Path)!) : null;
        using AtomicFile file = AtomicFile.CreateUnnamed(target.Folder ?? folder!, Path.GetFileName(target.Path));
        chunks.WriteTo(file);
        target.Publish(file, first.Info, DiskFlush.Instance);
        PartialFile.Discard(target.Folder ?? folder!, target, request, run.Client.Store); // the object may have been larger when an earlier download was interrupted
        names?.Run(DiskFlush.Instance);
        run.Reporter.Times.Add(TransferTimeKind.Receiving, writing);
        run.Reporter.Times.Add(TransferTimeKind.Disk, writing);
        return CompletedDownload.From(first, length, verdict, run.Reporter, request.SumsContent ? chunks.Sum : null);
    }

    /// <summary>Keeps the received chunks.</summary>
    private sealed class HeldChunks : IPartWriter, IDisposable
    {
        private readonly List<Chunk> _chunks = [];

        public bool IsStarved => false;

        public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
        {
            _chunks.Add(chunk);
            return ValueTask.CompletedTask;
        }

        public void Wake(bool inline)
        {
            // No reader waits for an incomplete object.
        }

        public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
        {
            checksum.Complete();
            return ValueTask.CompletedTask;
        }

        public void Fail(Exception error)
        {
            // The chunks are returned when the writer is disposed.
        }

        public void AppendTo(ContentVerifier verifier)
        {
            foreach (Chunk chunk in _chunks)
            {
                verifier.Append(chunk.Filled.Span);
            }
        }

        public Task<bool> AppendToAsync(ContentDigest digest, CancellationToken cancellationToken)
        {
            foreach (Chunk chunk in _chunks)
            {
                digest.Append(chunk.Filled.Span);
            }

            return Task.FromResult(true);
        }

        public string Sum()
        {
            ulong crc = 0;
            foreach (Chunk chunk in _chunks)
            {
                crc = Crc.Crc64Nvme.Append(crc, chunk.Filled.Span);
            }

            return Crc.Crc64Nvme.ToBase64(crc);
        }

        public void WriteTo(AtomicFile file)
        {
            if (_chunks.Count == 1)
            {
                FileContent.Write(file.Handle, _chunks[0].Filled.Span, 0);
            }
            else if (_chunks.Count > 1)
            {
                FileContent.Write(file.Handle, [.. _chunks.Select(chunk => (ReadOnlyMemory<byte>)chunk.Filled)], 0);
            }
        }

        public void Dispose()
        {
            foreach (Chunk chunk in _chunks)
            {
                chunk.Dispose();
            }
        }
    }
}
