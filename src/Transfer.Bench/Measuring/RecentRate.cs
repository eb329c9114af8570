namespace Transfer.S3.Bench.Measuring;

/// <summary>Measures the rate of the last two seconds from a count that only grows. For one caller at a time.</summary>
internal sealed class RecentRate
{
    private const double WindowSeconds = 2;
    private readonly Queue<(double Seconds, double Count)> _samples = [];
    private double _last;

    public double Update(TimeSpan at, double count)
    {
        double now = at.TotalSeconds;
        if (now < _last)
        {
            _samples.Clear(); // another run
        }

        _last = now;
        if (_samples.Count == 0)
        {
            _samples.Enqueue((0, 0));
        }

        _samples.Enqueue((now, count));
        while (_samples.Count > 2 && now - _samples.Peek().Seconds > WindowSeconds)
        {
            _samples.Dequeue();
        }

        (double since, double before) = _samples.Peek();
        return now > since ? (count - before) / (now - since) : 0;
    }
}
