namespace Transfer;

/// <summary>What a finished download brought.</summary>
public sealed record DownloadResult
{
    /// <summary>The object as the store described it.</summary>
    public required ObjectInfo Info { get; init; }

    /// <summary>Bytes delivered: the object's size, or that of <see cref="DownloadOptions.Range"/>.</summary>
    public required long BytesTransferred { get; init; }

    /// <summary>Bytes of those that an earlier, interrupted download had brought: they were read back, and not fetched again.</summary>
    public long BytesResumed { get; init; }

    /// <summary>Whether the bytes are known to be the store's.</summary>
    public required ChecksumVerdict Verdict { get; init; }

    /// <summary>Time from the call to the end.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Ranges that the object was fetched in.</summary>
    public required int Parts { get; init; }

    /// <summary>Requests sent, retries included.</summary>
    public required int Requests { get; init; }

    /// <summary>Requests that repeated one that failed.</summary>
    public required int Retries { get; init; }

    /// <summary>Gets the number of requests that were sent a second time because the first one was slow. They are included in <see cref="Requests"/>.</summary>
    public int Hedged { get; init; }

    /// <summary>Gets where the time of the download went, and what limited its speed.</summary>
    public TransferTimes Times { get; init; } = new();
}
