namespace Transfer.Server;

/// <summary>One line of a script of faults: which requests to strike, with what and how often.</summary>
/// <param name="Fault">What happens. Only requests (or connections) that it can strike are looked at, and counted.</param>
/// <remarks>A connection is accepted before anybody knows what it is for: a rule for one of the faults of connections names no operation, key or part.</remarks>
public sealed record FaultRule(ServerFault Fault)
{
    /// <summary>The S3 operation's name, for example <c>UploadPart</c>.</summary>
    /// <value>Default: <see langword="null"/>, every operation.</value>
    public string? Operation { get; init; }

    /// <summary>The object's key, as a whole.</summary>
    /// <value>Default: <see langword="null"/>, every request, also of buckets.</value>
    public string? Key { get; init; }

    /// <summary>The part number that the request names.</summary>
    /// <value>Default: <see langword="null"/>, every request, also without one. Range: 1 to 10000.</value>
    public int? PartNumber { get; init; }

    /// <summary>How many of the requests that the rule is for pass before it strikes: with 2, the third one is the first that is struck.</summary>
    /// <value>Default: 0. Range: 0 and more.</value>
    public int After { get; init; }

    /// <summary>How many requests it strikes.</summary>
    /// <value>Default: 1. Range: 1 and more; <see langword="null"/> for all.</value>
    public int? Times { get; init; } = 1;
}
