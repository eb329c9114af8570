namespace Transfer.S3.Requests;

/// <summary>Computes the rate of the last seconds from a growing count. It isn't thread-safe.</summary>
internal sealed class RateMeter
{
    private const double WindowSeconds = 3;

    /// <summary>The shortest time between two samples, which limits their number.</summary>
    private const double SampleSeconds = 0.01;

    private readonly Queue<(double Seconds, long Count)> _samples = new();
    private double _lastSample;

    public double Update(long count, TimeSpan at)
    {
        double now = at.TotalSeconds;
        if (_samples.Count == 0)
        {
            _samples.Enqueue((0, 0));
        }

        if (now - _lastSample >= SampleSeconds)
        {
            _lastSample = now;
            _samples.Enqueue((now, count));
        }

        while (_samples.Count > 2 && now - _samples.Peek().Seconds > WindowSeconds)
        {
            _samples.Dequeue();
        }

        (double since, long before) = _samples.Peek();
        return now > since ? (count - before) / (now - since) : 0;
    }
}
