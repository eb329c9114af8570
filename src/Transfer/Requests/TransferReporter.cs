using Microsoft.Extensions.Logging;
using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>
/// What is counted and told about one transfer: its bytes, requests, times, and totals, which the transfer only adds to, and those who read them.
/// </summary>
internal sealed class TransferReporter
{
    private readonly TransferReporter? _whole;
    private readonly TransferHandle? _handle;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private ProgressMeter? _progress;
    private TransferListeners? _listeners;
    private long _totalBytes = -1;
    private int _totalParts = -1;
    private long _objects;
    private long _unpublished;
    private long _totalObjects = -1;
    private bool _ended;
    private Exception? _error;

    /// <param name="subject">What the transfer is about.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Receives the exceptions of listeners.</param>
    /// <param name="whole">The transfer that it is part of; null for none.</param>
    /// <param name="limits">The rate limits of its data; null for none.</param>
    /// <param name="handle">What controls it; null for nothing.</param>
    /// <param name="queue">The queue in which its requests wait; null if it doesn't count as an object of <paramref name="whole"/>.</param>
    /// <param name="meter">The instruments that count it; null if there are none.</param>
    /// <param name="countsBytes">Whether its bytes are part of the progress of <paramref name="whole"/>.</param>
    public TransferReporter(
        TransferSubject subject,
        TimeProvider time,
        ILogger logger,
        TransferReporter? whole = null,
        RateLimits? limits = null,
        TransferHandle? handle = null,
        RequestQueue? queue = null,
        TransferMeter? meter = null,
        bool countsBytes = true)
    {
        Subject = subject;
        _time = time;
        _logger = logger;
        _whole = whole;
        _handle = handle;
        _progress = handle is null ? null : new ProgressMeter(this);
        IsObject = whole is not null && queue is not null;
        Pause = handle?.Gate ?? whole?.Pause;
        Limits = limits ?? RateLimits.None;
        Flow = whole?.Flow ?? new TransferFlow(subject.Direction == TransferDirection.Download ? RequestDirection.Download : RequestDirection.Upload, Limits);
        Bytes = new ByteCounts(countsBytes ? whole?.Bytes : null);
        Requests = new RequestCounts(whole?.Requests, meter, subject.Direction);
        Times = new TransferClock(time, Pause, whole?.Times);
        Bottleneck = new BottleneckMeter(Times, subject.Direction, Flow, queue);
    }

    public TransferSubject Subject { get; }

    /// <summary>Gets the transfer's share of the request slots. The objects of one transfer have one share together.</summary>
    public TransferFlow Flow { get; }

    /// <summary>Gets the pauses of the transfer; null if it can't be paused. The objects of one transfer are paused together.</summary>
    public PauseGate? Pause { get; }

    /// <summary>Gets the rate limits of the transfer's data. The objects of one transfer have the same limits together.</summary>
    public RateLimits Limits { get; }

    /// <summary>Gets the bytes and parts.</summary>
    public ByteCounts Bytes { get; }

    /// <summary>Gets the requests.</summary>
    public RequestCounts Requests { get; }

    /// <summary>Gets the times.</summary>
    public TransferClock Times { get; }

    /// <summary>Gets what limits the transfer.</summary>
    public BottleneckMeter Bottleneck { get; }

    /// <summary>Gets what metrics and traces receive; null if they don't count the call as a transfer.</summary>
    public TransferTrace? Trace { get; init; }

    public long? TotalBytes => Interlocked.Read(ref _totalBytes) is var bytes and >= 0 ? bytes : null;

    public int? TotalParts => Volatile.Read(ref _totalParts) is var parts and >= 0 ? parts : null;

    /// <summary>Gets the number of objects that have ended, in a transfer of many objects.</summary>
    public long Objects => Interlocked.Read(ref _objects);

    /// <summary>Gets the number of objects that are uploaded and not published yet.</summary>
    public long Unpublished => Interlocked.Read(ref _unpublished);

    /// <summary>Gets the number of objects in a transfer of many objects; null if it isn't known.</summary>
    public long? TotalObjects => Interlocked.Read(ref _totalObjects) is var objects and >= 0 ? objects : null;

    /// <summary>Gets a value that indicates whether it is one object of a transfer of many.</summary>
    private bool IsObject { get; }

    /// <summary>Begins to call listeners, if there are any.</summary>
    public void Listen(IProgress<TransferProgress>? progress, TransferEvents? clientEvents, TransferEvents? ownEvents, TimeSpan interval)
    {
        TransferEvents[] events = (clientEvents, ownEvents) switch
        {
            (null, null) => [],
            (null, { } own) => [own],
            ({ } client, null) => [client],
            ({ } client, { } own) => client == own ? [client] : [client, own],
        };
        if (progress is not null || events.Length > 0)
        {
            // Only if there is a listener, because it takes a large part of the time of a small object.
            _listeners = new TransferListeners(this, _progress ??= new ProgressMeter(this), progress, events, interval, _time);
        }
    }

    public void SetTotal(long bytes, int? parts)
    {
        Interlocked.Exchange(ref _totalBytes, bytes);
        Volatile.Write(ref _totalParts, parts ?? -1);
    }

    /// <summary>Sets the number of objects in a transfer of many objects.</summary>
    public void SetTotalObjects(long objects) => Interlocked.Exchange(ref _totalObjects, objects);

    /// <summary>Counts an object that has ended, in a transfer of many objects.</summary>
    public void AddObject() => Interlocked.Increment(ref _objects);

    /// <summary>Counts objects that were uploaded and are published later, or, with a negative number, that were published.</summary>
    public void AddUnpublished(long objects) => Interlocked.Add(ref _unpublished, objects);

    /// <summary>
    /// Discards the counts of an object whose transfer starts again. Reports don't decrease: they stay the same until the transfer has caught up.
    /// </summary>
    public void StartAgain()
    {
        for (TransferReporter? counted = this; counted is not null; counted = counted._whole)
        {
            counted._progress?.Remember();
        }

        Bytes.TakeBack();
    }

    /// <summary>Logs the exception of a listener, which doesn't affect the transfer.</summary>
    public void ListenerFailed(Exception e) => Log.ListenerFailed(_logger, Subject.Bucket, Subject.Key, e);

    /// <summary>Ends the transfer, with or without an error, and waits until the listeners have received that. Only the first call has an effect.</summary>
    public async ValueTask EndAsync(Exception? error)
    {
        bool isFirst = false;
        lock (_gate)
        {
            if (!_ended)
            {
                isFirst = true;
                _ended = true;
                _error = error;
            }
        }

        if (isFirst)
        {
            _whole?.Times.Add(TransferTimeKind.Objects, Times.Running);
            if (IsObject)
            {
                _whole!.Bottleneck.EndObject();
            }

            if (error is null && TotalObjects is null)
            {
                Bytes.AddConfirmed(Bytes.Transferred - Bytes.Confirmed); // also of transfers that have no parts
            }

            _listeners?.End(error);
            Trace?.End(this, error);
        }

        if (_listeners is not null)
        {
            await _listeners.WhenEnded.ConfigureAwait(false);
        }

        _handle?.End(_error);
    }

    /// <summary>Gets the statistics of the call so far.</summary>
    /// <param name="source">The part of the call at the store of the source, whose requests are counted, too; null if there is only one store.</param>
    public TransferStatistics GetStatistics(TransferReporter? source = null) => new()
    {
        Elapsed = Times.Elapsed,
        Requests = Requests.Sent + (source?.Requests.Sent ?? 0),
        Retries = Requests.Retries + (source?.Requests.Retries ?? 0),
        HedgedRequests = Requests.Hedged + (source?.Requests.Hedged ?? 0),
        BytesTransferred = Bytes.Transferred,
        BytesResumed = Bytes.Resumed,
        Times = Bottleneck.GetTimes(),
    };

    /// <summary>Gets the progress of the transfer, which has a handle.</summary>
    public TransferProgress GetProgress() => Volatile.Read(ref _ended) ? _progress!.GetFinal() : _progress!.Get();
}
