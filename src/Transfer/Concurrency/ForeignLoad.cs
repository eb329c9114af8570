namespace Transfer.S3.Concurrency;

/// <summary>Estimates the number of requests of other clients on a link from how much the first requests of this client slow each other down.</summary>
/// <remarks>
/// On an idle link, requests don't slow down until the link is full. On a full link, they slow down in proportion to all requests on it from the
/// beginning. For example, if others have 36 requests in flight, 16 requests of this client instead of 8 take (36 + 16) / (36 + 8) times as long.
/// </remarks>
internal sealed class ForeignLoad
{
    /// <summary>
    /// Two estimates are used if neither is larger than the other by this factor. The estimates of a link that becomes full meanwhile differ more.
    /// </summary>
    private const double MostDisagreement = 2;

    /// <summary>A smaller slowdown is noise.</summary>
    private const double LeastSlowdown = 1.03;

    /// <summary>
    /// The minimum estimate, as a multiple of the backlog of a client. Smaller ones are unlikely, because a client has more than its backlog in
    /// flight.
    /// </summary>
    private const double LeastBacklogs = 2;

    /// <summary>The minimum result, because it is based on an estimate.</summary>
    private const double LeastShare = 0.5;

    private (double InFlight, double Efficiency) _first;
    private (double InFlight, double Efficiency) _previous;
    private (double InFlight, double Efficiency) _last;
    private int _count;

    /// <summary>Adds the efficiency at a number of requests in flight. Each number must be larger than the one before.</summary>
    public void Add(double inFlight, double efficiency)
    {
        (_previous, _last) = (_last, (inFlight, efficiency));
        _first = _count++ == 0 ? _last : _first;
    }

    /// <summary>Gets the duration that requests would have on the idle link, as a share of the duration of the first ones.</summary>
    /// <param name="backlog">The number of requests of the others that only wait.</param>
    public double IdleShare(double backlog)
    {
        if (_count < 3)
        {
            return 1;
        }

        double early = Between(_first, _previous);
        double late = Between(_previous, _last);
        double foreign = Math.Sqrt(early * late);
        bool isLikely = foreign > LeastBacklogs * backlog && early < MostDisagreement * late && late < MostDisagreement * early;
        return isLikely ? Math.Max(LeastShare, (foreign - backlog) / (foreign + _first.InFlight)) : 1;
    }

    private static double Between((double InFlight, double Efficiency) few, (double InFlight, double Efficiency) many)
    {
        double slowdown = few.Efficiency / many.Efficiency;
        return slowdown < LeastSlowdown ? 0 : Math.Max(0, (many.InFlight - (few.InFlight * slowdown)) / (slowdown - 1));
    }
}
