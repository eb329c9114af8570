using Transfer.Observability;

namespace Transfer.Scheduling;

/// <summary>Runs a transfer of a client: its events begin and end with it, the client waits for it, and its exception tells who canceled it.</summary>
internal static class TransferRun
{
    private const string ClientName = "TransferClient"; // what the caller has disposed

    /// <param name="context">The resources of the client.</param>
    /// <param name="reporter">Counts the transfer.</param>
    /// <param name="run">The transfer. Its token is canceled when the client is disposed, too.</param>
    /// <param name="cancellationToken">The token of the caller.</param>
    /// <exception cref="ObjectDisposedException">The client was disposed.</exception>
    public static async Task<T> RunAsync<T>(
        ClientContext context, TransferReporter reporter, Func<TransferReporter, CancellationToken, Task<T>> run, CancellationToken cancellationToken)
    {
        using CancellationTokenSource? linked = cancellationToken.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, context.Stopping) : null;
        context.EnterTransfer();
        try
        {
            reporter.StartActivity();
            T result = await run(reporter, linked?.Token ?? context.Stopping).ConfigureAwait(false);
            await reporter.EndAsync(null).ConfigureAwait(false);
            return result;
        }
        catch (OperationCanceledException e)
        {
            Exception reason = ReasonOf(e, context, cancellationToken);
            await reporter.EndAsync(reason).ConfigureAwait(false);
            throw reason;
        }
        catch (Exception e)
        {
            await reporter.EndAsync(e).ConfigureAwait(false);
            throw;
        }
        finally
        {
            context.LeaveTransfer();
        }
    }

    /// <exception cref="ObjectDisposedException">The client was disposed.</exception>
    public static void ThrowIfDisposed(ClientContext context)
    {
        if (context.Stopping.IsCancellationRequested)
        {
            throw NewDisposed();
        }
    }

    /// <summary>Gets the exception of a canceled transfer. The canceled token determines it, because the token in the exception can be a linked one.</summary>
    public static Exception ReasonOf(OperationCanceledException e, ClientContext context, CancellationToken cancellationToken)
        => cancellationToken.IsCancellationRequested ? Canceled(e, cancellationToken)
            : context.Stopping.IsCancellationRequested ? Disposed(e)
            : e;

    private static ObjectDisposedException Disposed(OperationCanceledException e)
    {
        const string Message = "The client was disposed during the transfer.";
        return e is TransferCanceledException { CleanupError: { } cleanup }
            ? new ObjectDisposedException($"{Message} Cleaning up failed: {cleanup.Message}", e)
            : new ObjectDisposedException(ClientName, Message);
    }

    private static ObjectDisposedException NewDisposed() => new(ClientName);

    private static OperationCanceledException Canceled(OperationCanceledException e, CancellationToken cancellationToken)
        => e is TransferCanceledException { CleanupError: { } cleanup }
            ? new TransferCanceledException((OperationCanceledException)e.InnerException!, cleanup, cancellationToken)
            : new OperationCanceledException(e.Message, e, cancellationToken);
}
