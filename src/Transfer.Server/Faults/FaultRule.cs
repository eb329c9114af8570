namespace Transfer.S3.Server;

/// <summary>A rule that determines which requests are affected by a fault, and how often.</summary>
/// <param name="Fault">The fault. The rule applies only to requests or connections that the fault can affect; others are not counted.</param>
/// <remarks>
/// A rule for a fault of connections can't specify an operation, key, or part number, because these aren't known when a connection is accepted.
/// </remarks>
public sealed record FaultRule(ServerFault Fault)
{
    /// <summary>Gets the name of the S3 operation, for example <c>UploadPart</c>.</summary>
    /// <value>The default is <see langword="null"/>: all operations.</value>
    public string? Operation { get; init; }

    /// <summary>Gets the full key of the object.</summary>
    /// <value>The default is <see langword="null"/>: all requests, including those for buckets.</value>
    public string? Key { get; init; }

    /// <summary>Gets the part number of the request.</summary>
    /// <value>The default is <see langword="null"/>: all requests, including those without a part number. Range: 1 to 10000.</value>
    public int? PartNumber { get; init; }

    /// <summary>
    /// Gets the number of matching requests that are not affected before the first one is. For example, 2 means that the third request is affected first.
    /// </summary>
    /// <value>The default is 0. Range: 0 or more.</value>
    public int After { get; init; }

    /// <summary>Gets the number of requests to affect.</summary>
    /// <value>The default is 1. Range: 1 or more, or <see langword="null"/> for all requests.</value>
    public int? Times { get; init; } = 1;
}
