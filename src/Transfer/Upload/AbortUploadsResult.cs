namespace Transfer;

/// <summary>What became of the unfinished uploads under a prefix.</summary>
public sealed record AbortUploadsResult
{
    /// <summary>Those that were aborted, or of a dry run those that would have been; in the store's order, which is by key.</summary>
    public required IReadOnlyList<UnfinishedUpload> Aborted { get; init; }

    /// <summary>Those that could not be aborted.</summary>
    public required IReadOnlyList<UploadAbortFailure> Failures { get; init; }

    /// <summary>How many are younger than was asked for, or of no age that the store tells, and were left alone.</summary>
    public required int Kept { get; init; }

    /// <summary>Time from the call to the end.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Requests sent, retries included.</summary>
    public required int Requests { get; init; }

    /// <summary>Requests that repeated one that failed.</summary>
    public required int Retries { get; init; }
}
