namespace Transfer.S3.Concurrency;

/// <summary>Lowers the limit of requests in flight when the store rejects some of them, and holds it down for a while.</summary>
/// <remarks>
/// If the store rejects more than a small share of the requests, the limit drops at once to the number that the store accepted. If that doesn't lower the share, the
/// number of requests isn't the cause, and the limit is restored.
/// </remarks>
/// <param name="min">The lowest limit.</param>
/// <param name="max">The highest limit.</param>
internal sealed class RejectionHold(int min, int max)
{
    /// <summary>How long the limit stays below the one at which the store rejected requests.</summary>
    private const double HoldSeconds = 10;

    /// <summary>Rejections that follow others within this time are not caused by growth.</summary>
    private const double RepeatSeconds = 1;

    /// <summary>
    /// The share of rejected requests that doesn't lower the limit. Repeating them costs about that share, and fewer requests in flight would cost more. A hot prefix,
    /// another client, or one overloaded server rejects a few, however many are in flight.
    /// </summary>
    private const double ToleratedShare = 0.04;

    /// <summary>The highest share that is tolerated for a while if fewer requests in flight didn't lower it. Beyond it, parts would use up their attempts.</summary>
    private const double MostToleratedShare = 0.2;

    /// <summary>The share of the limit at which a reduction must have lowered the share of rejected requests, and how far.</summary>
    private const double JudgedReduction = 0.75;
    private const double LeastEffect = 0.75;

    private readonly RejectedShare _rejected = new();
    private readonly RejectedShare _rejectedSince = new();
    private double _heldSeconds;
    private double _forgivenSeconds;
    private int _rejectedWhileHeld;
    private double _limitBeforeRejections;

    /// <summary>Gets the limit beyond which nothing may grow now.</summary>
    public double Ceiling { get; private set; } = max;

    /// <summary>Gets a value that indicates whether the store has rejected requests in the last seconds.</summary>
    public bool IsHeld => _heldSeconds > 0;

    /// <summary>Processes the next sample.</summary>
    /// <param name="sample">The sample.</param>
    /// <param name="limit">The limit during the sample.</param>
    /// <returns>The limit from now on; null if rejections don't change it.</returns>
    public (double Limit, ConcurrencyReason Reason)? Decide(LoadSample sample, double limit)
    {
        _heldSeconds = Math.Max(0, _heldSeconds - sample.Seconds);
        Ceiling = IsHeld ? Ceiling : max;
        _forgivenSeconds = Math.Max(0, _forgivenSeconds - sample.Seconds);
        _rejected.Add(sample.Started, sample.Rejected);
        if (sample.Rejected > 0)
        {
            if (_rejected.IsAbove(_forgivenSeconds > 0 ? MostToleratedShare : ToleratedShare))
            {
                return Shed(sample, limit);
            }

            LiftHold(sample, limit);
        }

        return null;
    }

    /// <summary>Forgets the share of rejected requests, because it belongs to the limit before.</summary>
    public void LimitChanged() => _rejected.Clear();

    /// <summary>Reduces the limit to the number of requests that the store accepted, but at most by half.</summary>
    /// <remarks>
    /// A store that limits the requests in flight rejects those that start beyond its limit, so the first of these shows the limit. A store that
    /// limits something else, such as requests per second, continues to reject. The limit then drops by the share of rejected requests.
    /// </remarks>
    private (double Limit, ConcurrencyReason Reason) Shed(LoadSample sample, double limit)
    {
        double share = _rejected.Share;
        if (!IsHeld)
        {
            _limitBeforeRejections = limit;
            _rejectedSince.Clear();
        }

        _rejectedSince.Add(_rejected);
        if (limit <= JudgedReduction * _limitBeforeRejections && share >= LeastEffect * _rejectedSince.Share && Math.Max(share, _rejectedSince.Share) <= MostToleratedShare)
        {
            (_heldSeconds, Ceiling, _forgivenSeconds) = (0, max, HoldSeconds);
            return (_limitBeforeRejections, ConcurrencyReason.NotTheCause);
        }

        double accepted = sample.LeastRejected - 1;
        if (_heldSeconds > HoldSeconds - RepeatSeconds)
        {
            accepted = Math.Min(accepted, limit * (1 - share));
        }

        (Ceiling, _heldSeconds, _rejectedWhileHeld) = (Math.Clamp(Math.Clamp(accepted, limit / 2, limit), min, max), HoldSeconds, 0);
        return (Ceiling, ConcurrencyReason.Rejected);
    }

    /// <summary>Lets the limit grow again if the store continues to reject a few requests, although it accepted as many before.</summary>
    private void LiftHold(LoadSample sample, double limit)
    {
        _rejectedWhileHeld += IsHeld && sample.LeastRejected <= limit ? sample.Rejected : 0;
        if (_rejectedWhileHeld >= RejectedShare.Least)
        {
            (_heldSeconds, Ceiling, _rejectedWhileHeld) = (0, max, 0);
        }
    }
}
