using System.Threading.Tasks.Sources;

namespace Transfer.S3.Buffers;

/// <summary>
/// Wakes one waiter. A signal that is set while no one waits is stored, but only once. A waiter that is woken must check its condition again.
/// </summary>
internal sealed class AsyncSignal : IValueTaskSource
{
    private readonly Lock _gate = new();
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationTokenRegistration _registration;
    private bool _waiting;
    private bool _signalled;

    /// <summary>Gets a value that indicates whether a caller is waiting. The value can change at any time.</summary>
    public bool HasWaiter => Volatile.Read(ref _waiting);

    /// <param name="inline">
    /// Whether the waiter can continue on this thread, inside this call. Use it only if the caller has nothing left to do and holds no lock.
    /// Otherwise, the waiter continues on a thread of the pool.
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
                throw new InvalidOperationException("Only one caller can wait at a time.");
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
