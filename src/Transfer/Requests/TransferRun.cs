using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>One transfer of a client: what all of its parts share.</summary>
/// <param name="client">The resources that all transfers of the client share.</param>
/// <param name="reporter">Counts the transfer, and has its listeners, limits, and pauses.</param>
internal sealed class TransferRun(ClientContext client, TransferReporter reporter)
{
    private const string ClientName = "TransferClient"; // what the caller has disposed

    public ClientContext Client => client;

    public TransferReporter Reporter => reporter;

    /// <summary>Gets or sets what is told of the multipart uploads of this transfer, and of those that are part of it; null for nothing.</summary>
    public IUploadListener? Uploads { get; set; }

    /// <summary>Sends a request without a large body, and retries it as the policy allows. The final error contains the number of attempts.</summary>
    /// <param name="send">Sends the request once.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="limit">The timeout of one attempt; null for the stall timeout.</param>
    /// <param name="cost">The class and cost of the request; null for a lookup.</param>
    public Task<T> SendAsync<T>(Func<CancellationToken, Task<T>> send, CancellationToken cancellationToken, TimeSpan? limit = null, RequestCost? cost = null)
        => SendAsync(attempt => send(attempt.Token), new RequestRules(cost ?? RequestCost.Lookup) { Silence = limit }, cancellationToken);

    /// <summary>Sends a request, and retries it as the policy allows. The final error contains the number of attempts.</summary>
    public Task<T> SendAsync<T>(Func<RequestAttempt, Task<T>> send, RequestRules rules, CancellationToken cancellationToken)
        => client.Requests.SendAsync(send, rules, reporter, cancellationToken);

    /// <summary>Signs a request that somebody without credentials sends.</summary>
    /// <exception cref="TransferException">Thrown when there are no credentials, or when the bucket has no address.</exception>
    public async Task<Wire.PresignedUrl> PresignAsync(Wire.PresignedRequest presigned, CancellationToken cancellationToken)
    {
        try
        {
            return await client.Wire.PresignAsync(presigned, cancellationToken).ConfigureAwait(false);
        }
        catch (Wire.WireException e)
        {
            throw new TransferException($"{presigned.Address}: could not sign a URL: {e.Message}", presigned.Address, e);
        }
    }

    /// <summary>Creates the window of the parts that are downloaded at the same time.</summary>
    public PartWindow NewWindow(int concurrency, bool isFixed, long? memoryBytes = null, long partBytes = long.MaxValue)
        => new(client.Queue, reporter.Flow, concurrency, isFixed, memoryBytes, partBytes, reporter.Limits, client.Hedging);

    /// <summary>Runs the transfer: its events begin and end with it, the client waits for it, and its exception tells who canceled it.</summary>
    /// <param name="body">The transfer. Its token is canceled when the client is disposed, too.</param>
    /// <param name="cancellationToken">The token of the caller.</param>
    /// <exception cref="ObjectDisposedException">The client was disposed.</exception>
    public async Task<T> RunAsync<T>(Func<TransferRun, CancellationToken, Task<T>> body, CancellationToken cancellationToken)
    {
        using CancellationTokenSource? linked = cancellationToken.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, client.Stopping) : null;
        client.EnterTransfer();
        try
        {
            reporter.Trace?.Start();
            T result = await body(this, linked?.Token ?? client.Stopping).ConfigureAwait(false);
            await reporter.EndAsync(null).ConfigureAwait(false);
            return result;
        }
        catch (OperationCanceledException e)
        {
            Exception reason = GetReason(e, cancellationToken);
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
            client.LeaveTransfer();
        }
    }

    /// <summary>Waits for the end of a transfer that is part of another one, and reports it to the listeners. The other one translates cancellation.</summary>
    public async Task<T> EndAfterAsync<T>(Task<T> transfer)
    {
        try
        {
            T result = await transfer.ConfigureAwait(false);
            await reporter.EndAsync(null).ConfigureAwait(false);
            return result;
        }
        catch (Exception e)
        {
            await reporter.EndAsync(e).ConfigureAwait(false);
            throw;
        }
    }

    /// <exception cref="ObjectDisposedException">The client was disposed.</exception>
    public static void ThrowIfDisposed(ClientContext client)
    {
        if (client.Stopping.IsCancellationRequested)
        {
            throw NewDisposed();
        }
    }

    /// <summary>Gets the exception of a canceled transfer. The canceled token determines it, because the token in the exception can be a linked one.</summary>
    public Exception GetReason(OperationCanceledException e, CancellationToken cancellationToken)
        => cancellationToken.IsCancellationRequested ? Canceled(e, cancellationToken)
            : client.Stopping.IsCancellationRequested ? Disposed(e)
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
