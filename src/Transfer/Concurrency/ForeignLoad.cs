namespace Transfer.Concurrency;

/// <summary>Estimates the requests of other clients on a link from how much the first requests of this one slow each other down.</summary>
/// <remarks>
/// On an idle link, requests don't slow down until the link is full. On a full one, they slow down in proportion to all requests on it, from the first one on: where
/// others have 36 requests in flight, 16 instead of 8 own ones take (36 + 16) / (36 + 8) as long.
/// </remarks>
internal sealed class ForeignLoad
{
    /// <summary>Two estimates from three numbers of requests are believed if neither is larger than the other by this factor. Those of a link that becomes full meanwhile aren't.</summary>
    private const double MostDisagreement = 2;

    /// <summary>A smaller slowdown is noise.</summary>
    private const double LeastSlowdown = 1.03;

    /// <summary>Fewer foreign requests than this many times the backlog of a client aren't believed: a client has more than its backlog in flight.</summary>
    private const double LeastBacklogs = 2;

    /// <summary>The smallest result: an estimate is only an estimate.</summary>
    private const double LeastShare = 0.5;

    private (double InFlight, double Efficiency) _first;
    private (double InFlight, double Efficiency) _previous;
    private (double InFlight, double Efficiency) _last;
    private int _count;

    /// <summary>Adds the efficiency with a number of requests in flight. Each number is larger than the one before.</summary>
    public void Add(double inFlight, double efficiency)
    {
        (_previous, _last) = (_last, (inFlight, efficiency));
        _first = _count++ == 0 ? _last : _first;
    }

    /// <summary>Gets the time that requests would take on the idle link, as a share of the time that the first ones took.</summary>
    /// <param name="backlog">The requests of the others that only wait.</param>
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
