namespace Transfer.S3.Requests;

/// <summary>
/// Calls the listeners of one transfer at an interval, in a task of its own, so that a slow listener doesn't delay the transfer and calls don't overlap.
/// </summary>
#pragma warning disable CA1001 // every transfer calls End, which disposes the timer
internal sealed class TransferListeners
#pragma warning restore CA1001
{
    private readonly Guid _id = Guid.NewGuid();
    private readonly TransferReporter _transfer;
    private readonly ProgressMeter _meter;
    private readonly IProgress<TransferProgress>? _progress;
    private readonly IPartProgress? _partProgress;
    private readonly TransferEvents[] _events;
    private readonly PeriodicTimer _timer;
    private readonly Task _pump;
    private readonly Lock _reporting = new();
    private Exception? _error;

    public TransferListeners(
        TransferReporter transfer, ProgressMeter meter, IProgress<TransferProgress>? progress, TransferEvents[] events, TimeSpan interval, TimeProvider time)
    {
        _transfer = transfer;
        _meter = meter;
        _partProgress = progress as IPartProgress;
        _progress = _partProgress is null ? progress : null;
        _events = events;
        transfer.Bytes.Stepped = _partProgress is null ? null : ReportInPlace;
        _timer = new PeriodicTimer(interval, time);
        _pump = Task.Run(PumpAsync);
    }

    /// <summary>Gets a task that completes when the listeners have received the end of the transfer.</summary>
    public Task WhenEnded => _pump;

    /// <summary>Reports the end of the transfer. It is called once.</summary>
    public void End(Exception? error)
    {
        _error = error;
        _timer.Dispose();
    }

    /// <summary>Returns whether listeners need a report. If nothing moves, they still receive the rate, until it has fallen to zero.</summary>
    private static bool IsNews(in TransferProgress now, in TransferProgress last)
        => now.BytesTransferred != last.BytesTransferred
            || now.BytesConfirmed != last.BytesConfirmed
            || now.PartsCompleted != last.PartsCompleted
            || now.ObjectsCompleted != last.ObjectsCompleted
            || now.ObjectsUnpublished != last.ObjectsUnpublished
            || now.TotalBytes != last.TotalBytes
            || now.BytesPerSecond != last.BytesPerSecond
            || now.Bottleneck != last.Bottleneck;

    private async Task PumpAsync()
    {
        Tell(static (events, e) => events.RaiseInitiated(e), default, null);
        TransferProgress last = default;
        while (await _timer.WaitForNextTickAsync().ConfigureAwait(false))
        {
            TransferProgress now = _meter.Get();
            if (IsNews(now, last))
            {
                Report(now, isFinal: false);
                last = now;
            }
        }

        TransferProgress final = _meter.GetFinal();
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
            Report(_partProgress!, _meter.Get());
        }
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
                Report(_partProgress, isFinal ? progress : _meter.Get());
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
            _transfer.ListenerFailed(e);
        }
    }

    private void Tell(Action<TransferEvents, TransferEventArgs> raise, TransferProgress progress, Exception? error)
    {
        if (_events.Length == 0)
        {
            return;
        }

        TransferSubject subject = _transfer.Subject;
        TransferEventArgs args = new(_id, subject.Direction, subject.Bucket, subject.Key, progress, error);
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
                _transfer.ListenerFailed(e);
            }
        }
    }
}
