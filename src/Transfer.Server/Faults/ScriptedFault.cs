namespace Transfer.S3.Server.Faults;

/// <summary>A rule and its counters.</summary>
internal sealed class ScriptedFault(FaultRule rule)
{
    private long _seen;

    public ServerFault Fault => rule.Fault;

    /// <summary>Returns a value that indicates whether the rule affects this request. A matching request is counted.</summary>
    public bool Strikes(RequestTraits request) =>
        FaultScope.Includes(rule.Fault, request)
        && (rule.Operation is null || rule.Operation == request.Operation.ToString())
        && (rule.Key is null || rule.Key == request.Key)
        && (rule.PartNumber is null || rule.PartNumber == request.PartNumber)
        && IsDue();

    public bool StrikesConnection() => FaultScope.IsOfConnections(rule.Fault) && IsDue();

    private bool IsDue()
    {
        long before = _seen++ - rule.After;
        return before >= 0 && !(before >= rule.Times);
    }
}
