using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3;

/// <summary>Monitors and controls one transfer: pauses and resumes it, and changes its priority and its limits while it runs.</summary>
/// <remarks>
/// <para>
/// Set a new instance in the options of a transfer, for example <see cref="DownloadOptions.Handle"/>. An instance in <see cref="TreeTransferOptions.Handle"/> controls
/// all objects of that transfer together. A handle can be used for one transfer only. It can be paused before its transfer starts; then nothing is sent until
/// <see cref="Resume"/> is called.
/// </para>
/// <para>All members are thread-safe.</para>
/// </remarks>
/// <example>
/// <code>
/// TransferHandle handle = new() { Priority = TransferPriority.Low };
/// Task&lt;DownloadResult> download = client.DownloadAsync("bucket", "movie.mkv", "movie.mkv", new DownloadOptions { Handle = handle });
/// await handle.PauseAsync();
/// Console.WriteLine($"Paused after {handle.Progress.BytesTransferred} bytes.");
/// handle.Resume();
/// await download;
/// </code>
/// </example>
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

    /// <summary>Gets or sets the share of the request slots that the transfer gets. Requests in flight are not affected.</summary>
    /// <value>The default is <see cref="TransferPriority.Normal"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the value isn't defined in <see cref="TransferPriority"/>.</exception>
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

    /// <summary>
    /// Gets or sets the maximum number of concurrent requests of the transfer. If more requests are in flight, they are not stopped, but no new ones start.
    /// </summary>
    /// <value>The default is <see langword="null"/>: only the limit of the client applies. Range: 1 to 1024.</value>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the value is out of range.</exception>
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

    /// <summary>Gets the rate limits of the transfer. They can be changed while the transfer runs.</summary>
    /// <value>
    /// The default is a new instance without limits. The property can be initialized with another instance, for example to limit several transfers together.
    /// </value>
    public RateLimit RateLimit
    {
        get;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            field = value;
        }
    } = new();

    /// <summary>Gets the progress of the transfer.</summary>
    public TransferProgress Progress => Volatile.Read(ref _reporter)?.GetProgress() ?? default;

    /// <summary>Gets a value that indicates whether the transfer is paused, or is being paused.</summary>
    /// <value><see langword="true"/> from a call of <see cref="PauseAsync"/> until <see cref="Resume"/> or the end of the transfer; otherwise, <see langword="false"/>.</value>
    public bool IsPaused => _gate.IsPaused;

    /// <summary>Gets a task that completes with the transfer: successfully, with its error, or canceled.</summary>
    /// <remarks>The result of the transfer is returned by the call that started it. If the task fails, its exception doesn't have to be observed.</remarks>
    public Task Completion => _completion.Task;

    /// <summary>Pauses the transfer.</summary>
    /// <param name="cancellationToken">The token to monitor for cancellation of the wait. The transfer is paused nevertheless.</param>
    /// <returns>A task that completes when the transfer is paused, or when it was resumed or has ended before that.</returns>
    /// <remarks>
    /// <para>
    /// From the call on, no new request is sent. Requests in flight have 5 seconds to finish. After that, requests that transfer data are interrupted and sent again
    /// after the pause. Requests that create or complete an object always finish.
    /// </para>
    /// <para>
    /// A paused transfer has no request slots. A transfer from or to a file also releases its memory. Its state is in its journal, as if it had been interrupted
    /// (<see cref="DownloadOptions.Resume"/>, <see cref="UploadOptions.Resume"/>), so if the process ends, the same call resumes it. Data that was transferred
    /// before the pause counts as <see cref="TransferProgress.BytesResumed"/>. If the file or the object changes during the pause, the transfer starts again or
    /// fails, as after an interruption.
    /// </para>
    /// <para>
    /// Other transfers continue where they stopped. They keep the data that can't be read again: data that a caller has written, and data that the reader of a
    /// stream hasn't consumed.
    /// </para>
    /// </remarks>
    public Task PauseAsync(CancellationToken cancellationToken = default) => _gate.PauseAsync().WaitAsync(cancellationToken);

    /// <summary>Resumes the transfer. The call has no effect if the transfer isn't paused.</summary>
    public void Resume() => _gate.Resume();

    /// <summary>Gets the gate that the transfer's requests wait at while it is paused.</summary>
    internal PauseGate Gate => _gate;

    /// <summary>Reserves the handle for one transfer.</summary>
    /// <exception cref="InvalidOperationException">Thrown when the handle was already used for a transfer.</exception>
    internal void Claim()
    {
        if (Interlocked.Exchange(ref _isClaimed, 1) != 0)
        {
            throw new InvalidOperationException("The transfer handle belongs to another transfer. Create a new handle for each transfer.");
        }
    }

    /// <summary>Starts to control the transfer.</summary>
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

    /// <summary>Ends the control of the transfer, and completes <see cref="Completion"/>.</summary>
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

    /// <summary>Passes the settings to the queue. Called under the lock, so that the last change is the one that stays.</summary>
    private void Apply()
    {
        if (_reporter is { } reporter)
        {
            _queue!.Change(reporter.Flow, GetWeight(_priority), _maxConcurrency ?? int.MaxValue);
        }
    }

    private static double GetWeight(TransferPriority priority) => priority switch
    {
        TransferPriority.Low => 0.25,
        TransferPriority.High => 4,
        _ => 1,
    };
}
