namespace Transfer.S3;

/// <summary>An item of a job that has failed.</summary>
public sealed record JobFailure
{
    /// <summary>Gets the whole address of the target.</summary>
    public required string Name { get; init; }

    /// <summary>Gets a value that indicates whether the source or the target has changed since the job was planned.</summary>
    public required bool IsConflict { get; init; }

    /// <summary>Gets the error.</summary>
    public required string Message { get; init; }
}
