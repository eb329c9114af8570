namespace Transfer.S3.Concurrency;

/// <summary>
/// Lowers a limit step by step while the rate stays the same, because the remaining requests then fill the link. The link then becomes idle enough to measure the
/// best durations.
/// </summary>
internal sealed class LimitDescent
{
    /// <summary>
    /// If a step leaves this share of the rate, the remaining requests fill the link. Each step can cost the rest. Over a long link, where more requests cost little, that
    /// must be less.
    /// </summary>
    private const double FullShare = 0.94;
    private const double FarFullShare = 0.97;

    private double _share;
    private double _fullRate;
    private double _limitBefore;

    /// <summary>Gets a value that indicates whether a step is being tried.</summary>
    public bool IsInProgress { get; private set; }

    /// <summary>Gets a value that indicates whether any descent has begun yet.</summary>
    public bool HasBegun { get; private set; }

    /// <summary>Gets a value that indicates whether the start goes on if the first step costs too much.</summary>
    public bool ResumesStart { get; private set; }

    /// <summary>Begins a descent.</summary>
    /// <param name="limit">The limit with which the rate was measured.</param>
    /// <param name="share">The share of the limit that each step leaves.</param>
    /// <param name="fullRate">The rate that must stay.</param>
    /// <param name="resumesStart">Whether the start goes on if the first step costs too much.</param>
    /// <returns>The first lower limit.</returns>
    public double Begin(double limit, double share, double fullRate, bool resumesStart = false)
    {
        (IsInProgress, HasBegun, ResumesStart, _share, _fullRate, _limitBefore) = (true, true, resumesStart, share, fullRate, limit);
        return limit * share;
    }

    /// <summary>Evaluates a step.</summary>
    /// <param name="rate">The rate with the current limit.</param>
    /// <param name="limit">The current limit.</param>
    /// <param name="min">The lowest limit.</param>
    /// <param name="isFar">Whether the latency matters.</param>
    /// <returns>The next limit: a lower one, the same one if it is the lowest, or that before the step if the step costs too much.</returns>
    public double Next(double rate, double limit, double min, bool isFar)
    {
        bool isFull = rate >= (isFar ? FarFullShare : FullShare) * _fullRate;
        IsInProgress = isFull && limit > min;
        ResumesStart &= !isFull;
        double before = _limitBefore;
        _limitBefore = limit;
        return !isFull ? before : IsInProgress ? Math.Max(min, limit * _share) : limit;
    }

    /// <summary>Ends the descent, because the effect of the last step is unknown.</summary>
    public void Stop() => IsInProgress = false;
}
