namespace Transfer.S3.Tests.Concurrency;

/// <summary>
/// A model of a store and its link, in steps of 2 ms. First bytes are delayed, connections share the link, and excess requests are rejected.
/// </summary>
internal sealed class SimulatedLink(int seed)
{
    private const double StepSeconds = 0.002;
    private readonly Random _random = new(seed);
    private readonly List<SimulatedClient> _clients = [];
    private double _tokens = double.PositiveInfinity;

    public double BytesPerSecond { get; set; } = 800 * Sizes.MiB;

    public double ConnectionBytesPerSecond { get; set; } = 40 * Sizes.MiB;

    public double FirstByteSeconds { get; set; } = 0.04;

    /// <summary>Gets the maximum deviation of the time to first byte.</summary>
    public double JitterSeconds { get; init; } = 0.002;

    /// <summary>Gets the share of first bytes that take 20 times as long.</summary>
    public double SlowShare { get; init; }

    /// <summary>Gets the number of requests in flight beyond which the store rejects others.</summary>
    public int MostRequests { get; init; } = int.MaxValue;

    /// <summary>Gets the share of requests that the store rejects, however many are in flight.</summary>
    public double RejectedShare { get; init; }

    /// <summary>Gets the number of requests that the store accepts in a second, and how many it accepts at once after a pause.</summary>
    public (double Rate, double Burst) MostPerSecond { get; init; } = (double.PositiveInfinity, double.PositiveInfinity);

    public double Now { get; private set; }

    /// <summary>Adds a client.</summary>
    /// <param name="requestBytes">The bytes of a request.</param>
    /// <param name="start">When the client starts, in seconds.</param>
    /// <param name="hasLatency">Whether the client knows when a first byte arrives, as for downloads.</param>
    public SimulatedClient Add(double requestBytes, double start = 0, bool hasLatency = true)
    {
        SimulatedClient client = new(requestBytes, start, hasLatency);
        _clients.Add(client);
        return client;
    }

    public void Run(double seconds)
    {
        for (double end = Now + seconds; Now < end; Now += StepSeconds)
        {
            foreach (SimulatedClient client in _clients.Where(client => client.Start <= Now))
            {
                // A process doesn't start any number of requests at the same moment.
                for (int started = 0; client.Slots.Count < client.Controller.Limit && started < 2; started++)
                {
                    double wait = FirstByteSeconds + ((_random.NextDouble() - 0.5) * 2 * JitterSeconds);
                    wait *= _random.NextDouble() < SlowShare ? 20 : 1;
                    client.Begin(Now, Math.Max(0.0005, wait), IsRejected());
                }
            }

            _tokens = Math.Min(MostPerSecond.Burst, _tokens + (StepSeconds * MostPerSecond.Rate));
            int active = _clients.Sum(client => client.Slots.Count(slot => slot is { Wait: <= 0, IsRejected: false }));
            double bytes = Math.Min(ConnectionBytesPerSecond, BytesPerSecond / Math.Max(1, active)) * StepSeconds;
            foreach (SimulatedClient client in _clients.Where(client => client.Start <= Now))
            {
                client.Step(Now + StepSeconds, StepSeconds, bytes);
            }
        }
    }

    private bool IsRejected()
    {
        if (_clients.Sum(client => client.Slots.Count) >= MostRequests || (RejectedShare > 0 && _random.NextDouble() < RejectedShare) || _tokens < 1)
        {
            return true;
        }

        _tokens -= 1;
        return false;
    }

    /// <summary>One request.</summary>
    internal sealed class Slot
    {
        public double Started { get; init; }

        public int Epoch { get; init; }

        public bool IsRejected { get; init; }

        public int InFlight { get; init; }

        public double Wait { get; set; }

        public double? FirstByteAt { get; set; }

        public double Bytes { get; init; }

        public double BytesLeft { get; set; }
    }
}
