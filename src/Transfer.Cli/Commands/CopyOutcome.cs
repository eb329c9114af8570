namespace Transfer.S3.Cli.Commands;

/// <summary>The result of a copy of one object.</summary>
/// <param name="Statistics">The time, the requests, and the bytes of the copy.</param>
/// <param name="Verdict">Whether the content was verified.</param>
internal sealed record CopyOutcome(TransferStatistics Statistics, ChecksumVerdict Verdict)
{
    /// <summary>Gets the properties of the source that the target doesn't have.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Gets the ETag of the target; null if it is a file.</summary>
    public string? TargetETag { get; init; }

    /// <summary>Gets the ETag of the source; null if it is a file.</summary>
    public string? SourceETag { get; init; }
}
