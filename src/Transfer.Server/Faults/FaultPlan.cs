namespace Transfer.Server;

/// <summary>How an <see cref="EmbeddedS3Server"/> fails: by a script, by chance, or both. The same requests in the same order meet the same faults.</summary>
/// <remarks>
/// A request meets one fault at most: that of the first rule which strikes, or else what chance decides. Chance draws one number for each request, in the
/// order of their arrival, and one for each connection; a fault that was drawn for a request which it cannot strike comes to nothing.
/// </remarks>
public sealed record FaultPlan
{
    /// <summary>The script. Rules are asked in their order, and each counts by itself.</summary>
    /// <value>Default: none.</value>
    public IReadOnlyList<FaultRule> Rules { get; init; } = [];

    /// <summary>How likely each fault is: for each request, or each connection for a fault of connections.</summary>
    /// <value>Default: none. Range: 0 to 1 each, and together at most 1.</value>
    public IReadOnlyDictionary<ServerFault, double> Probabilities { get; init; } = new Dictionary<ServerFault, double>();

    /// <summary>Where the random numbers begin.</summary>
    /// <value>Default: 0. Any number.</value>
    public int Seed { get; init; }
}
