namespace Transfer.Concurrency;

/// <summary>Decides when a slow request is sent a second time, so that the first response wins (a hedged request: Dean and Barroso, "The Tail at Scale", CACM 56(2), 2013).</summary>
/// <remarks>
/// <para>
/// A hedge helps if one connection or one machine of the store is slow. If all of the store is slow, it only adds load. So hedges have a budget that is refilled by successes and not by time, and there
/// are none while the store throttles, while the median latency has doubled, or while more than a tenth of the requests in flight are overdue.
/// </para>
/// <para>The members can be called from any thread.</para>
/// </remarks>
/// <param name="isEnabled">Whether there are any hedges.</param>
/// <param name="inFlight">Gets the number of requests in flight.</param>
/// <param name="time">The clock.</param>
internal sealed class HedgePolicy(bool isEnabled, Func<int> inFlight, TimeProvider time)
{
    /// <summary>The share of the requests, and of their bytes, that hedges can add.</summary>
    public const double BudgetShare = 0.02;

    /// <summary>The budget at the start, so that one silent connection costs little even then.</summary>
    private const double FirstRequests = 4;
    private const double FirstBytes = 16 * Sizes.MiB;

    /// <summary>The part of the budget that is kept for requests which may never end. Hedges of slow requests save much less time.</summary>
    private const double ReservedRequests = 2;

    /// <summary>The most that can be saved up.</summary>
    private const double MostRequests = 16;
    private const double MostBytes = 256 * Sizes.MiB;

    /// <summary>A request is overdue when it has taken this many times as long as nearly all others.</summary>
    private const double Margin = 1.2;

    /// <summary>The shortest time to wait for a response, and the least by which a body must be late. A busy machine can be slow for that long, and then it is no connection that is slow.</summary>
    private static readonly TimeSpan LeastDelay = TimeSpan.FromMilliseconds(50);

    /// <summary>The same while it is not known how long responses take.</summary>
    private static readonly TimeSpan FirstDelay = TimeSpan.FromSeconds(1);

    /// <summary>The shortest silence within a body: longer than TCP needs to send a lost packet again (at least 200 ms, and twice that the second time; RFC 6298 and its implementations).</summary>
    private static readonly TimeSpan LeastSilence = TimeSpan.FromMilliseconds(600);

    /// <summary>Bodies below this size arrive mostly with their headers, so that their times tell nothing about the data rate.</summary>
    private const long LeastBodyBytes = 256 * Sizes.KiB;

    /// <summary>The shortest silence of an upload, and the silence while it is not known how long they are. A part is sent as a whole, so a hedge costs more than that of a response.</summary>
    private static readonly TimeSpan LeastUploadDelay = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan FirstUploadDelay = TimeSpan.FromSeconds(5);
    private const double UploadMargin = 1.5;

    /// <summary>How long there are no hedges after the store has throttled a request.</summary>
    private static readonly TimeSpan ThrottledPause = TimeSpan.FromSeconds(10);

    /// <summary>The share of the requests in flight that can be overdue while single requests are the cause.</summary>
    private const double OverdueShare = 0.1;

    private readonly Lock _gate = new();
    private readonly RequestTimes _firstBytes = new();
    private readonly RequestTimes _bodies = new(); // per MiB
    private readonly RequestTimes _uploadSilences = new();
    private double _requests = FirstRequests;
    private double _bytes = FirstBytes;
    private long _pausedUntil;
    private int _overdue;

    /// <summary>Gets a value that indicates whether there are any hedges.</summary>
    public bool IsEnabled => isEnabled;

    /// <summary>Gets how long to wait for a response to a GET before it is overdue.</summary>
    public TimeSpan FirstByteDelay
    {
        get
        {
            lock (_gate)
            {
                return _firstBytes.IsKnown ? Longer(TimeSpan.FromSeconds(Margin * Math.Max(_firstBytes.High, _firstBytes.Median)), LeastDelay) : FirstDelay;
            }
        }
    }

    /// <summary>Gets how long a connection can be silent in the middle of a body before the rest is requested from another one.</summary>
    public TimeSpan SilenceDelay
    {
        get
        {
            lock (_gate)
            {
                return _firstBytes.IsKnown ? Longer(TimeSpan.FromSeconds(2 * _firstBytes.High), LeastSilence) : FirstDelay;
            }
        }
    }

    /// <summary>Gets how long the data of a response can be waited for before it is overdue.</summary>
    /// <param name="bytes">The bytes of the response.</param>
    /// <returns><see cref="TimeSpan.MaxValue"/> if the response is so small that its time tells nothing.</returns>
    public TimeSpan BodyDelay(long bytes)
    {
        if (bytes < LeastBodyBytes)
        {
            return TimeSpan.MaxValue;
        }

        lock (_gate)
        {
            return _bodies.IsKnown ? LeastDelay + TimeSpan.FromSeconds(Margin * BodySeconds(bytes)) : FirstDelay;
        }
    }

    /// <summary>Gets the bytes that a connection usually transfers in the time to the first byte of a response; null if that is not known.</summary>
    public double? LatencyBytes
    {
        get
        {
            lock (_gate)
            {
                return _firstBytes.IsKnown && _bodies.IsKnown ? Sizes.MiB * _firstBytes.Median / _bodies.Median : null;
            }
        }
    }

    /// <summary>Gets a value that indicates whether the rest of a slow body arrives earlier over another connection.</summary>
    /// <param name="seconds">How long the rest will take over its own connection, in seconds.</param>
    /// <param name="bytes">The bytes to request from the other one.</param>
    /// <param name="isSent">Whether the other response has begun.</param>
    public bool IsFasterElsewhere(double seconds, long bytes, bool isSent)
    {
        lock (_gate)
        {
            return _bodies.IsKnown && !_bodies.HasDoubled && seconds > BodySeconds(bytes) + (isSent ? 0 : _firstBytes.High);
        }
    }

    /// <summary>Counts the body of a response.</summary>
    /// <param name="waited">The time in which its data was waited for.</param>
    /// <param name="bytes">Its bytes.</param>
    public void Received(TimeSpan waited, long bytes)
    {
        if (bytes >= LeastBodyBytes)
        {
            lock (_gate)
            {
                _bodies.Add(waited.TotalSeconds * Sizes.MiB / bytes);
            }
        }
    }

    /// <summary>Gets how long an upload of a part can be silent, in the middle of its body or before its response. Buffers of a slow link can take seconds to drain.</summary>
    public TimeSpan UploadDelay
    {
        get
        {
            lock (_gate)
            {
                return _uploadSilences.IsKnown ? Longer(TimeSpan.FromSeconds(UploadMargin * _uploadSilences.High), LeastUploadDelay) : FirstUploadDelay;
            }
        }
    }

    /// <summary>Counts a part that was uploaded.</summary>
    /// <param name="longestSilence">The longest time without a sign of life.</param>
    /// <param name="bytes">The bytes of the part.</param>
    public void Uploaded(TimeSpan longestSilence, long bytes)
    {
        lock (_gate)
        {
            _uploadSilences.Add(longestSilence.TotalSeconds);
            _requests = Math.Min(MostRequests, _requests + BudgetShare);
            _bytes = Math.Min(MostBytes, _bytes + (BudgetShare * bytes));
        }
    }

    /// <summary>Counts a response that has begun.</summary>
    /// <param name="firstByte">The time to its first byte.</param>
    /// <param name="bytes">The bytes of the request.</param>
    public void Responded(TimeSpan firstByte, long bytes)
    {
        lock (_gate)
        {
            _firstBytes.Add(firstByte.TotalSeconds);
            _requests = Math.Min(MostRequests, _requests + BudgetShare);
            _bytes = Math.Min(MostBytes, _bytes + (BudgetShare * bytes));
        }
    }

    /// <summary>Counts a request that was canceled because another one won. It would have taken longer.</summary>
    public void Abandoned(TimeSpan duration)
    {
        lock (_gate)
        {
            _firstBytes.Add(duration.TotalSeconds);
        }
    }

    /// <summary>Stops hedging for a while, because the store throttles.</summary>
    public void Throttled() => Volatile.Write(ref _pausedUntil, time.GetTimestamp() + (long)(ThrottledPause.TotalSeconds * time.TimestampFrequency));

    /// <summary>Gets a value that indicates whether the store has throttled a request in the last seconds.</summary>
    public bool IsPaused => time.GetTimestamp() < Volatile.Read(ref _pausedUntil);

    /// <summary>Counts a request that is overdue, until <see cref="EndOverdue"/>.</summary>
    public void BeginOverdue() => Interlocked.Increment(ref _overdue);

    public void EndOverdue() => Interlocked.Decrement(ref _overdue);

    /// <summary>Takes a hedge from the budget, if there may be one now. To be called while the request counts as overdue.</summary>
    /// <param name="bytes">The bytes that are requested a second time.</param>
    /// <param name="isSilent">Whether the request was silent for so long that it may never end. Otherwise, it is only slow.</param>
    public bool TryTake(long bytes, bool isSilent)
    {
        int requests = inFlight();
        if (!isEnabled || IsPaused || Volatile.Read(ref _overdue) > Math.Max(1, OverdueShare * requests))
        {
            return false;
        }

        lock (_gate)
        {
            // A single request is no load. And while it is silent, no other one tells whether the store is still slow.
            bool isStoreSlow = _firstBytes.HasDoubled && requests > 1;
            if (_requests < (isSilent ? 1 : 1 + ReservedRequests) || _bytes < bytes || isStoreSlow)
            {
                return false;
            }

            _requests--;
            _bytes -= bytes;
            return true;
        }
    }

    /// <summary>Gives the bytes of a hedge back that were not transferred twice after all.</summary>
    public void GiveBack(long bytes)
    {
        lock (_gate)
        {
            _bytes = Math.Min(MostBytes, _bytes + bytes);
        }
    }

    /// <summary>Gives back a hedge that was not sent.</summary>
    public void GiveBackUnsent(long bytes)
    {
        GiveBack(bytes);
        lock (_gate)
        {
            _requests = Math.Min(MostRequests, _requests + 1);
        }
    }

    /// <summary>Gets the time within which nearly all bodies of a size arrive.</summary>
    private double BodySeconds(long bytes) => _bodies.High * bytes / Sizes.MiB;

    private static TimeSpan Longer(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
