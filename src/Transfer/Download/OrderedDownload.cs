using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>A download whose bytes are delivered in order, to a stream or a pipe reader.</summary>
internal static class OrderedDownload
{
    /// <param name="run">The transfer.</param>
    /// <param name="request">The object to download.</param>
    /// <param name="ended">
    /// Called when all data was read and verified, or with the exception that ended the transfer. The stream may be disposed later.
    /// </param>
    /// <param name="cancellationToken">The token to monitor for cancellation while the stream is being opened.</param>
    public static async Task<ObjectReadStream> OpenAsync(TransferRun run, DownloadRequest request, Func<Exception?, ValueTask> ended, CancellationToken cancellationToken)
    {
        run.Client.EnterTransfer();
        PartBufferManager? parts = null;
        DownloadCoordinator? coordinator = null;
        try
        {
            long? memory = request.IsPartSizeGiven ? null : run.Client.Pool.Budget.GetLimit(MemoryUse.ReadAhead);
            PartWindow window = run.NewWindow(request.MaxConcurrency, request.IsConcurrencyGiven, memory, request.PartSizeBytes);
            parts = await PartBufferManager.CreateAsync(run.Client.Pool, window, run.Reporter, cancellationToken, request.IsPatient).ConfigureAwait(false);

            // The caller's token cancels only the opening. The stream continues to work without it.
            coordinator = new DownloadCoordinator(run, request, parts, run.Client.Stopping);
            ObjectHead first = await coordinator.StartAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
            return new ObjectReadStream(first, coordinator, parts, run, ended);
        }
        catch (Exception e)
        {
            if (coordinator is not null)
            {
                await coordinator.DisposeAsync().ConfigureAwait(false);
            }

            parts?.Dispose();
            if (Failures.IsRangeIgnored(e) && request.StartsAtOnce)
            {
                run.Client.LeaveTransfer();
                return await OpenAsync(run, request with { IsInOnePiece = true }, ended, cancellationToken).ConfigureAwait(false);
            }

            await ended(e).ConfigureAwait(false);
            run.Client.LeaveTransfer();
            throw;
        }
    }

    /// <summary>Passes every chunk to <paramref name="write"/>, in order and with whether it is the last one, and waits for it before the next one.</summary>
    public static async Task<CompletedDownload> RunAsync(
        TransferRun run,
        DownloadRequest request,
        Func<ReadOnlyMemory<byte>, bool, CancellationToken, ValueTask> write,
        CancellationToken cancellationToken)
    {
        ObjectReadStream stream = await OpenAsync(run, request with { IsPatient = true }, static _ => ValueTask.CompletedTask, cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            PipeReader reader = stream.Reader;
            long rest = stream.Length;
            while (true)
            {
                ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                ReadOnlySequence<byte> buffer = result.Buffer;
                foreach (ReadOnlyMemory<byte> memory in buffer)
                {
                    if (!memory.IsEmpty)
                    {
                        rest -= memory.Length;
                        await write(memory, rest == 0, cancellationToken).ConfigureAwait(false);
                    }
                }

                reader.AdvanceTo(buffer.End);
                if (result.IsCompleted)
                {
                    stream.CountTail();
                    return CompletedDownload.From(stream.First, stream.Length, stream.Verdict!, run.Reporter);
                }
            }
        }
    }
}
