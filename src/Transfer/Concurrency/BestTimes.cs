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
    private const double FastLatencySeconds = 0.02;

    private readonly double[] _rates = new double[LoadSample.Sizes];
    private double _latency = double.PositiveInfinity;
    private double _shortestLatency = double.PositiveInfinity;

    /// <summary>Gets the number of bytes that one request can transfer during the time to the first byte; 0 if that is not known.</summary>
    public double LatencyBytes { get; private set; }

    /// <summary>
    /// Gets a value that indicates whether the latency is known, and too short to matter. A busy process delays most first bytes, but none is earlier than the network
    /// allows, so the shortest time counts.
    /// </summary>
    public bool IsNear => _shortestLatency < LeastLatencySeconds;

    /// <summary>
    /// Gets a value that indicates whether a single request is so fast that two of them transfer as much as a machine can process. Before larger requests were measured, the
    /// latency tells whether that is possible. Before the first response, it is assumed.
    /// </summary>
    public bool IsFast
    {
        get
        {
            Span<double> rates = _rates.AsSpan(1);
            return rates.ContainsAnyExcept(0) ? rates.ContainsAnyInRange(FastBytesPerSecond, double.MaxValue) : _shortestLatency is < FastLatencySeconds or double.PositiveInfinity;
        }
    }

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
