using Transfer.Concurrency;
using Transfer.Observability;
using Transfer.Scheduling;

namespace Transfer;

/// <summary>Follows and controls one transfer: pauses and resumes it, and changes its priority and its limits while it runs.</summary>
/// <remarks>
/// <para>
/// Set a new instance in the options of a transfer, for example <see cref="DownloadOptions.Handle"/>. An instance that is set in <see cref="DirectoryOptions.Handle"/> controls all objects
/// of that transfer together. Each handle is for one transfer. A handle can be paused before its transfer begins; then nothing is sent until <see cref="Resume"/> is called.
/// </para>
/// <para>All members are thread-safe.</para>
/// </remarks>
public sealed class TransferHandle
{
    private readonly Lock _lock = new();
    private readonly PauseGate _gate = new();
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TransferReporter? _reporter;
    private RequestQueue? _queue;
    private TransferPriority _priority;
    private int? _maxConcurrency;
    private int _isClaimed;

    /// <summary>Gets or sets the share of the request slots that the transfer gets. Requests in flight stay.</summary>
    /// <value>The default is <see cref="TransferPriority.Normal"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is none of the enumeration.</exception>
    public TransferPriority Priority
    {
        get => _priority;
        set
        {
            OptionGuard.Choice(nameof(Priority), value);
            lock (_lock)
            {
                _priority = value;
                Apply();
            }
        }
    }

    /// <summary>Gets or sets the most requests that the transfer has in flight. If there are more, they stay, and no other begins.</summary>
    /// <value>The default is <see langword="null"/>, no limit but that of the client. Range: 1 to 1024.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of its range.</exception>
    public int? MaxConcurrency
    {
        get
        {
            lock (_lock)
            {
                return _maxConcurrency;
            }
        }

        set
        {
            if (value is { } most)
            {
                OptionGuard.Number(nameof(MaxConcurrency), most, 1, TransferDefaults.MaxConcurrency);
            }

            lock (_lock)
            {
                _maxConcurrency = value;
                Apply();
            }
        }
    }

    /// <summary>Gets or sets the limits of the transfer's bytes per second. They can be changed while the transfer runs.</summary>
    /// <value>The default is a new instance without limits. Another instance can be set before the transfer begins, for example to limit several transfers together.</value>
    public RateLimit RateLimit
    {
        get;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            field = value;
        }
    } = new();

    /// <summary>Gets how far the transfer is.</summary>
    public TransferProgress Progress => Volatile.Read(ref _reporter)?.GetProgress() ?? default;

    /// <summary>Gets the state of the transfer.</summary>
    public TransferState State => _completion.Task.IsCompleted ? TransferState.Ended
        : _gate.IsPaused ? _gate.IsPausing ? TransferState.Pausing : TransferState.Paused
        : Volatile.Read(ref _reporter) is null ? TransferState.NotStarted
        : TransferState.Running;

    /// <summary>Gets a task that ends with the transfer: successfully, with its error, or canceled.</summary>
    /// <remarks>The call that began the transfer returns its result. An error that nobody observes here is not an unobserved exception.</remarks>
    public Task Completion => _completion.Task;

    /// <summary>Pauses the transfer.</summary>
    /// <param name="cancellationToken">Ends the wait. The transfer is paused nevertheless.</param>
    /// <returns>A task that ends when the transfer is paused, or when it was resumed or has ended before that.</returns>
    /// <remarks>
    /// <para>
    /// From now on, no request is sent. Requests in flight have 5 seconds to finish. Then those that move data are interrupted, and sent again after the pause. Requests that create or complete an object always
    /// finish.
    /// </para>
    /// <para>
    /// While it is paused, the transfer has no request slots. A transfer from or to a file has no memory either: its state is in its journal, as if it had been interrupted
    /// (<see cref="DownloadOptions.Resume"/>, <see cref="UploadOptions.Resume"/>). If the process ends, the same call resumes it. What was transferred before the pause counts as
    /// <see cref="TransferProgress.BytesResumed"/>. If the file or the object changes meanwhile, the transfer begins again or fails, as it does after an interruption.
    /// </para>
    /// <para>
    /// Other transfers continue where they were. They keep the data that can't be read again: what a caller has written, and what the reader of a stream is in the middle of.
    /// </para>
    /// </remarks>
    public Task PauseAsync(CancellationToken cancellationToken = default) => _gate.PauseAsync().WaitAsync(cancellationToken);

    /// <summary>Resumes the transfer. There is no effect if it isn't paused.</summary>
    public void Resume() => _gate.Resume();

    /// <summary>Gets what the transfer's requests wait for while it is paused.</summary>
    internal PauseGate Gate => _gate;

    /// <summary>Takes the handle for one transfer.</summary>
    /// <exception cref="InvalidOperationException">The handle was taken before.</exception>
    internal void Claim()
    {
        if (Interlocked.Exchange(ref _isClaimed, 1) != 0)
        {
            throw new InvalidOperationException("The transfer handle belongs to another transfer. Create a new handle for each transfer.");
        }
    }

    /// <summary>Begins to control the transfer.</summary>
    internal void Start(TransferReporter reporter, RequestQueue queue, TimeProvider time)
    {
        _gate.Start(time);
        lock (_lock)
        {
            _queue = queue;
            Volatile.Write(ref _reporter, reporter);
            Apply();
        }
    }

    /// <summary>The transfer has ended.</summary>
    internal void End(Exception? error)
    {
        _gate.End();
        switch (error)
        {
            case null:
                _completion.TrySetResult();
                break;
            case OperationCanceledException canceled:
                _completion.TrySetCanceled(canceled.CancellationToken);
                break;
            default:
                _completion.TrySetException(error);
                _ = _completion.Task.Exception; // the call that began the transfer throws it too
                break;
        }
    }

    /// <summary>Hands the settings over. Under the lock, so that the last one stays.</summary>
    private void Apply()
    {
        if (_reporter is { } reporter)
        {
            _queue!.Change(reporter.Flow, WeightOf(_priority), _maxConcurrency ?? int.MaxValue);
        }
    }

    private static double WeightOf(TransferPriority priority) => priority switch
    {
        TransferPriority.Low => 0.25,
        TransferPriority.High => 4,
        _ => 1,
    };
}
