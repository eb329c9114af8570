using System.IO.Pipelines;

namespace Transfer.S3.Concurrency;

/// <summary>
/// Limits the parts of uploads that share a link, so that a slow link confirms one every few seconds. If many parts share it, none is complete when the upload is
/// interrupted, and all that was sent is lost.
/// </summary>
/// <remarks>
/// <para>
/// Uploads begin with as many parts as are allowed otherwise, because a fast link needs them. As soon as the rate no longer grows, it shows when the next part
/// would be confirmed. If that takes too long, the parts that have sent the least are given up, and wait until there is room for them. From then on, the limit
/// follows the rate.
/// </para>
/// <para>
/// If fewer parts are slower together, the store or the network limits each connection, and not all of them together. Then fewer parts are of no use, and
/// there is no limit.
/// </para>
/// <para>The rate is measured whenever a connection accepts bytes, so no timer is needed. What a connection accepts first only fills the buffers of the system.</para>
/// </remarks>
/// <param name="time">The clock.</param>
/// <param name="grew">Called after the limit has grown.</param>
/// <param name="scheduler">Runs the measurements; not inline if a caller that reports bytes holds a lock, because requests that are given up or granted run further code.</param>
internal sealed class SendLimit(TimeProvider time, Action grew, PipeScheduler scheduler)
{
    /// <summary>The time within which the parts in flight should be confirmed.</summary>
    public const double GoalSeconds = 8;

    /// <summary>The expected time until the next part is confirmed from which on parts are given up.</summary>
    private const double MostSeconds = 10;

    /// <summary>The time in which the buffers of new connections are filled.</summary>
    private const double FillSeconds = 0.3;

    /// <summary>The length of a sample at the start.</summary>
    private const double FirstSampleSeconds = 0.5;

    /// <summary>The factor between two samples from which on the rate still grows, or the buffers still fill.</summary>
    private const double Growth = 2;

    /// <summary>The time after which the rate counts even if it still grows.</summary>
    private const double LongestStartSeconds = 2;

    private const double SampleSeconds = 1;

    /// <summary>The time after parts were given up in which the network still delivers what they have sent, and the time to compare the rate afterward.</summary>
    private const double SettleSeconds = 2.5;

    /// <summary>The share of the parts from which on it isn't worth comparing the rates.</summary>
    private const double SimilarShare = 0.6;

    /// <summary>The time without parts after which nothing is known anymore.</summary>
    private const double IdleSeconds = 2;

    private readonly Lock _gate = new();
    private readonly List<PartSend> _sends = [];
    private int _limit = int.MaxValue;
    private Phase _phase;
    private double _began;
    private double _idleSince = double.NegativeInfinity;
    private double _sampleAt;
    private double _sample;
    private double _rate;
    private double _leastRate;
    private long _sampleBytes;
    private long _endedBytes;
    private long _nextLook;
    private int _looks;

    private enum Phase
    {
        /// <summary>The buffers of the connections are being filled.</summary>
        Filling,

        /// <summary>The rate can still grow.</summary>
        Starting,

        /// <summary>Parts were given up, and the network still delivers what they have sent.</summary>
        Settling,

        /// <summary>The rate is compared with that of more parts.</summary>
        Comparing,

        Running,

        /// <summary>Fewer parts are of no use.</summary>
        Unlimited,
    }

    /// <summary>Gets the maximum number of parts in flight.</summary>
    public int Limit => Volatile.Read(ref _limit);

    /// <summary>Gets or sets the number of parts that have a slot. The lock of the <see cref="RequestQueue"/> guards it.</summary>
    public int InFlight { get; set; }

    /// <summary>Gets a value that indicates whether the rate is about to be measured on another thread.</summary>
    public bool IsLooking => Volatile.Read(ref _looks) != 0;

    /// <summary>Gets the time, in seconds.</summary>
    public double Now => (double)time.GetTimestamp() / time.TimestampFrequency;

    /// <summary>Begins to send a part.</summary>
    public PartSend Begin(long length, ISurplusRequest request)
    {
        PartSend send = new(this, length, request);
        bool hasGrown = false;
        lock (_gate)
        {
            double now = Now;
            if (_sends.Count == 0 && now - _idleSince > IdleSeconds)
            {
                hasGrown = SetLimit(int.MaxValue);
                (_phase, _began, _rate) = (Phase.Filling, now, 0);
            }
            else if (_sends.Count == 0)
            {
                _sampleAt += now - _idleSince; // the time without parts says nothing about the link
            }

            _sends.Add(send);
            if (_phase == Phase.Filling && now - _began < LongestStartSeconds)
            {
                LookAfter(now, FillSeconds);
            }
        }

        if (hasGrown)
        {
            grew();
        }

        return send;
    }

    /// <summary>Reports that bytes were sent.</summary>
    public void Moved()
    {
        if (time.GetTimestamp() >= Volatile.Read(ref _nextLook) && Interlocked.Exchange(ref _looks, 1) == 0)
        {
            scheduler.Schedule(static limit => ((SendLimit)limit!).Look(), this);
        }
    }

    public void End(PartSend send)
    {
        lock (_gate)
        {
            if (_sends.Remove(send))
            {
                _endedBytes += send.Moved;
                _idleSince = _sends.Count == 0 ? Now : _idleSince;
            }
        }
    }

    /// <summary>Measures the rate and adjusts the limit.</summary>
    private void Look()
    {
        PartSend[] surplus = [];
        bool hasGrown = false;
        lock (_gate)
        {
            if (time.GetTimestamp() >= _nextLook && _sends.Count > 0)
            {
                int before = _limit;
                surplus = Update(Now);
                hasGrown = _limit > before;
            }

            Volatile.Write(ref _looks, 0);
        }

        foreach (PartSend send in surplus)
        {
            send.GiveUp();
        }

        if (hasGrown)
        {
            grew();
        }
    }

    /// <returns>The parts to give up.</returns>
    private PartSend[] Update(double now)
    {
        double sample = TakeSample(now);
        _sample = sample;
        LookAfter(now, SampleSeconds);
        switch (_phase)
        {
            case Phase.Filling:
                _phase = Phase.Starting;
                LookAfter(now, FirstSampleSeconds);
                return [];

            case Phase.Starting:
                if ((sample > Growth * _rate || sample < _rate / Growth) && now - _began < LongestStartSeconds)
                {
                    _rate = sample;
                    LookAfter(now, FirstSampleSeconds);
                    return [];
                }

                (_phase, _rate) = (Phase.Running, sample);
                return Adjust(now);

            case Phase.Settling:
                _phase = Phase.Comparing;
                LookAfter(now, SettleSeconds);
                return [];

            case Phase.Comparing when sample < _leastRate:
                _phase = Phase.Unlimited;
                SetLimit(int.MaxValue);
                return [];

            case Phase.Comparing:
                (_phase, _rate) = (Phase.Running, sample);
                return Adjust(now);

            case Phase.Running:
                _rate = (_rate + sample) / 2;
                return Adjust(now);

            default:
                return [];
        }
    }

    /// <summary>Sets the limit that follows from the rate, and selects the parts to give up.</summary>
    private PartSend[] Adjust(double now)
    {
        long length = _sends.Max(static send => send.Length);
        int limit = (int)Math.Clamp(GoalSeconds * _rate / Math.Max(1, length), 1, int.MaxValue);
        if (limit > _limit || limit < _sends.Count)
        {
            SetLimit(limit); // if fewer parts are sent than are allowed, they wait for their source, and the rate isn't that of the link
        }

        // The parts share the link, so the one with the fewest bytes left is the next to be confirmed.
        long least = Math.Max(1, _sends.Min(static send => send.Left));
        if (_sends.Count * (double)least <= MostSeconds * _rate)
        {
            return [];
        }

        double room = GoalSeconds * _rate;
        PartSend first = _sends.MinBy(static send => send.Left)!;
        PartSend[] surplus = [.. _sends.OrderBy(static send => send.Left).Where(send => (room -= send.Left) < 0 && send != first && send.Left > 0)];
        if (surplus.Length > 0)
        {
            // Halfway between the rate that they keep if all share one link, and their part of the rate if each connection has its own limit.
            double share = (double)(_sends.Count - surplus.Length) / _sends.Count;
            SetLimit(_sends.Count - surplus.Length);
            (_phase, _leastRate) = (share < SimilarShare ? Phase.Settling : Phase.Running, Math.Min(_sample, _rate) * Math.Sqrt(share));
            LookAfter(now, SettleSeconds);
        }

        return surplus;
    }

    /// <summary>Gets the rate since the last sample, in bytes per second.</summary>
    private double TakeSample(double now)
    {
        long total = _endedBytes + _sends.Sum(static send => send.Moved);
        double rate = (total - _sampleBytes) / Math.Max(now - _sampleAt, 0.001);
        (_sampleAt, _sampleBytes) = (now, total);
        return rate;
    }

    private void LookAfter(double now, double seconds) => Volatile.Write(ref _nextLook, (long)((now + seconds) * time.TimestampFrequency));

    /// <returns>Whether it has grown.</returns>
    private bool SetLimit(int limit)
    {
        bool hasGrown = limit > _limit;
        Volatile.Write(ref _limit, limit);
        return hasGrown;
    }
}
