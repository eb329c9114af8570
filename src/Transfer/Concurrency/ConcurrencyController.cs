namespace Transfer.S3.Concurrency;

/// <summary>Finds the number of concurrent requests at which a link is full: the knee, beyond which more requests only wait longer.</summary>
/// <remarks>
/// <para>
/// The controller compares the duration of requests with the best duration of requests of their size. The efficiency is the quotient: 1 if requests
/// don't share anything, and 1/2 if each gets half of what it could have. The requests in flight multiplied by 1 - efficiency are those that only
/// wait for others. The controller keeps their number at <see cref="GetBacklog"/>, which is enough that the link is never idle while requests end and
/// begin. This is the law of FAST TCP (Wei, Jin, Low, and Hegde, "FAST TCP: Motivation, Architecture, Algorithms, Performance", IEEE/ACM Transactions
/// on Networking 14(6), 2006). The backlog grows more slowly than the limit, so clients that know the best durations share a link equally.
/// </para>
/// <para>
/// The best durations may be unknown or out of date. Growth that transfers no more data is taken back. If two successive reductions lose as much as
/// if the link weren't full, the store has become slow, and the best durations are reset. If the link is shared with others from the beginning,
/// requests slow down in proportion from the beginning, and the best durations are corrected by the backlog of the others.
/// </para>
/// <para>
/// At the start, the first response tells whether the store is near. If it is, few requests are enough. Otherwise, the limit doubles, unless the first requests are so
/// short that fewer are tried first, or so slow that they probably fill the link. If a doubling has no effect, the link was full before, and the limit falls while the rate
/// stays the same
/// (<see cref="LimitDescent"/>). If the store rejects requests, <see cref="RejectionHold"/> decides.
/// </para>
/// <para>The class has no clock and no lock: it is driven by samples.</para>
/// </remarks>
internal sealed class ConcurrencyController
{
    /// <summary>
    /// The number of requests that wait for others when the link is full: the least, plus a share of the limit. A link that few requests fill is busy with a
    /// short queue, and others wait behind a long one.
    /// </summary>
    private const double LeastBacklog = 1;
    private const double BacklogShare = 0.5;
    private const double MostBacklog = 8;

    /// <summary>
    /// The same for small objects. Their requests hold few bytes of the link, and the processor delays them more than others, which must not look like a full link.
    /// </summary>
    private const double SmallBacklog = 64;

    /// <summary>The deviation of the backlog that doesn't change the limit: this many requests plus this share of the limit.</summary>
    private const double Slack = 1;
    private const double SlackShare = 1.0 / 64;

    /// <summary>The start ends below this efficiency.</summary>
    private const double KneeEfficiency = 0.675;

    /// <summary>If the efficiency is below this value after the first doubling, the link may have been full before.</summary>
    private const double FullAtFirstEfficiency = 0.6;

    /// <summary>More requests bring little below an efficiency in this range, at which half of the backlog waits.</summary>
    private const double LeastCrowdedEfficiency = 0.75;
    private const double MostCrowdedEfficiency = 0.9;

    /// <summary>
    /// The share of the missing backlog by which the limit grows, and the maximum growth: this many requests, or this share of the limit.
    /// </summary>
    private const double GrowShare = 0.5;
    private const double MostGrowth = 2;
    private const double MostGrowthShare = 0.05;

    /// <summary>
    /// If less than this share of the backlog waits, the link is far from full, for example because the start ended early while the process was busy. Growth by a share
    /// of the limit then doubles each time that it brings more, up to the highest share.
    /// </summary>
    private const double LowBacklogShare = 0.5;
    private const double FastestGrowthShare = 0.4;

    /// <summary>The share of the limit that remains after the largest reduction.</summary>
    private const double MostShrink = 0.8;

    /// <summary>The share of the proportional gain that growth must bring.</summary>
    private const double LeastGain = 0.5;

    /// <summary>
    /// The same for small objects at the start. A process that has just started is busy with their first requests, so that each takes longer although the link isn't full.
    /// </summary>
    private const double LeastSmallGain = 0.25;

    /// <summary>A smaller change of the requests in flight during the start says nothing about the doubling.</summary>
    private const double LeastStartGrowth = 0.25;

    /// <summary>The number of successive samples without a gain that end the start. One sample can be noise.</summary>
    private const int MostWithoutGain = 2;

    /// <summary>The share of the limit that remains when fewer requests are tried: at the start, and later, when a link that isn't full must lose little.</summary>
    private const double StartDescentShare = 0.5;
    private const double DescentShare = 0.7;

    /// <summary>A shorter request is that of a near store, even if the process is still too busy to show how short the latency is.</summary>
    private const double ShortSeconds = 0.025;

    /// <summary>A request with a lower rate is slow: stores send each connection more, but 12 requests that share 300 Mbit/s get less.</summary>
    private const double SlowBytesPerSecond = 3 * Sizes.MiB;

    /// <summary>
    /// The least limit of downloads, whose ranges can be short. Fewer connections may fill a link as well, but not if packets are lost, because a connection that loses one
    /// transfers half as much afterwards. On a near store, they are idle between two ranges.
    /// </summary>
    private const int LeastRanges = 8;

    /// <summary>If two successive reductions cost this share of the proportional loss, the link isn't full.</summary>
    private const double LossShare = 0.85;
    private const int Losses = 2;

    /// <summary>Smaller changes of the requests in flight say nothing about the link.</summary>
    private const double LeastGrowth = 0.01;
    private const double LeastReduction = 0.05;

    /// <summary>The weight of a new sample in the average efficiency.</summary>
    private const double Smoothing = 0.25;

    /// <summary>
    /// How long the limit stays after growth was taken back. The time increases, because noise can hide the gain, but a full link stays full.
    /// </summary>
    private const double LeastPauseSeconds = 0.2;
    private const double MostPauseSeconds = 4;

    private readonly int _min;
    private readonly int _start;
    private readonly int _max;
    private readonly BestTimes _best = new();
    private readonly ForeignLoad _foreign = new();
    private readonly LimitDescent _descent = new();
    private readonly RejectionHold _rejections;
    private int _doublings;
    private double _largeRateBefore;
    private int _withoutGain;
    private double _limit;
    private double _backlog;
    private double _efficiency;
    private double _growthShare = MostGrowthShare;
    private double _growPause;
    private double _nextGrowPause = LeastPauseSeconds;
    private (double Rate, double InFlight, double Limit) _before;
    private int _losses;
    private double _limitBeforeLosses;
    private bool _hasWholeParts;
    private bool _isFullWithLeast;
    private bool _isChanged = true;
    private ConcurrencyReason _reason;

    /// <param name="min">The lowest limit.</param>
    /// <param name="start">The limit at the start.</param>
    /// <param name="max">The highest limit.</param>
    public ConcurrencyController(int min, int start, int max)
    {
        (_min, _max) = (Math.Min(min, max), max);
        _start = Math.Clamp(start, _min, max);
        _limit = _start;
        _backlog = GetBacklog(_limit);
        _rejections = new RejectionHold(_min, max);
    }

    /// <summary>Gets the maximum number of requests in flight.</summary>
    public int Limit => (int)_limit;

    /// <summary>Gets the number of requests that fill the link without a backlog.</summary>
    public int Enough => (int)Math.Max(0, _limit - _backlog);

    /// <summary>Gets a value that indicates whether the limit is still doubling.</summary>
    public bool IsStarting { get; private set; } = true;

    /// <summary>Gets a value that indicates whether the store is known to be so near that its latency doesn't matter.</summary>
    public bool IsNear => _best.IsNear;

    /// <inheritdoc cref="BestTimes.PartsInTurn"/>
    public int PartsInTurn => _best.PartsInTurn;

    /// <summary>Gets a value that indicates whether the store has rejected requests in the last seconds.</summary>
    public bool IsHeld => _rejections.IsHeld;

    /// <summary>Gets the highest limit.</summary>
    public int Highest => _max;

    /// <summary>
    /// Gets a value that indicates whether more requests bring little, because requests delay each other or the last growth was taken back.
    /// </summary>
    public bool IsCrowded
        => _isFullWithLeast
        || (_limit < _max && _nextGrowPause > LeastPauseSeconds)
        || (_efficiency > 0 && _efficiency < Math.Clamp(1 - (_backlog / 2 / _limit), LeastCrowdedEfficiency, MostCrowdedEfficiency));

    /// <summary>Gets the average efficiency: the best duration of requests divided by their current duration.</summary>
    public double Efficiency => _efficiency;

    /// <summary>Gets the number of bytes that one request can transfer during the time to the first byte; 0 if that is not known.</summary>
    public double LatencyBytes => _best.LatencyBytes;

    /// <summary>Begins with the lowest limit instead of the usual one, until the first response.</summary>
    /// <remarks>It is called for uploads, whose parts can't be divided at the end, so that fewer of them can end together on a slow link.</remarks>
    public void BeginWithFew() => (_limit, _hasWholeParts) = (_min, true);

    /// <summary>
    /// Chooses the limit to begin with by the first response. A near store needs few requests, so the limit is low, and doesn't double: each doubling would
    /// seem to bring something while the process starts.
    /// </summary>
    /// <param name="seconds">The time from the request to the first byte of the response.</param>
    /// <param name="sample">The sample that has begun.</param>
    /// <returns>The change of the limit; null if it stays the same.</returns>
    public ConcurrencyChange? Responded(double seconds, LoadSample sample)
    {
        int before = Limit;
        if (!IsFirst)
        {
            return null;
        }

        _best.Responded(seconds);
        IsStarting = !IsNear;
        Set(IsNear ? Least : _start, ConcurrencyReason.Starting);
        return Limit == before ? null : new ConcurrencyChange(before, Limit, _reason, _efficiency, sample.InFlight, sample.Rate, sample.Rejected);
    }

    /// <summary>Processes the next sample.</summary>
    /// <returns>The change of the limit; null if it stays the same.</returns>
    public ConcurrencyChange? Update(LoadSample sample)
    {
        int before = Limit;
        Decide(sample);
        return Limit == before ? null : new ConcurrencyChange(before, Limit, _reason, _efficiency, sample.InFlight, sample.Rate, sample.Rejected);
    }

    private void Decide(LoadSample sample)
    {
        _growPause = Math.Max(0, _growPause - sample.Seconds);
        if (_rejections.Decide(sample, _limit) is { } change)
        {
            _descent.Stop();
            (_before, _losses, IsStarting, _growthShare) = (default, 0, false, MostGrowthShare);
            Set(change.Limit, change.Reason);
            return;
        }

        if (sample.Completed == 0 || IsCold(sample))
        {
            return;
        }

        _backlog = IsMostlySmall(sample) ? SmallBacklog : GetBacklog(_limit);
        bool wasNear = _best.IsNear;
        double efficiency = _best.Measure(sample);
        _efficiency = IsStarting || _isChanged ? efficiency : _efficiency + (Smoothing * (efficiency - _efficiency));
        _isChanged = false;
        if (wasNear && !_best.IsNear && !IsStarting && _doublings == 0)
        {
            // The store seemed to need few requests, but its connections are slow.
            IsStarting = true;
            Set(Math.Max(_limit, _start), ConcurrencyReason.Starting);
        }
        else if (IsFirst ? sample.FullSeconds == 0 : !sample.IsFull)
        {
            double before = _before.Limit;
            _descent.Stop(); // the effect of the last change is unknown
            (_before, _losses) = (default, 0);
            if (!IsStarting && before > 0 && before < _limit)
            {
                PauseGrowth();
                Set(before, ConcurrencyReason.NoGain); // the transfers don't use the last growth
            }
            else
            {
                FollowUnused(sample);
            }
        }
        else if (!_descent.HasBegun && _limit > Least && !IsMostlySmall(sample) && (_best.IsNear || IsShort(sample) || (_hasWholeParts && IsSlow(sample))))
        {
            TryFewer(sample);
        }
        else if (IsSlow(sample))
        {
            IsStarting = false; // the first requests fill the link, or another doubling would wait for them for long
        }
        else if (IsStarting)
        {
            Start(sample);
        }
        else if (_descent.IsInProgress)
        {
            Descend(sample);
        }
        else if (_before.Limit > 0)
        {
            Judge(sample);
        }
        else
        {
            Follow(sample);
        }
    }

    /// <summary>
    /// Handles a sample of transfers that can't use all slots. It says nothing about a higher limit, but there can still be too many requests. Small
    /// objects are an exception: if they can't use all slots, the processor or a disk delays them.
    /// </summary>
    private void FollowUnused(LoadSample sample)
    {
        double enough = (sample.InFlight * _efficiency) + _backlog;
        if (_efficiency < KneeEfficiency && enough < sample.InFlight && !IsMostlySmall(sample))
        {
            // If the store has become slow instead, the next samples are full and show it.
            Remember(sample);
            Set(Math.Min(IsStarting ? enough : Math.Max(enough, sample.InFlight * MostShrink), _limit), ConcurrencyReason.Crowded);
            IsStarting = false;
        }
    }

    /// <summary>
    /// Tries fewer requests when the store turns out to be near or slow. Without a latency to wait for, few are enough, and a slow link is probably full. If fewer
    /// transfer less, each connection is slow, and the start goes on.
    /// </summary>
    private void TryFewer(LoadSample sample)
    {
        bool wasStarting = IsStarting;
        IsStarting = false;
        Remember(sample);
        BeginDescent(_limit, StartDescentShare, resumesStart: wasStarting);
    }

    private void Start(LoadSample sample)
    {
        _foreign.Add(sample.InFlight, _efficiency);
        bool hasGrown = _doublings > 0 && GetChange(sample) > LeastStartGrowth;
        bool isWorthForSmall = hasGrown && IsMostlySmall(sample) && IsGain(sample, LeastSmallGain);
        if (_efficiency < FullAtFirstEfficiency && _doublings == 1)
        {
            IsStarting = false;
            BeginDescent(_limit / 2, StartDescentShare);
        }
        else if (_efficiency < KneeEfficiency && _doublings > 0 && !hasGrown && _limit < _rejections.Ceiling && IsMostlySmall(sample))
        {
            return; // the small objects didn't use the last doubling, so its effect is unknown
        }
        else if (_efficiency < KneeEfficiency && !isWorthForSmall)
        {
            EndStart(sample);
        }
        else if (_limit >= _rejections.Ceiling)
        {
            IsStarting = false;
        }
        else if (hasGrown && !IsGain(sample) && !isWorthForSmall)
        {
            EndStartWithoutGain(sample);
        }
        else
        {
            _doublings++;
            _withoutGain = 0;
            Remember(sample);
            Set(_limit * 2, ConcurrencyReason.Starting);
        }
    }

    private void EndStart(LoadSample sample)
    {
        IsStarting = false;
        double idle = _foreign.IdleShare(MostBacklog);
        _best.Scale(idle);
        _efficiency *= idle;
        Remember(sample);
        Set(Math.Min(_limit, (sample.InFlight * _efficiency) + _backlog), ConcurrencyReason.Crowded);
    }

    /// <summary>
    /// Ends the start if the last doubling had no effect. The efficiency doesn't show that while the best durations are still improving.
    /// </summary>
    private void EndStartWithoutGain(LoadSample sample)
    {
        _withoutGain++;
        if (_withoutGain < MostWithoutGain)
        {
            return;
        }

        if (_efficiency < MostCrowdedEfficiency)
        {
            EndStart(sample);
            return;
        }

        IsStarting = false;
        if (IsMostlySmall(sample))
        {
            TakeGrowthBack(sample);
            _before = default;
        }
        else
        {
            BeginDescent(_before.Limit, StartDescentShare);
        }
    }

    private void Descend(LoadSample sample)
    {
        double rate = sample.LargeRate * Math.Min(1, _limit / sample.InFlight); // requests from before the last change may still be in flight
        double next = _descent.Next(rate, _limit, Least, IsFar);
        if (next > _limit)
        {
            IsStarting = _descent.ResumesStart;
            Set(next, ConcurrencyReason.Room);
        }
        else if (next < _limit)
        {
            Set(next, ConcurrencyReason.Crowded);
        }
        else
        {
            _isFullWithLeast = true; // the best durations are those of a full link, so the efficiency doesn't show it
        }
    }

    private void Follow(LoadSample sample)
    {
        double excess = (_limit * (1 - _efficiency)) - _backlog;
        double slack = Slack + (_limit * SlackShare);
        if (excess < -slack && _limit < _rejections.Ceiling && _growPause <= 0)
        {
            Remember(sample);
            double most = Math.Max(MostGrowth, _limit * MostGrowthShare);
            double growth = excess < -LowBacklogShare * _backlog ? Math.Max(MostGrowth, _limit * _growthShare) : Math.Clamp(-excess * GrowShare, 1, most);
            Set(Math.Min(_rejections.Ceiling, _limit + growth), ConcurrencyReason.Room);
        }
        else if (excess > slack)
        {
            _growthShare = MostGrowthShare;
            Remember(sample);
            Set(Math.Max(_limit - excess, _limit * MostShrink), ConcurrencyReason.Crowded);
        }
    }

    /// <summary>Evaluates the effect of the last change.</summary>
    private void Judge(LoadSample sample)
    {
        double change = GetChange(sample);
        if (change > LeastGrowth)
        {
            JudgeGrowth(sample);
        }
        else if (change < -LeastReduction)
        {
            JudgeReduction(isLoss: (sample.Rate / _before.Rate) - 1 < LossShare * change);
        }

        _before = default;
    }

    private void Remember(LoadSample sample) => (_before, _largeRateBefore) = ((sample.Rate, sample.InFlight, _limit), sample.LargeRate);

    /// <summary>Gets the relative change of the requests in flight since the last change of the limit.</summary>
    private double GetChange(LoadSample sample) => (sample.InFlight / _before.InFlight) - 1;

    /// <summary>Returns whether the rate has grown enough since the last change of the limit.</summary>
    /// <param name="sample">The sample.</param>
    /// <param name="least">The share of the proportional gain that is enough.</param>
    private bool IsGain(LoadSample sample, double least = LeastGain) => (sample.Rate / _before.Rate) - 1 >= least * GetChange(sample);

    /// <summary>Gets a value that indicates whether nothing is known yet.</summary>
    private bool IsFirst => IsStarting && _doublings == 0;

    /// <summary>Returns whether a sample is that of a process or a store that doesn't send as many requests yet as the first limit allows.</summary>
    private bool IsCold(LoadSample sample) => IsFirst && sample.FullSeconds > 0 && sample.InFlight < _limit / 3 && !IsMostlySmall(sample);

    /// <summary>Returns whether the first requests are so short that trying fewer costs nothing.</summary>
    private bool IsShort(LoadSample sample) => IsFirst && sample.WorkSeconds < ShortSeconds * sample.Completed;

    /// <summary>Returns whether the first requests are slow.</summary>
    private bool IsSlow(LoadSample sample) => IsFirst && !IsMostlySmall(sample) && sample.WorkBytes < SlowBytesPerSecond * (sample.WorkSeconds - sample.LatencySeconds);

    /// <summary>Returns whether most of the time was used for small objects, which the processor or a disk can delay.</summary>
    private static bool IsMostlySmall(LoadSample sample) => sample.GetWork(0).Seconds >= sample.WorkSeconds / 2;

    private void JudgeGrowth(LoadSample sample)
    {
        _losses = 0;
        if (IsGain(sample))
        {
            _isFullWithLeast = false;
            _nextGrowPause = LeastPauseSeconds;
            _growthShare = Math.Min(2 * _growthShare, FastestGrowthShare);
        }
        else
        {
            TakeGrowthBack(sample);
        }
    }

    /// <summary>
    /// Takes growth without a gain back. If requests don't seem to wait for each other either, the best durations are those of a busy link, and fewer requests are tried.
    /// </summary>
    private void TakeGrowthBack(LoadSample sample)
    {
        PauseGrowth();
        if (_efficiency >= MostCrowdedEfficiency && !IsMostlySmall(sample))
        {
            BeginDescent(_before.Limit, DescentShare);
        }
        else
        {
            Set(_before.Limit, ConcurrencyReason.NoGain);
        }
    }

    private void PauseGrowth() => (_growthShare, _growPause, _nextGrowPause) = (MostGrowthShare, _nextGrowPause, Math.Min(2 * _nextGrowPause, MostPauseSeconds));

    /// <summary>Begins to reduce the limit as long as the rate stays as it was before the last growth.</summary>
    private void BeginDescent(double limit, double share, bool resumesStart = false)
    {
        _before = default;
        Set(Math.Max(Math.Min(limit, Least), _descent.Begin(limit, share, _largeRateBefore, resumesStart)), ConcurrencyReason.Crowded);
    }

    /// <summary>A reduction that only yields to others costs less than the proportional loss, and so does one on a full link.</summary>
    private void JudgeReduction(bool isLoss)
    {
        _losses = isLoss ? _losses + 1 : 0;
        if (_losses == 1)
        {
            _limitBeforeLosses = _before.Limit;
        }
        else if (_losses == Losses)
        {
            _losses = 0;
            double stays = Math.Max(KneeEfficiency, 1 - (_backlog / _limitBeforeLosses)); // the efficiency at which the limit stays the same or grows
            _best.Scale(stays / _efficiency);
            Set(_limitBeforeLosses, ConcurrencyReason.Loss);
        }
    }

    /// <summary>Gets the limit below which no fewer requests are tried. Whole parts take much memory, so there are fewer of them.</summary>
    private int Least => IsFar || (IsNear && !_hasWholeParts) ? Math.Clamp(LeastRanges, _min, _max) : _min;

    private bool IsFar => _best.IsFar && !_hasWholeParts;

    private static double GetBacklog(double limit) => Math.Min(MostBacklog, LeastBacklog + (limit * BacklogShare));

    private void Set(double limit, ConcurrencyReason reason)
    {
        (_limit, _reason, _isChanged) = (Math.Clamp(limit, _min, _max), reason, true);
        _rejections.LimitChanged();
    }
}
