using System.Threading.Tasks.Sources;

namespace Transfer.Buffers;

/// <summary>
/// Wakes one waiter. A signal given while nobody waits is remembered, once; whoever is woken looks again at what it waited for.
/// </summary>
internal sealed class AsyncSignal : IValueTaskSource
{
    private readonly Lock _gate = new();
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationTokenRegistration _registration;
    private bool _waiting;
    private bool _signalled;

    /// <summary>Whether somebody waits now. A hint: it may change at any time.</summary>
    public bool HasWaiter => Volatile.Read(ref _waiting);

    /// <param name="inline">
    /// Whether the one who waits may go on at once on this thread, inside this call: for a caller that has nothing left to do here, and holds no lock.
    /// Otherwise it goes on on a thread of the pool.
    /// </param>
    public void Set(bool inline = false)
    {
        lock (_gate)
        {
            if (!_waiting)
            {
                _signalled = true;
                return;
            }

            _waiting = false;
        }

        _core.RunContinuationsAsynchronously = !inline;
        _core.SetResult(true);
    }

    public ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        short version;
        lock (_gate)
        {
            if (_waiting)
            {
                throw new InvalidOperationException("Only one caller may wait at a time.");
            }

            if (_signalled)
            {
                _signalled = false;
                return ValueTask.CompletedTask;
            }

            if (cancellationToken.IsCancellationRequested)
            {
                return ValueTask.FromCanceled(cancellationToken);
            }

            _core.Reset();
            version = _core.Version;
            _waiting = true;
        }

        if (cancellationToken.CanBeCanceled)
        {
            _registration = cancellationToken.UnsafeRegister(static (state, token) => ((AsyncSignal)state!).Cancel(token), this);
        }

        return new ValueTask(this, version);
    }

    void IValueTaskSource.GetResult(short token)
    {
        _registration.Dispose();
        _registration = default;
        _core.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _core.OnCompleted(continuation, state, token, flags);

    private void Cancel(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (!_waiting)
            {
                return;
            }

            _waiting = false;
        }

        _core.RunContinuationsAsynchronously = true;
        _core.SetException(new OperationCanceledException(cancellationToken));
    }
}
