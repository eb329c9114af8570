namespace Transfer.Server.Faults;

/// <summary>A rule and how far it has come.</summary>
internal sealed class ScriptedFault(FaultRule rule)
{
    private long _seen;

    public ServerFault Fault => rule.Fault;

    /// <summary>Whether the rule strikes this request, which counts for it if it is one of those that the rule is for.</summary>
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
