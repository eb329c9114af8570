namespace Transfer.S3.Cli.Telemetry;

/// <summary>One line of --events. Each event has the fields that apply to it. Scripts rely on the names.</summary>
internal sealed record EventJson
{
    /// <summary>Gets when the event occurred, in UTC.</summary>
    public required DateTime Time { get; init; }

    /// <summary>Gets the name of the event.</summary>
    public required string Event { get; init; }

    public string? Command { get; init; }

    public string? Version { get; init; }

    public int? ExitCode { get; init; }

    /// <summary>Gets the ID of the transfer, which is the same in all of its events.</summary>
    public Guid? TransferId { get; init; }

    public string? Direction { get; init; }

    public string? Bucket { get; init; }

    public string? Key { get; init; }

    /// <summary>Gets the operation of the request, by its name in the Amazon S3 API Reference.</summary>
    public string? Operation { get; init; }

    /// <summary>Gets why the request is repeated.</summary>
    public string? Cause { get; init; }

    public double? Seconds { get; init; }

    public double? FirstByteSeconds { get; init; }

    public long? Bytes { get; init; }

    public long? ResumedBytes { get; init; }

    public int? Parts { get; init; }

    public long? Requests { get; init; }

    public long? Retries { get; init; }

    public long? Hedged { get; init; }

    public bool? Canceled { get; init; }

    public string? Error { get; init; }

    /// <summary>Gets the number of events that were dropped because the file was written too slowly.</summary>
    public long? Dropped { get; init; }
}
