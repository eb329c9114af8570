namespace Transfer.S3.Server.Faults;

/// <summary>Applies a fault plan. Decides on connections and requests one at a time.</summary>
internal sealed class FaultInjector(FaultPlan plan, ServerStatistics statistics)
{
    private static readonly TimeSpan Skew = TimeSpan.FromHours(1);
    private readonly Lock _lock = new();
    private readonly ScriptedFault[] _script = [.. plan.Rules.Select(static rule => new ScriptedFault(rule))];
    private readonly FaultDice _requests = new(plan.Seed, plan.Probabilities);
    private readonly FaultDice _connections = new(plan.Seed, plan.Probabilities);
    private volatile bool _isClockSkewed;

    /// <summary>Gets the time by which the clock of the server is ahead.</summary>
    public TimeSpan ClockSkew => _isClockSkewed ? Skew : TimeSpan.Zero;

    public ServerFault? ForConnection()
    {
        ServerFault? fault;
        lock (_lock)
        {
            ServerFault? drawn = _connections.Throw();
            fault = _script.FirstOrDefault(static rule => rule.StrikesConnection())?.Fault
                ?? (drawn is { } possible && FaultScope.IsOfConnections(possible) ? drawn : null);
        }

        return Count(fault);
    }

    public ServerFault? ForRequest(RequestTraits request)
    {
        ServerFault? fault;
        lock (_lock)
        {
            ServerFault? drawn = _requests.Throw();
            fault = _script.FirstOrDefault(rule => rule.Strikes(request))?.Fault
                ?? (drawn is { } possible && FaultScope.Includes(possible, request) ? drawn : null);
        }

        return Count(fault);
    }

    public void SkewClock() => _isClockSkewed = true;

    private ServerFault? Count(ServerFault? fault)
    {
        if (fault is { } struck)
        {
            statistics.CountFault(struck);
        }

        return fault;
    }
}
