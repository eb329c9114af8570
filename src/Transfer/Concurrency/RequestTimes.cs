namespace Transfer.S3.Concurrency;

/// <summary>The durations of the latest requests of one kind. The caller guards all state.</summary>
internal sealed class RequestTimes
{
    /// <summary>The number of durations that are kept.</summary>
    private const int Kept = 128;

    /// <summary>The minimum number of durations.</summary>
    private const int Least = 16;

    /// <summary>The number of durations after which the quantiles are computed again.</summary>
    private const int Interval = 8;

    /// <summary>The share of the requests that are not unusually slow. The others are about as many as the hedge budget allows.</summary>
    private const double HighQuantile = 0.97;

    /// <summary>The weight with which a longer median changes the usual one each time. A shorter one replaces it at once.</summary>
    private const double UsualGain = 0.02;

    private readonly double[] _times = new double[Kept];
    private readonly double[] _sorted = new double[Kept];
    private int _count;
    private double _usual = double.PositiveInfinity;

    /// <summary>Gets a value that indicates whether enough requests have ended.</summary>
    public bool IsKnown => _count >= Least;

    /// <summary>Gets the median, in seconds.</summary>
    public double Median { get; private set; }

    /// <summary>Gets the time within which nearly all requests end, in seconds.</summary>
    public double High { get; private set; }

    /// <summary>Gets a value that indicates whether the median has doubled, so that all requests are slow.</summary>
    public bool HasDoubled => IsKnown && Median > 2 * _usual;

    public void Add(double seconds)
    {
        Replace(ref _times[_count % Kept], seconds);
        _count++;
        if (_count < Least || _count % Interval != 0)
        {
            return;
        }

        int known = Math.Min(_count, Kept);
        Median = _sorted[known / 2];
        High = _sorted[(int)(HighQuantile * (known - 1))];
        _usual = Median < _usual ? Median : _usual + (UsualGain * (Median - _usual));
        _count = _count >= int.MaxValue / 2 ? Kept : _count;
    }

    /// <summary>
    /// Inserts a duration among the sorted ones and removes the oldest. Sorting them all again would be a considerable part of the cost of a small
    /// object.
    /// </summary>
    private void Replace(ref double oldest, double seconds)
    {
        int known = Math.Min(_count, Kept);
        int gap = known < Kept ? known : Array.BinarySearch(_sorted, oldest);
        int at = Array.BinarySearch(_sorted, 0, known, seconds);
        at = at < 0 ? ~at : at;
        if (at > gap)
        {
            at--;
            Array.Copy(_sorted, gap + 1, _sorted, gap, at - gap);
        }
        else
        {
            Array.Copy(_sorted, at, _sorted, at + 1, gap - at);
        }

        oldest = _sorted[at] = seconds;
    }
}
