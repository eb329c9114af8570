namespace Transfer.S3.Concurrency;

/// <summary>The best durations of requests of each size. Requests that take longer are waiting for others.</summary>
/// <remarks>
/// A duration is that of a whole request. The time of the data alone says less: if the first byte is read late, the data after it is already in the
/// buffers of the connection.
/// </remarks>
internal sealed class BestTimes
{
    /// <summary>The share of the best rates that is forgotten each second, so that a store that has become slower permanently is recognized.</summary>
    private const double DecayPerSecond = 0.003;

    /// <summary>The minimum data rate of requests, as a share of that of smaller requests.</summary>
    private const double LeastClassShare = 0.5;

    /// <summary>The maximum number of bytes that a request can transfer during the latency, as a multiple of a measured request.</summary>
    private const double MostLatencyRequests = 1;

    /// <summary>A shorter latency is mostly the time that a processor takes, so larger requests don't help.</summary>
    private const double LeastLatencySeconds = 0.005;

    /// <summary>The rate of a single request from which on two of them transfer as much as a machine with few processors can process.</summary>
    private const double FastBytesPerSecond = 256 * Sizes.MiB;

    /// <summary>The time in which a part of 5 MiB is transferred at that rate.</summary>
    private const double FastPartSeconds = 0.02;

    /// <summary>The time after which half of the fast rate is forgotten, so that a store that has become slower gets as many parts as others.</summary>
    private const double FastHalfLifeSeconds = 1;

    /// <summary>The shortest time of the data of a part, as a share of its duration. The latency of uploads contains the time in which the system's buffers drain.</summary>
    private const double LeastDataShare = 0.125;

    /// <summary>The number of parts while one is filled and two are sent.</summary>
    private const int FilledAndSent = 3;

    /// <summary>
    /// The rate of a single request below which the connections to a near store are slow, so that few don't transfer as much as a machine can process. A process that has
    /// just started can delay a request for the other time.
    /// </summary>
    private const double SlowBytesPerSecond = 32 * Sizes.MiB;
    private const double LeastSlowSeconds = 0.1;

    private readonly double[] _rates = new double[LoadSample.Sizes];
    private double _requestRate;
    private double _dataRate;
    private double _partBytes;
    private double _latency = double.PositiveInfinity;
    private double _shortestLatency = double.PositiveInfinity;

    /// <summary>Gets the number of bytes that one request can transfer during the time to the first byte; 0 if that is not known.</summary>
    public double LatencyBytes { get; private set; }

    /// <summary>
    /// Gets a value that indicates whether the latency is known, and too short to matter, and the connections aren't slow. A busy process delays most first bytes, but none
    /// is earlier than the network allows, so the shortest time counts.
    /// </summary>
    public bool IsNear => _shortestLatency < LeastLatencySeconds && !IsSlow;

    /// <summary>Gets a value that indicates whether the latency is known, and long enough to matter.</summary>
    public bool IsFar => double.IsFinite(_shortestLatency) && _shortestLatency >= LeastLatencySeconds;

    /// <summary>
    /// Gets the number of parts with which an upload that fills one after the other transfers as much as a machine can process: one is filled and two are sent, and in the
    /// time that a part waits for the store, as many more are needed as are sent meanwhile. More would only take memory.
    /// </summary>
    /// <remarks>
    /// Before large requests were measured, only the latency tells whether two connections are enough. Before the first response, it is assumed.
    /// </remarks>
    /// <returns><see cref="int.MaxValue"/> if two connections transfer less than a machine can process.</returns>
    public int PartsInTurn
    {
        get
        {
            double partSeconds = _partBytes > 0 ? _partBytes / _dataRate : FastPartSeconds;
            double latency = IsNear || double.IsInfinity(_shortestLatency) ? 0 : Latency;
            return _partBytes > 0 && _dataRate < FastBytesPerSecond ? int.MaxValue : (int)Math.Min(int.MaxValue, Math.Round(FilledAndSent * (1 + (latency / partSeconds)), MidpointRounding.AwayFromZero));
        }
    }

    private bool IsSlow => _requestRate is > 0 and < SlowBytesPerSecond;

    private double Latency => double.IsFinite(_latency) ? _latency : _shortestLatency;

    /// <summary>Reports the time from a request to the first byte of its response, before any request has completed.</summary>
    public void Responded(double seconds) => _shortestLatency = Math.Min(_shortestLatency, seconds);

    /// <summary>Compares the durations of a sample with the best ones, and remembers those that are better.</summary>
    /// <returns>The efficiency: the best durations divided by the durations of the sample.</returns>
    public double Measure(LoadSample sample)
    {
        double decay = Math.Pow(1 - DecayPerSecond, sample.Seconds);
        _latency /= decay;
        _shortestLatency = Math.Min(_shortestLatency / decay, sample.ShortestLatencySeconds);
        if (sample.Timed > 0)
        {
            _latency = Math.Min(_latency, sample.LatencySeconds / sample.Timed);
        }

        double best = 0;
        double actual = 0;
        for (int size = 0; size < LoadSample.Sizes; size++)
        {
            (double bytes, double seconds) = sample.GetWork(size);
            _rates[size] *= decay;
            if (seconds > 0)
            {
                _rates[size] = Math.Max(_rates[size], bytes / seconds);
                best += bytes / Math.Max(_rates[size], LeastRate(size));
                actual += seconds;
            }
        }

        LatencyBytes = FindLatencyBytes();
        MeasureLarge(sample, decay);
        return actual > 0 ? best / actual : 1;
    }

    /// <summary>Multiplies the best durations by a factor.</summary>
    public void Scale(double factor)
    {
        _latency *= factor;
        _shortestLatency *= Math.Max(1, factor); // a store that has become slow; no correction makes a far store a near one
        for (int size = 0; size < LoadSample.Sizes; size++)
        {
            _rates[size] /= factor;
        }
    }

    /// <summary>Measures how fast a single large request is.</summary>
    private void MeasureLarge(LoadSample sample, double decay)
    {
        _requestRate *= decay;
        _dataRate *= Math.Pow(0.5, sample.Seconds / FastHalfLifeSeconds);
        double bytes = sample.WorkBytes / Math.Max(1, sample.Completed);
        double seconds = sample.WorkSeconds / Math.Max(1, sample.Completed);
        if (bytes > RequestCost.SmallBytes && seconds > 0) // requests that take no time on a coarse clock have no rate
        {
            _requestRate = Math.Max(_requestRate, seconds < LeastSlowSeconds ? 2 * SlowBytesPerSecond : bytes / seconds);
            double data = Math.Max(seconds - (IsNear ? 0 : Latency), LeastDataShare * seconds);
            (_partBytes, _dataRate) = (bytes, Math.Max(_dataRate, bytes / data));
        }
    }

    /// <summary>
    /// Gets the minimum rate of a size class, which may have been measured only on a full link. A request takes at most as long as several smaller
    /// ones, and its data rate is not much lower than theirs.
    /// </summary>
    private double LeastRate(int size)
    {
        // All objects of the first class count as its largest, so they say nothing about larger ones.
        int smaller = size - 1;
        while (smaller > 0 && _rates[smaller] == 0)
        {
            smaller--;
        }

        if (smaller <= 0)
        {
            return 0;
        }

        double times = Math.Pow(2, size - smaller);
        double seconds = GetBytes(smaller) / _rates[smaller];
        double longest = times * seconds;
        if (double.IsFinite(_latency))
        {
            longest = Math.Min(longest, _latency + (times * Math.Max(0, seconds - _latency) / LeastClassShare));
        }

        return times * GetBytes(smaller) / longest;
    }

    /// <summary>
    /// Gets the number of bytes that one request can transfer during the latency. It is at most the size of a request, because the first latencies can be
    /// much too long.
    /// </summary>
    private double FindLatencyBytes()
    {
        double most = 0;
        for (int size = 1; size < LoadSample.Sizes && double.IsFinite(_latency) && !IsNear; size++)
        {
            if (_rates[size] > 0)
            {
                double data = (GetBytes(size) / _rates[size]) - _latency;
                most = Math.Max(most, GetBytes(size) * Math.Min(MostLatencyRequests, data > 0 ? _latency / data : MostLatencyRequests));
            }
        }

        return most;
    }

    /// <summary>Gets the size of the largest request of a size class.</summary>
    private static double GetBytes(int size) => RequestCost.MinBytes * Math.Pow(2, size);
}
