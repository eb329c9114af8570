using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Transfer.S3.Requests;

namespace Transfer.S3.Ranges;

/// <summary>Returns ranges in the order of their arrival.</summary>
/// <remarks>
/// The transfer is a task of its own, which ends when the caller has taken everything. So the client can be disposed while the caller works on a buffer: the task
/// then releases what the caller hasn't taken.
/// </remarks>
internal static class RangeEnumeration
{
    /// <param name="context">The resources that all transfers of the client share.</param>
    /// <param name="request">The object and the ranges.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<RangeBuffer> RunAsync(
        ClientContext context, RangeReadRequest request, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        TransferRun.ThrowIfDisposed(context);
        cancellationToken.ThrowIfCancellationRequested();
        if (request.Ranges.Length == 0)
        {
            yield break;
        }

        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Channel<RangeBuffer> arrived = Channel.CreateUnbounded<RangeBuffer>();
        TransferRun run = request.Begin(context);
        using RangeRead read = new(run, request, holdsAll: false, buffer => arrived.Writer.TryWrite(buffer));
        Task transfer = TransferAsync(run, read, arrived, stop.Token);
        try
        {
            while (await arrived.Reader.WaitToReadAsync(CancellationToken.None).ConfigureAwait(false))
            {
                while (arrived.Reader.TryRead(out RangeBuffer? buffer))
                {
                    if (buffer.IsLastOfBlock)
                    {
                        read.Left();
                    }

                    read.IsAwaited = false;
                    yield return buffer;
                    read.IsAwaited = true;
                }
            }

            await EndAsync(transfer, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await stop.CancelAsync().ConfigureAwait(false);
            await transfer.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static async Task TransferAsync(TransferRun run, RangeRead read, Channel<RangeBuffer> arrived, CancellationToken cancellationToken)
    {
        try
        {
            await run.RunAsync((_, token) => ReadAsync(read, arrived, token), cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            arrived.Writer.TryComplete();
        }
    }

    private static async Task<ObjectInfo?> ReadAsync(RangeRead read, Channel<RangeBuffer> arrived, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo? info = await read.RunAsync(cancellationToken).ConfigureAwait(false);
            arrived.Writer.TryComplete();
            await arrived.Reader.Completion.WaitAsync(cancellationToken).ConfigureAwait(false);
            return info;
        }
        finally
        {
            while (arrived.Reader.TryRead(out RangeBuffer? buffer))
            {
                buffer.Dispose();
            }
        }
    }

    /// <summary>Waits for the end of the transfer. If it was canceled, the exception contains the token of the caller.</summary>
    private static async Task EndAsync(Task transfer, CancellationToken cancellationToken)
    {
        try
        {
            await transfer.ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException(e.Message, e, cancellationToken);
        }
    }
}
