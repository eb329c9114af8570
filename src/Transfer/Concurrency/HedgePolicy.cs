namespace Transfer.S3.Concurrency;

/// <summary>
/// Decides when a slow request is given up and sent again over another connection (after the hedged requests of Dean and Barroso, "The Tail at Scale",
/// CACM 56(2), 2013). The two aren't in flight at the same time, so the second needs no other slot, and nothing is received twice.
/// </summary>
/// <remarks>
/// <para>
/// That helps if one connection or one machine of the store is slow. If the whole store is slow, it only adds load. So these requests, called hedges, have a budget
/// that is refilled by successes and not by time. There are none while the store throttles, while the median latency has doubled, or while more than a
/// tenth of the requests in flight are overdue.
/// </para>
/// <para>The members are thread-safe.</para>
/// </remarks>
/// <param name="isEnabled">Whether hedging is enabled.</param>
/// <param name="inFlight">Gets the number of requests in flight.</param>
/// <param name="time">The clock.</param>
internal sealed class HedgePolicy(bool isEnabled, Func<int> inFlight, TimeProvider time)
{
    /// <summary>The share of the requests, and of the bytes that are sent, that hedges can add.</summary>
    public const double BudgetShare = 0.02;

    /// <summary>
    /// The budget at the start, so that one silent connection costs little even then. A larger part needs as many bytes, and puts the budget into debt. So parts of any
    /// size can be sent a second time, and the share holds over time.
    /// </summary>
    private const double FirstRequests = 4;
    private const double FirstBytes = 16 * Sizes.MiB;

    /// <summary>The part of the budget that is reserved for requests that may never end. Hedges of slow requests save much less time.</summary>
    private const double ReservedRequests = 2;

    /// <summary>The maximum budget.</summary>
    private const double MostRequests = 16;
    private const double MostBytes = 256 * Sizes.MiB;

    /// <summary>A request is overdue when it has taken this many times as long as nearly all others.</summary>
    private const double Margin = 1.2;

    /// <summary>
    /// The minimum time to wait for a response, and the minimum delay of a body. A busy machine can be slow for that long without a slow connection.
    /// </summary>
    private static readonly TimeSpan LeastDelay = TimeSpan.FromMilliseconds(50);

    /// <summary>The same times until it is known how long responses take.</summary>
    private static readonly TimeSpan FirstDelay = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The minimum silence within a body, to which three round trips are added. It is longer than TCP needs to retransmit a lost packet: a round trip and at least 200 ms,
    /// and twice that the second time (RFC 6298 and its implementations).
    /// </summary>
    private static readonly TimeSpan LeastSilence = TimeSpan.FromMilliseconds(600);
    private const double SilentRoundTrips = 3;

    /// <summary>
    /// The rest of a body must take this many times as long as it would over another connection. A connection that lost packets is slow for some round trips and then
    /// recovers, and one that is given up loses what is in flight.
    /// </summary>
    private const double LeastSlowdown = 3;

    /// <summary>The shortest time of a MiB, in seconds. Bodies that have arrived with their headers take none, and no rate is infinite.</summary>
    private const double LeastBodySeconds = 1e-6;

    /// <summary>Bodies below this size mostly arrive with their headers, so their times say nothing about the data rate.</summary>
    private const long LeastBodyBytes = 256 * Sizes.KiB;

    /// <summary>
    /// The minimum silence of an upload, and the silence until it is known how long silences are. A part is sent as a whole, so a hedge costs more
    /// than that of a response.
    /// </summary>
    private static readonly TimeSpan LeastUploadDelay = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan FirstUploadDelay = TimeSpan.FromSeconds(5);
    private const double UploadMargin = 1.5;

    /// <summary>How long no hedges are sent after the store has throttled a request.</summary>
    private static readonly TimeSpan ThrottledPause = TimeSpan.FromSeconds(10);

    /// <summary>The maximum share of overdue requests in flight. If there are more, the cause is not a single connection.</summary>
    private const double OverdueShare = 0.1;

    private readonly Lock _gate = new();
    private readonly RequestTimes _firstBytes = new();
    private readonly RequestTimes _bodies = new(); // per MiB
    private readonly RequestTimes _uploadSilences = new();
    private double _requests = FirstRequests;
    private double _bytes = FirstBytes;
    private long _pausedUntil;
    private int _overdue;

    /// <summary>Gets a value that indicates whether hedging is enabled.</summary>
    public bool IsEnabled => isEnabled;

    /// <summary>
    /// Gets the time after which the response to a GET request is overdue. The first packet of a response can be lost, too, so a large one has the time to send it again:
    /// what is in flight when it is given up is received for nothing.
    /// </summary>
    /// <param name="bytes">The size of the response, in bytes.</param>
    public TimeSpan GetFirstByteDelay(long bytes)
    {
        lock (_gate)
        {
            TimeSpan delay = _firstBytes.IsKnown ? Longer(TimeSpan.FromSeconds(Margin * Math.Max(_firstBytes.High, _firstBytes.Median)), LeastDelay) : FirstDelay;
            return bytes > LeastBodyBytes ? Longer(delay, SilenceDelay) : delay;
        }
    }

    /// <summary>Gets how long a connection can be silent in the middle of a body before the rest is requested over another one.</summary>
    public TimeSpan SilenceDelay
    {
        get
        {
            lock (_gate)
            {
                return _firstBytes.IsKnown
                    ? Longer(TimeSpan.FromSeconds(2 * _firstBytes.High), LeastSilence + TimeSpan.FromSeconds(SilentRoundTrips * _firstBytes.Median))
                    : FirstDelay;
            }
        }
    }

    /// <summary>Gets the total time of waiting for the data of a response after which it is overdue.</summary>
    /// <param name="bytes">The size of the response, in bytes.</param>
    /// <returns><see cref="TimeSpan.MaxValue"/> if the response is so small that its time says nothing.</returns>
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

    /// <summary>
    /// Gets the number of bytes that a connection usually transfers during the time to the first byte of a response; null if that is not known.
    /// </summary>
    public double? LatencyBytes
    {
        get
        {
            lock (_gate)
            {
                return _firstBytes.IsKnown && _bodies.IsKnown ? Sizes.MiB * _firstBytes.Median / Math.Max(_bodies.Median, LeastBodySeconds) : null;
            }
        }
    }

    /// <summary>Returns whether the rest of a slow body would arrive much earlier over another connection.</summary>
    /// <param name="seconds">How long the rest will take over its own connection, in seconds.</param>
    /// <param name="bytes">The number of bytes to request over the other one.</param>
    public bool IsFasterElsewhere(double seconds, long bytes)
    {
        lock (_gate)
        {
            return _bodies.IsKnown && !_bodies.HasDoubled && seconds > LeastSlowdown * (BodySeconds(bytes) + _firstBytes.High);
        }
    }

    /// <summary>Counts the body of a response.</summary>
    /// <param name="waited">The total time of waiting for its data.</param>
    /// <param name="bytes">The size of the body, in bytes.</param>
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

    /// <summary>
    /// Gets how long an upload of a part can be silent, in the middle of its body or before its response. The buffers of a slow link can take seconds
    /// to drain.
    /// </summary>
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
    /// <param name="longestSilence">The longest time without progress.</param>
    /// <param name="bytes">The size of the part, in bytes.</param>
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
    public void Responded(TimeSpan firstByte)
    {
        lock (_gate)
        {
            _firstBytes.Add(firstByte.TotalSeconds);
            _requests = Math.Min(MostRequests, _requests + BudgetShare);
        }
    }

    /// <summary>Counts a request that was given up before its response began. It would have taken longer than this duration.</summary>
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

    /// <summary>Takes a hedge from the budget if one is allowed now. It must be called while the request counts as overdue.</summary>
    /// <param name="bytes">The number of bytes that are sent a second time.</param>
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
            // A single request is no load. While it is silent, no other request shows whether the store is still slow.
            bool isStoreSlow = _firstBytes.HasDoubled && requests > 1;
            if (_requests < (isSilent ? 1 : 1 + ReservedRequests) || _bytes < Math.Min(bytes, FirstBytes) || isStoreSlow)
            {
                return false;
            }

            _requests--;
            _bytes -= bytes;
            return true;
        }
    }

    /// <summary>Gets the time within which nearly all bodies of a size arrive.</summary>
    private double BodySeconds(long bytes) => _bodies.High * bytes / Sizes.MiB;

    private static TimeSpan Longer(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
