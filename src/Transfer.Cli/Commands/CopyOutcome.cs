namespace Transfer.S3.Cli.Commands;

/// <summary>The result of a copy of one object.</summary>
/// <param name="Bytes">The bytes that were transferred.</param>
/// <param name="BytesResumed">The bytes of these that an earlier, interrupted copy had transferred.</param>
/// <param name="Elapsed">The time that the copy took.</param>
/// <param name="Requests">The number of requests.</param>
/// <param name="Retries">The number of requests that repeated a failed one.</param>
/// <param name="Times">Where the time went.</param>
/// <param name="Verdict">Whether the content was verified.</param>
internal sealed record CopyOutcome(long Bytes, long BytesResumed, TimeSpan Elapsed, int Requests, int Retries, TransferTimes Times, ChecksumVerdict Verdict)
{
    /// <summary>Gets the properties of the source that the target doesn't have.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Gets the ETag of the object in the store: that of the target or, for a download, of the source.</summary>
    public string? ETag { get; init; }
}
