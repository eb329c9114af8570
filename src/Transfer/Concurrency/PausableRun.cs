namespace Transfer.S3.Concurrency;

/// <summary>An operation of a transfer that releases its memory while the transfer is paused.</summary>
internal sealed class PausableRun : IDisposable
{
    private readonly PauseGate _gate;
    private readonly Action _stop;
    private readonly bool _restarts;
    private volatile bool _canRestart;
    private volatile bool _isStopped;

    private PausableRun(PauseGate gate, Action stop, bool restarts)
    {
        _gate = gate;
        _stop = stop;
        _restarts = restarts;
        gate.Add(this);
    }

    /// <summary>Gets a value that indicates whether the operation ends when it is stopped. Otherwise, it only releases memory.</summary>
    public bool Ends => _restarts && _canRestart;

    /// <summary>Registers a callback that releases memory whenever the transfer is paused.</summary>
    public static PausableRun Begin(PauseGate gate, Action giveBack) => new(gate, giveBack, restarts: false);

    /// <summary>
    /// Runs an operation that is canceled when the transfer is paused, and then runs it again. It is canceled only after it has reported that it can
    /// continue from a journal.
    /// </summary>
    /// <param name="gate">The pauses of the transfer; null if it can't be paused.</param>
    /// <param name="run">The operation. Its first argument is null if the transfer can't be paused.</param>
    /// <param name="startAgain">Called before the operation runs again.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static Task<T> RunAsync<T>(PauseGate? gate, Func<PausableRun?, CancellationToken, Task<T>> run, Action startAgain, CancellationToken cancellationToken)
        => gate is null ? run(null, cancellationToken) : RunAgainAsync(gate, run, startAgain, cancellationToken);

    /// <summary>Reports that the operation can continue from a journal from now on.</summary>
    public void AllowRestart()
    {
        _canRestart = true;
        _gate.LookAgain(this);
    }

    /// <summary>Stops the operation. It is called when the transfer is paused and no request is in flight.</summary>
    public void Stop()
    {
        if (!_restarts || _canRestart)
        {
            _isStopped = true;
            _stop();
        }
    }

    public void Dispose() => _gate.Remove(this);

    private static async Task<T> RunAgainAsync<T>(PauseGate gate, Func<PausableRun?, CancellationToken, Task<T>> run, Action startAgain, CancellationToken cancellationToken)
    {
        while (true)
        {
            await gate.WhenRunningAsync(cancellationToken).ConfigureAwait(false);
            using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            using PausableRun restartable = new(gate, stop.CancelAndIgnoreErrors, restarts: true);
            try
            {
                return await run(restartable, stop.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (restartable._isStopped && !cancellationToken.IsCancellationRequested)
            {
                startAgain();
            }
        }
    }
}
