using Transfer.S3.Concurrency;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>One attempt of a request: its slot, its deadline, and its pace. Disposing it releases them.</summary>
internal sealed class RequestAttempt : IDisposable
{
    private readonly RequestPipeline _pipeline;
    private readonly TransferReporter _reporter;
    private readonly RequestRules _rules;
    private readonly RequestSlot _slot;
    private readonly bool _isWatched;
    private readonly int _failedAttempts;
    private long _sentAt;

    public RequestAttempt(RequestPipeline pipeline, RequestSlot slot, in RequestRules rules, TransferReporter reporter, Attempts? former, CancellationToken cancellationToken)
    {
        _pipeline = pipeline;
        _reporter = reporter;
        _rules = rules;
        _slot = slot;
        _failedAttempts = former?.Total ?? 0;
        _isWatched = rules.CanRepeat && pipeline.Hedging.IsEnabled;
        OverdueWatch? watch = _isWatched ? new OverdueWatch(pipeline.Hedging, IsUpload ? rules.Cost.Bytes : 0, IsUpload ? 0 : rules.Cost.Bytes, former?.Hedges ?? 0) : null;
        Guard = new StallGuard(rules.Silence ?? pipeline.StallTimeout, pipeline.Time, rules.UnderWay ?? cancellationToken, watch) { CanRepeat = rules.CanRepeat };
        Guard.Pace = RequestPace.Create(reporter, slot, Guard, pipeline);
        pipeline.Began(Guard, _failedAttempts > 0);
    }

    /// <summary>Gets the guard that ends the attempt if it takes too long, or if its transfer is paused.</summary>
    public StallGuard Guard { get; }

    /// <summary>Gets the token to send and to read the request with.</summary>
    public CancellationToken Token => Guard.Token;

    private bool IsUpload => _slot.Direction == RequestDirection.Upload;

    /// <summary>Sends the request. All requests of a client pass here.</summary>
    /// <param name="send">Sends it.</param>
    /// <param name="state">Is passed to <paramref name="send"/>.</param>
    /// <param name="readsBody">Whether a response that arrives slowly is read before <paramref name="send"/> returns.</param>
    /// <exception cref="WireException">The attempt failed. If its time or a pause ended it, its kind tells that.</exception>
    public async Task<T> SendAsync<TState, T>(Func<TState, RequestAttempt, Task<T>> send, TState state, bool readsBody = true)
    {
        _sentAt = _reporter.Times.Now;
        Guard.Begin();
        Guard.Enter(_rules.Cost.IsCleanup ? null : _reporter.Pause, _rules.CanInterrupt);
        _reporter.Requests.Add();
        if (_rules.Cost.IsCleanup)
        {
            UsageLimit.ExceptCleanup();
        }

        if (readsBody && !(IsUpload && _rules.Cost.HasData))
        {
            ResponseWatch.Current = Guard;
        }

        if (_failedAttempts > 0)
        {
            RequestTrace.SetFailedAttempts(_failedAttempts);
        }

        try
        {
            T result = await send(state, this).ConfigureAwait(false);
            _pipeline.Succeeded(_sentAt);
            return result;
        }
        catch (Exception e)
        {
            WireException? failure = e is OperationCanceledException ? Guard.GetFailure(e) : null;
            if ((failure is not null && Guard.HasStalled) || e is WireException { Kind: FailureKind.Throttled })
            {
                _slot.Reject();
                _pipeline.Hedging.Throttled();
            }

            if (failure is not null)
            {
                throw failure;
            }

            throw;
        }
        finally
        {
            CountTime();
        }
    }

    /// <summary>Begins to send a part. If too many share a slow link, the attempt is given up.</summary>
    /// <returns>Null if the request sends no part.</returns>
    public PartSend? BeginSend(long length) => _slot.SendLimit?.Begin(length, Guard);

    /// <summary>Reports the first byte of a response whose body is read now.</summary>
    public void Answered()
    {
        Guard.Answered();
        _slot.FirstByte();
        _pipeline.Hedging.Responded(_pipeline.Time.GetElapsedTime(_sentAt));
    }

    /// <summary>Reports content that has arrived.</summary>
    public void Received(int bytes) => _pipeline.Usage.Received(bytes);

    /// <summary>Reports that the store has confirmed a part.</summary>
    public void Confirmed(PartSend part) => _slot.FirstByte(part.SentAt);

    /// <summary>Reports that all data was transferred.</summary>
    public void Complete(long bytes)
    {
        if (_isWatched && IsUpload)
        {
            _pipeline.Hedging.Uploaded(Guard.LongestSilence, bytes);
        }

        if (_rules.Cost.HasData)
        {
            _slot.Complete(bytes);
        }
    }

    /// <summary>Suspends the deadline until the guard resumes, because no one reads. The slot is released for good, so that a slow reader doesn't block other requests.</summary>
    public void Pause()
    {
        Guard.Pause();
        _pipeline.Ended(Guard);
        _slot.Dispose();
    }

    public void Dispose()
    {
        _pipeline.Ended(Guard);
        Guard.Dispose();
        _slot.Dispose();
    }

    /// <summary>
    /// Until the connection has accepted the last byte, a request sends data. Afterward, it waits for the store. But the system's buffers hold megabytes, so a
    /// large body is still being sent then.
    /// </summary>
    private void CountTime()
    {
        TimeSpan all = _pipeline.Time.GetElapsedTime(_sentAt + (Guard.Pace?.Waited ?? 0));
        TimeSpan sent = _pipeline.Time.GetElapsedTime(_sentAt, Guard.TouchedAt);
        TimeSpan sending = (IsUpload && _rules.Cost.Bytes > RequestCost.SmallBytes) || sent > all ? all : sent;
        _reporter.Times.Add(TransferTimeKind.Data, sending);
        _reporter.Times.Add(TransferTimeKind.FirstByte, all - sending);
    }
}
