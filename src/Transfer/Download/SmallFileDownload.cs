using Transfer.Buffers;
using Transfer.Files;
using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>
/// A download of an object that is one request and one write: it is verified before there is a file at all. Nothing of what puts larger ones together is needed,
/// which would be a good part of what a small object costs.
/// </summary>
internal static class SmallFileDownload
{
    /// <summary>Whether an object is known to be one.</summary>
    public static bool Takes(DownloadRequest request, ChunkPool pool)
        => request is { StartsAtOnce: true, Range: null, AlignsToStoredParts: false }
            && request.Hint!.Length <= Math.Min(request.PartSizeBytes, FileSink.WriteBytes)
            && (long)pool.ChunksFor(request.Hint.Length) * pool.ChunkSize <= pool.Budget.LimitOf(MemoryUse.Transient);

    public static async Task<DownloadResult> RunAsync(
        ClientContext context, DownloadRequest request, FileTarget target, TransferReporter reporter, CancellationToken cancellationToken)
    {
        long length = request.Hint!.Length;
        reporter.SetTotal(length, 1);
        using ContentVerifier verifier = new(request.Address, request.Verify);
        PartFetcher fetcher = new(context, request.Address, request.Condition, verifier, reporter, static _ => { });
        fetcher.Pin(length, request.Hint.ETag);
        long waiting = reporter.Now;
        using ChunkLease lease = await context.Pool.LeaseAsync(MemoryUse.Transient, context.Pool.ChunksFor(length), revolving: false, cancellationToken).ConfigureAwait(false);
        reporter.AddTime(TransferTimeKind.Memory, waiting);
        using HeldChunks chunks = new();

        // Of all of an object the store tells all that it knows, its checksum too.
        OpenRange range = await fetcher.SendFirstAsync(null, request.Verify, cancellationToken).ConfigureAwait(false);
        ObjectInfo info = range.Info;
        ChecksumLookup lookup = new(context, request, info, FirstAnswer.AllWithChecksum, reporter);
        bool isToAsk = request.Verify && lookup.IsToAsk;
        if (!isToAsk)
        {
            await lookup.RunAsync(verifier, cancellationToken).ConfigureAwait(false);
        }

        await fetcher.FetchAsync(0, length, lease, chunks, range, cancellationToken).ConfigureAwait(false);
        if (isToAsk)
        {
            // Only now: the first request has given back its slot, and whoever holds one never waits for another.
            await lookup.RunAsync(verifier, cancellationToken).ConfigureAwait(false);
        }

        cancellationToken.ThrowIfCancellationRequested(); // it may have ended the lookup, and no verdict is to come of that
        chunks.AppendTo(verifier);
        ChecksumVerdict verdict = await lookup.FinishAsync(verifier, length, chunks.AppendToAsync, cancellationToken).ConfigureAwait(false);
        long writing = reporter.Now;
        NameFlush? names = target.FlushToDisk ? new NameFlush(target.Path) : null;
        using LocalFolder? folder = target.Folder is null ? LocalFolder.Open(Path.GetDirectoryName(target.Path)!) : null;
        using NewFile file = NewFile.CreateUnnamed(target.Folder ?? folder!, Path.GetFileName(target.Path));
        chunks.WriteTo(file);
        target.Publish(file, info, DiskFlush.Instance);
        PartialFile.Discard(target.Folder ?? folder!, target, request, context.Store); // the object may have been larger when an earlier download was interrupted
        names?.Run(DiskFlush.Instance);
        reporter.AddTime(TransferTimeKind.Receiving, writing);
        reporter.AddTime(TransferTimeKind.Disk, writing);
        return OrderedDownload.Result(info, length, verdict, reporter);
    }

    /// <summary>Keeps what arrives.</summary>
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
            // Nobody waits for what is not whole.
        }

        public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
        {
            checksum.Complete();
            return ValueTask.CompletedTask;
        }

        public void Fail(Exception error)
        {
            // It goes back with the others.
        }

        public void AppendTo(ContentVerifier verifier)
        {
            foreach (Chunk chunk in _chunks)
            {
                verifier.Append(chunk.Filled.Span);
            }
        }

        public Task AppendToAsync(ContentDigest digest, CancellationToken cancellationToken)
        {
            foreach (Chunk chunk in _chunks)
            {
                digest.Append(chunk.Filled.Span);
            }

            return Task.CompletedTask;
        }

        public void WriteTo(NewFile file)
        {
            if (_chunks.Count == 1)
            {
                RandomAccess.Write(file.Handle, _chunks[0].Filled.Span, 0);
            }
            else if (_chunks.Count > 1)
            {
                RandomAccess.Write(file.Handle, [.. _chunks.Select(chunk => (ReadOnlyMemory<byte>)chunk.Filled)], 0);
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
