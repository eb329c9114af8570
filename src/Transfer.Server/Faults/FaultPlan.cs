namespace Transfer.S3.Server;

/// <summary>The faults that an <see cref="EmbeddedS3Server"/> simulates: by rules, at random, or both.</summary>
/// <remarks>
/// The same requests in the same order are affected by the same faults. A request is affected by one fault at most: by that of the first rule that applies, or
/// otherwise by a random one. One random number is used for each request, in the order of arrival, and one for each connection. If the random fault can't affect the
/// request, nothing happens.
/// </remarks>
/// <example>
/// <code>
/// server.SetFaults(new FaultPlan
/// {
///     Rules = [new FaultRule(ServerFault.InternalError) { Operation = "UploadPart", PartNumber = 2, Times = 1 }],
///     Probabilities = new Dictionary&lt;ServerFault, double> { [ServerFault.SlowDown] = 0.01 },
/// });
/// </code>
/// </example>
public sealed record FaultPlan
{
    /// <summary>Gets the rules. They are evaluated in their order, and each has its own count.</summary>
    /// <value>The default is an empty list.</value>
    public IReadOnlyList<FaultRule> Rules { get; init; } = [];

    /// <summary>Gets the probability of each fault, for each request or, for faults of connections, for each connection.</summary>
    /// <value>The default is an empty dictionary. Range: 0 to 1 for each fault, and at most 1 for all faults together.</value>
    public IReadOnlyDictionary<ServerFault, double> Probabilities { get; init; } = new Dictionary<ServerFault, double>();

    /// <summary>Gets the seed of the random numbers.</summary>
    /// <value>The default is 0. Range: any number.</value>
    public int Seed { get; init; }
}
