using Microsoft.Extensions.Logging;
using Transfer.S3.Concurrency;
using Transfer.S3.Wire;

namespace Transfer.S3.Observability;

/// <summary>
/// Counts the progress of one transfer and reports it to listeners. The transfer only adds to counters. A separate task reads them at an interval and calls the
/// listeners, so that a slow listener doesn't delay the transfer and calls don't overlap.
/// </summary>
#pragma warning disable CA1001 // every transfer calls EndAsync, which disposes the timer
internal sealed partial class TransferReporter
#pragma warning restore CA1001
{
    /// <summary>The number of bytes between two reports to an <see cref="IPartProgress"/>, which is the default of the AWS SDK.</summary>
    private const long StepBytes = 100 * Sizes.KiB;

    private readonly Guid _id;
    private readonly TransferDirection _direction;
    private readonly string _bucket;
    private readonly string _key;
    private readonly IProgress<TransferProgress>? _progress;
    private readonly IPartProgress? _partProgress;
    private readonly TransferReporter? _whole;
    private readonly TransferHandle? _handle;
    private readonly TransferEvents[] _events;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly long _started;
    private readonly PeriodicTimer? _timer;
    private readonly Task _pump;
    private readonly RateMeter? _rate;
    private readonly Lock _gate = new();
    private readonly Lock _reporting = new();
    private long _bytes;
    private long _mostBytes;
    private int _mostParts;
    private long _confirmed;
    private long _mostConfirmed;
    private long _bytesResumed;
    private long _bytesKept;
    private long _discarded;
    private long _totalBytes = -1;
    private int _parts;
    private int _totalParts = -1;
    private long _requests;
    private long _retries;
    private long _hedged;
    private long _objects;
    private long _totalObjects = -1;
    private bool _ended;
    private Exception? _error;

    public TransferReporter(
        TransferDirection direction,
        string bucket,
        string key,
        IProgress<TransferProgress>? progress,
        TransferEvents? clientEvents,
        TransferEvents? ownEvents,
        TimeSpan interval,
        TimeProvider time,
        ILogger logger,
        TransferReporter? whole = null,
        RateLimits? limits = null,
        TransferHandle? handle = null)
    {
        _direction = direction;
        _bucket = bucket;
        _key = key;
        _partProgress = progress as IPartProgress;
        _progress = _partProgress is null ? progress : null;
        _whole = whole;
        _handle = handle;
        Pause = handle?.Gate ?? whole?.Pause;
        _pausedBefore = whole?.Pause?.PausedTime ?? TimeSpan.Zero;
        Limits = limits ?? RateLimits.None;
        Flow = whole?.Flow ?? new TransferFlow(direction == TransferDirection.Download ? RequestDirection.Download : RequestDirection.Upload, Limits);
        _events = (clientEvents, ownEvents) switch
        {
            (null, null) => [],
            (null, { } own) => [own],
            ({ } client, null) => [client],
            ({ } client, { } own) => client == own ? [client] : [client, own],
        };
        _time = time;
        _logger = logger;
        _started = time.GetTimestamp();
        (_rate, _recentTimes) = handle is null && progress is null && _events.Length == 0 ? default : (new RateMeter(), new RecentTimes());
        if (progress is null && _events.Length == 0)
        {
            _pump = Task.CompletedTask;
        }
        else
        {
            // Only if there is a listener, because it takes a large part of the time of a small object.
            _id = Guid.NewGuid();
            _timer = new PeriodicTimer(interval, time);
            _pump = Task.Run(PumpAsync);
        }
    }

    /// <summary>Gets the transfer's share of the request slots. The objects of one transfer have one share together.</summary>
    public TransferFlow Flow { get; }

    /// <summary>Gets the pauses of the transfer; null if it can't be paused. The objects of one transfer are paused together.</summary>
    public PauseGate? Pause { get; }

    /// <summary>Gets a value that indicates whether bytes are a part of the progress of the whole transfer.</summary>
    public bool CountsBytes { get; init; } = true;

    /// <summary>Gets the queue in which the requests of the transfer wait; null if their times aren't needed.</summary>
    public RequestQueue? Queue { get; init; }

    /// <summary>Gets the current timestamp, which is the start of a time to add.</summary>
    public long Now => _time.GetTimestamp();

    /// <summary>Gets the rate limits of the transfer's data. The objects of one transfer have the same limits together.</summary>
    public RateLimits Limits { get; }

    public long Requests => Volatile.Read(ref _requests);

    public long Retries => Volatile.Read(ref _retries);

    public long HedgedRequests => Volatile.Read(ref _hedged);

    public int Parts => Volatile.Read(ref _parts);

    public long Bytes => Interlocked.Read(ref _bytes);

    public long BytesResumed => Interlocked.Read(ref _bytesResumed);

    public TimeSpan Elapsed => _time.GetElapsedTime(_started);

    public void SetTotal(long bytes, int? parts)
    {
        Interlocked.Exchange(ref _totalBytes, bytes);
        Volatile.Write(ref _totalParts, parts ?? -1);
    }

    /// <summary>Sets the number of objects in a transfer of many objects.</summary>
    public void SetTotalObjects(long objects) => Interlocked.Exchange(ref _totalObjects, objects);

    /// <summary>Counts bytes that were received, or that a connection has accepted. Bytes that are transferred again must not be counted again.</summary>
    public void AddBytes(long count)
    {
        if (Interlocked.Read(ref _discarded) > 0)
        {
            count = WithoutDiscarded(count);
        }

        long bytes = Interlocked.Add(ref _bytes, count);
        Total?.AddBytes(count);
        if (_partProgress is not null && bytes / StepBytes > (bytes - count) / StepBytes)
        {
            ReportInPlace();
        }
    }

    /// <summary>Counts bytes that don't have to be transferred again, because the store has confirmed them, or all of their part was received.</summary>
    public void AddConfirmed(long count)
    {
        Interlocked.Add(ref _confirmed, count);
        Total?.AddConfirmed(count);
    }

    /// <summary>
    /// Discards bytes that were counted and must be transferred again. As many of the next bytes are not counted, so that the progress never decreases.
    /// </summary>
    public void Discard(long count) => Interlocked.Add(ref _discarded, count);

    /// <summary>Counts bytes that an earlier run had transferred.</summary>
    public void AddResumed(long count)
    {
        Interlocked.Add(ref _bytesResumed, count);
        Total?.AddResumed(count);
    }

    /// <summary>Counts bytes that a later transfer doesn't have to transfer again, at the end of a transfer that failed or was canceled.</summary>
    public void AddKept(long count)
    {
        Interlocked.Add(ref _bytesKept, count);
        Total?.AddKept(count);
    }

    /// <summary>
    /// Discards the counts of an object whose transfer starts again. Reports don't decrease: they stay the same until the transfer has caught up.
    /// </summary>
    public void StartAgain()
    {
        lock (_reporting)
        {
            Remember();
            Total?.Remember();
            (long bytes, long confirmed, long resumed, long kept, int parts) = (Bytes, Interlocked.Read(ref _confirmed), BytesResumed, Interlocked.Read(ref _bytesKept), Parts);
            TakeBack(bytes, confirmed, resumed, kept, parts);
            Total?.TakeBack(bytes, confirmed, resumed, kept, parts);
            Interlocked.Exchange(ref _discarded, 0);
        }
    }

    /// <summary>Counts a completed part.</summary>
    /// <param name="bytes">The number of bytes, which were counted by <see cref="AddBytes"/> and are confirmed now.</param>
    public void AddPart(long bytes)
    {
        Interlocked.Increment(ref _parts);
        Interlocked.Add(ref _confirmed, bytes);
        Total?.AddPart(bytes);
        if (_partProgress is not null)
        {
            ReportInPlace();
        }
    }

    public void AddRequest()
    {
        Interlocked.Increment(ref _requests);
        _whole?.AddRequest();
    }

    /// <summary>Counts a request that is sent again because the first one was slow.</summary>
    public void AddHedge()
    {
        Interlocked.Increment(ref _hedged);
        if (_whole is not null)
        {
            _whole.AddHedge();
        }
        else
        {
            Meter?.AddHedge(_direction);
        }
    }

    /// <summary>Counts a retry of a request.</summary>
    public void AddRetry(WireException failure)
    {
        Interlocked.Increment(ref _retries);
        if (_whole is not null)
        {
            _whole.AddRetry(failure);
        }
        else
        {
            Meter?.AddRetry(failure);
        }
    }

    /// <summary>Counts an object that has ended, in a transfer of many objects.</summary>
    public void AddObject() => Interlocked.Increment(ref _objects);

    /// <summary>Logs the exception of a listener, which doesn't affect the transfer.</summary>
    public void ListenerFailed(Exception e) => Log.ListenerFailed(_logger, _bucket, _key, e);

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
                _whole?.AddTime(TransferTimeKind.Objects, Elapsed - PausedTime);
                if (_whole is not null && Queue is not null)
                {
                    Interlocked.Decrement(ref _whole._objectsInProgress);
                }

                _timer?.Dispose();
            }
        }

        if (isFirst)
        {
            if (error is null && Interlocked.Read(ref _totalObjects) < 0)
            {
                AddConfirmed(Bytes - Interlocked.Read(ref _confirmed)); // also of transfers that have no parts
            }

            ReportEnd(error);
        }

        await _pump.ConfigureAwait(false);
        _handle?.End(_error);
    }

    /// <summary>Gets what counts the bytes of this transfer, too; null for nothing.</summary>
    private TransferReporter? Total => CountsBytes ? _whole : null;

    /// <summary>Gets the statistics of the call so far.</summary>
    /// <param name="source">The part of the call at the store of the source, whose requests are counted, too; null if there is only one store.</param>
    public TransferStatistics GetStatistics(TransferReporter? source = null) => new()
    {
        Elapsed = Elapsed,
        Requests = Requests + (source?.Requests ?? 0),
        Retries = Retries + (source?.Retries ?? 0),
        HedgedRequests = HedgedRequests + (source?.HedgedRequests ?? 0),
        BytesTransferred = Bytes,
        BytesResumed = BytesResumed,
        Times = GetTimes(),
    };

    /// <summary>Gets the progress of the transfer.</summary>
    public TransferProgress GetProgress()
    {
        bool isFinal;
        lock (_gate)
        {
            isFinal = _ended;
        }

        return isFinal ? FinalSnapshot() : Snapshot();
    }

    /// <summary>Returns whether listeners need a report. If nothing moves, they still receive the rate, until it has fallen to zero.</summary>
    private static bool IsNews(in TransferProgress now, in TransferProgress last)
        => now.BytesTransferred != last.BytesTransferred
            || now.BytesConfirmed != last.BytesConfirmed
            || now.PartsCompleted != last.PartsCompleted
            || now.ObjectsCompleted != last.ObjectsCompleted
            || now.TotalBytes != last.TotalBytes
            || now.BytesPerSecond != last.BytesPerSecond
            || now.Bottleneck != last.Bottleneck;

    private TransferProgress FinalSnapshot()
    {
        double seconds = (Elapsed - PausedTime).TotalSeconds;
        return Snapshot(isFinal: true) with { BytesPerSecond = seconds > 0 ? (Bytes - BytesResumed) / seconds : 0 };
    }

    private long WithoutDiscarded(long count)
    {
        while (Interlocked.Read(ref _discarded) is > 0 and long discarded)
        {
            long skipped = Math.Min(discarded, count);
            if (Interlocked.CompareExchange(ref _discarded, discarded - skipped, discarded) == discarded)
            {
                return count - skipped;
            }
        }

        return count;
    }

    private async Task PumpAsync()
    {
        Tell(static (events, e) => events.RaiseInitiated(e), default, null);
        TransferProgress last = default;
        while (await _timer!.WaitForNextTickAsync().ConfigureAwait(false))
        {
            TransferProgress now = Snapshot();
            if (IsNews(now, last))
            {
                Report(now, isFinal: false);
                last = now;
            }
        }

        TransferProgress final = FinalSnapshot();
        Report(final, isFinal: true);
        if (_error is null)
        {
            Tell(static (events, e) => events.RaiseCompleted(e), final, null);
        }
        else
        {
            Tell(static (events, e) => events.RaiseFailed(e), final, _error);
        }
    }

    /// <summary>Reports to a listener of parts, under the lock, so that the reports of parts, of steps, and of the timer are in order.</summary>
    private void ReportInPlace()
    {
        lock (_reporting)
        {
            Report(_partProgress!, Snapshot());
        }
    }

    private void TakeBack(long bytes, long confirmed, long resumed, long kept, int parts)
    {
        Interlocked.Add(ref _confirmed, -confirmed);
        Interlocked.Add(ref _bytesKept, -kept);
        Interlocked.Add(ref _bytes, -bytes);
        Interlocked.Add(ref _bytesResumed, -resumed);
        Interlocked.Add(ref _parts, -parts);
    }

    /// <summary>Stores the progress so far, so that later reports do not decrease.</summary>
    private void Remember()
    {
        lock (_reporting)
        {
            _mostBytes = Math.Max(_mostBytes, Bytes);
            _mostConfirmed = Math.Max(_mostConfirmed, Interlocked.Read(ref _confirmed));
            _mostParts = Math.Max(_mostParts, Parts);
        }
    }

    private TransferProgress Snapshot(bool isFinal = false)
    {
        lock (_reporting)
        {
            if (isFinal)
            {
                (_mostBytes, _mostConfirmed, _mostParts) = (Bytes, Interlocked.Read(ref _confirmed), Parts);
            }

            Remember();
            long bytes = _mostBytes;
            long resumed = Math.Min(bytes, BytesResumed);
            long totalBytes = Interlocked.Read(ref _totalBytes);
            int totalParts = Volatile.Read(ref _totalParts);
            return new TransferProgress
            {
                BytesTransferred = bytes,
                TotalBytes = totalBytes < 0 ? null : totalBytes,
                BytesPerSecond = _rate!.Update(bytes - resumed, Elapsed),
                PartsCompleted = _mostParts,
                TotalParts = totalParts < 0 ? null : totalParts,
                Requests = Requests,
                Retries = Retries,
                HedgedRequests = HedgedRequests,
                BytesConfirmed = Math.Min(bytes, _mostConfirmed),
                BytesResumed = resumed,
                BytesKept = Interlocked.Read(ref _bytesKept),
                ObjectsCompleted = Interlocked.Read(ref _objects),
                TotalObjects = Interlocked.Read(ref _totalObjects) is var objects and >= 0 ? objects : null,
                Bottleneck = isFinal ? GetTimes().Bottleneck : FindRecentBottleneck(),
                Remaining = Remaining(bytes - resumed, totalBytes < 0 ? totalBytes : totalBytes - resumed),
            };
        }
    }

    /// <summary>
    /// Estimates the remaining time at the average rate of the transfer: by bytes and, for many objects, also by objects, because small objects take
    /// the same time regardless of their size.
    /// </summary>
    private TimeSpan? Remaining(long bytes, long totalBytes)
    {
        double left = Left(bytes, totalBytes);
        double leftObjects = Left(Interlocked.Read(ref _objects), Interlocked.Read(ref _totalObjects));
        double part = double.IsNaN(leftObjects) ? left : Math.Max(left, leftObjects);
        double seconds = part * Elapsed.TotalSeconds;
        return seconds < TimeSpan.MaxValue.TotalSeconds ? TimeSpan.FromSeconds(seconds) : null; // NaN fails this comparison

        static double Left(long done, long total) => total < 0 ? double.NaN : total <= done ? 0 : done == 0 ? double.PositiveInfinity : (double)(total - done) / done;
    }

    private void Report(TransferProgress progress, bool isFinal)
    {
        if (_progress is not null)
        {
            Report(_progress, progress);
        }

        if (_partProgress is not null)
        {
            lock (_reporting)
            {
                Report(_partProgress, isFinal ? progress : Snapshot());
            }
        }

        Tell(static (events, e) => events.RaiseProgressed(e), progress, null);
    }

    private void Report(IProgress<TransferProgress> listener, TransferProgress progress)
    {
        try
        {
            listener.Report(progress);
        }
#pragma warning disable CA1031 // an exception of a listener doesn't affect the transfer
        catch (Exception e)
#pragma warning restore CA1031
        {
            ListenerFailed(e);
        }
    }

    private void Tell(Action<TransferEvents, TransferEventArgs> raise, TransferProgress progress, Exception? error)
    {
        if (_events.Length == 0)
        {
            return;
        }

        TransferEventArgs args = new(_id, _direction, _bucket, _key, progress, error);
        foreach (TransferEvents events in _events)
        {
            try
            {
                raise(events, args);
            }
#pragma warning disable CA1031 // an exception of a listener doesn't affect the transfer
            catch (Exception e)
#pragma warning restore CA1031
            {
                ListenerFailed(e);
            }
        }
    }
}
