namespace Transfer.S3.Ranges;

/// <content>Ends calls when the reader is disposed.</content>
internal sealed partial class SeekableReader
{
    private Call Enter(CancellationToken cancellationToken)
        => _tasks.TryEnter() ? new Call(this, cancellationToken) : throw Stopped();

    /// <summary>Creates the error of a read from a reader that was disposed, or whose own work has failed.</summary>
    private ObjectDisposedException Stopped(OperationCanceledException? canceled = null)
    {
        _tasks.ThrowIfFailed();
        return canceled is null ? new ObjectDisposedException(nameof(SeekableObjectStream)) : new ObjectDisposedException("The stream was disposed during the read.", canceled);
    }

    /// <summary>A call that the reader waits for when it is disposed.</summary>
    private sealed class Call(SeekableReader reader, CancellationToken cancellationToken) : IDisposable
    {
        private readonly CancellationTokenSource _linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, reader._tasks.Stopping);

        public async Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> runAsync)
        {
            try
            {
                return await runAsync(_linked.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException e) when (cancellationToken.IsCancellationRequested)
            {
                throw new OperationCanceledException(e.Message, e, cancellationToken);
            }
            catch (OperationCanceledException e) when (reader._tasks.Stopping.IsCancellationRequested)
            {
                throw reader.Stopped(e);
            }
        }

        /// <summary>Runs an operation and blocks the thread until it is complete.</summary>
        public T Run<T>(Func<CancellationToken, Task<T>> runAsync) => Blocking.Wait(RunAsync(runAsync));

        public void Dispose()
        {
            _linked.Dispose();
            reader._tasks.Leave();
        }
    }
}
