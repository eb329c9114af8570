namespace Transfer.S3.Concurrency;

/// <summary>The waiting requests of one direction and class, by transfer. All state is guarded by the lock of the <see cref="RequestQueue"/>.</summary>
/// <param name="requestClass">The class.</param>
/// <param name="group">The lanes that share a limit with this one.</param>
internal sealed class RequestLane(RequestClass requestClass, LaneGroup group)
{
    /// <summary>The weights of the classes. A reader, a lookup, or a small object waits for a single request, a large transfer for many.</summary>
    private static readonly double[] Weights = [8, 8, 4, 4, 1];

    /// <summary>
    /// The number of requests without data that don't count for the limit of a controller. They don't use the link, and much waits for their results. A number that
    /// the user chose isn't exceeded.
    /// </summary>
    public const int ExtraLookups = 8;

    private static readonly Comparer<FlowQueue> ByRank = Comparer<FlowQueue>.Create(
        static (one, other) => one.Rank.CompareTo(other.Rank) is not 0 and var order ? order : one.Arrival.CompareTo(other.Arrival));

    private double _virtualTime;
    private long _arrivals;
    private long _lastGrant;

    public RequestClass Class => requestClass;

    public LaneGroup Group => group;

    /// <summary>Gets a value that indicates whether one more request doesn't count for the limit, so that it doesn't wait until a limit that has fallen is reached.</summary>
    public bool HasOwnPlace => requestClass == RequestClass.Lookup && group.Meter is not null && InFlight < ExtraLookups;

    /// <summary>Gets the transfers that wait. The next one is the first.</summary>
    public SortedSet<FlowQueue> Lines { get; } = new(ByRank);

    /// <summary>Gets the number of slots that requests of the lane occupy.</summary>
    public int InFlight { get; private set; }

    /// <summary>Gets the rank of the lane: a free slot goes to the lane with the lowest one.</summary>
    /// <param name="next">The next transfer.</param>
    /// <returns>The slots that the lane has, for its weight and that of the transfer, and then the last grant.</returns>
    public (double Load, long LastGrant) RankFor(FlowQueue next) => (InFlight / (Weights[(int)requestClass] * next.Flow.Weight), _lastGrant);

    /// <summary>Adds a transfer that begins to wait.</summary>
    public void Add(FlowQueue line)
    {
        line.Rank = Math.Max(line.Flow.Served[(int)requestClass], _virtualTime);
        line.Arrival = ++_arrivals;
        Lines.Add(line);
    }

    /// <summary>Counts a request that gets a slot.</summary>
    /// <param name="flow">Its transfer.</param>
    /// <param name="cost">Its cost.</param>
    /// <param name="grant">The number of the grant, which grows.</param>
    public void Serve(TransferFlow flow, RequestCost cost, long grant)
    {
        _lastGrant = grant;
        group.Uncounted += HasOwnPlace ? 1 : 0;
        group.InFlight++;
        InFlight++;
        double start = Math.Max(flow.Served[(int)requestClass], _virtualTime);
        double end = start + (cost.Bytes / flow.Weight);
        _virtualTime = start;
        flow.Served[(int)requestClass] = end;
        if (flow.Lines[(int)requestClass] is not { Waiters.Count: > 0 } line)
        {
            return;
        }

        if (Lines.Count == 1)
        {
            line.Rank = end; // in the usual case, there is nothing to sort, so nothing is allocated
        }
        else
        {
            Lines.Remove(line);
            line.Rank = end;
            Lines.Add(line);
        }
    }

    /// <summary>Releases the slot of a request.</summary>
    public void Leave()
    {
        InFlight--;
        group.InFlight--;
        group.Uncounted -= HasOwnPlace ? 1 : 0;
    }
}
