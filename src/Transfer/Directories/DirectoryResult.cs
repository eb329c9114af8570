namespace Transfer;

/// <summary>What a transfer of many objects came to.</summary>
public sealed record DirectoryResult
{
    /// <summary>Objects that were moved, or with <see cref="DirectoryOptions.DryRun"/> would be.</summary>
    public required long Objects { get; init; }

    /// <summary>Bytes of those.</summary>
    public required long Bytes { get; init; }

    /// <summary>Objects that were left alone because something was there already.</summary>
    public required long Skipped { get; init; }

    /// <summary>Of those that were moved, the objects whose bytes are known to be the store's.</summary>
    public required long Verified { get; init; }

    /// <summary>Objects that failed. Zero with <see cref="FailurePolicy.Abort"/>, which throws the first failure.</summary>
    public required long Failed { get; init; }

    /// <summary>
    /// The first 1,000 objects that failed, and why. Empty with <see cref="FailurePolicy.Abort"/>, which throws the first failure. <see
    /// cref="DirectoryOptions.ObjectEnded"/> receives all of them.
    /// </summary>
    public required IReadOnlyList<ObjectOutcome> Failures { get; init; }

    /// <summary>Requests sent, retries and pages of listings included.</summary>
    public required long Requests { get; init; }

    /// <summary>Requests that repeated one that failed.</summary>
    public required long Retries { get; init; }

    /// <summary>Gets the number of requests that were sent a second time because the first one was slow. They are included in <see cref="Requests"/>.</summary>
    public long Hedged { get; init; }

    /// <summary>Gets where the time of the transfer went, and what limited its speed.</summary>
    public TransferTimes Times { get; init; } = new();

    /// <summary>Time from the call to the end.</summary>
    public required TimeSpan Elapsed { get; init; }
}
