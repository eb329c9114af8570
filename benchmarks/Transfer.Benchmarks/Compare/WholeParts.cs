using System.Threading.Channels;
using Transfer.S3.Benchmarks.Macro;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// The reference for chunks: the same coordinator, fetchers, wire, and window, but with each part in one rented array that is read when it is full,
/// as in designs without chunks.
/// </summary>
internal sealed class WholeParts : IPartSink
{
    private static ClientContext? Context;
    private readonly PartWindow _window;
    private readonly ChunkPool _pool;
    private readonly Channel<Part> _parts = Channel.CreateUnbounded<Part>();

    private WholeParts(ChunkPool pool, PartWindow window)
    {
        _pool = pool;
        _window = window;
    }

    /// <summary>Reads the object in order, either in place or through a buffer of the caller.</summary>
    public static async Task ReadAsync(Workbench bench, byte[]? buffer)
    {
        // The rented array of a part is a chunk of the size of the part.
        Context ??= new ClientContext(
            WireSelection.Create(bench.S3, WireSettings.Default),
            WireSelection.GetStore(bench.S3),
            ClientSettings.From(new TransferClientOptions()) with { ChunkSizeBytes = (int)TransferDefaults.PartSizeBytes },
            new Random(1));
        DownloadRequest request = DownloadRequest.From(BenchmarkStore.Bucket, bench.Key, new DownloadOptions(), Context.Settings);
        TransferRun run = Context.Begin(TransferDirection.Download, request.Address, null, null);
        using PartWindow window = new(Context.Queue, run.Reporter.Flow, request.MaxConcurrency, request.IsConcurrencyGiven);
        WholeParts sink = new(Context.Pool, window);
        await using DownloadCoordinator coordinator = new(run, request, sink, CancellationToken.None);
        ObjectInfo info = (await coordinator.StartAsync()).Info;
        for (long taken = 0; taken < info.Length;)
        {
            Part part = await sink._parts.Reader.ReadAsync();
            taken += await part.ConsumeAsync(buffer);
            sink._window.Leave();
        }

        await coordinator.FinishAsync();
        await run.Reporter.EndAsync(null);
    }

    public async ValueTask<PartReservation> AdmitAsync(long wantBytes, long restBytes, CancellationToken cancellationToken)
    {
        await _window.EnterAsync(cancellationToken);
        return new PartReservation(await _pool.LeaseAsync(MemoryUse.Transient, 1, revolving: false, cancellationToken), _pool.ChunkSize, IsFloor: false);
    }

    public IReadOnlyList<CompletedPart> Open(long length, string? etag) => []; // the reader gets the length from the coordinator

    public IPartWriter BeginPart(long offset, long length, PartReservation grant)
    {
        Part part = new();
        _parts.Writer.TryWrite(part);
        return part;
    }

    public void PartFetched() => _window.Fetched();

    public void Fail(Exception error) => _parts.Writer.TryComplete(error);

    private sealed class Part : IPartWriter
    {
        private readonly TaskCompletionSource _full = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private Chunk? _chunk;

        public bool IsStarved => false;

        public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
        {
            _chunk = chunk;
            return ValueTask.CompletedTask;
        }

        public void Wake(bool inline)
        {
            // Parts are read only when they are complete.
        }

        public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
        {
            checksum.Complete();
            _full.SetResult();
            return ValueTask.CompletedTask;
        }

        public void Fail(Exception error) => _full.TrySetException(error);

        public async Task<int> ConsumeAsync(byte[]? buffer)
        {
            await _full.Task;
            int length = _chunk!.Length;
            for (int at = 0; buffer is not null && at < length; at += buffer.Length)
            {
                _chunk.Filled.Span.Slice(at, Math.Min(buffer.Length, length - at)).CopyTo(buffer);
            }

            _chunk.Dispose();
            return length;
        }
    }
}
