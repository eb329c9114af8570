namespace Transfer;

/// <summary>What a finished copy published.</summary>
public sealed record CopyResult
{
    /// <summary>The target's entity tag, with its quotes.</summary>
    public string? ETag { get; init; }

    /// <summary>The target's version, in a bucket that keeps them.</summary>
    public string? VersionId { get; init; }

    /// <summary>Bytes that the store copied.</summary>
    public required long BytesCopied { get; init; }

    /// <summary>Whether the store tells that the target's content is the source's: the same full-object checksum, or the same entity tag.</summary>
    public required ChecksumVerdict Verdict { get; init; }

    /// <summary>Time from the call to the end.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Parts of the multipart copy; 0 where one request copied the object.</summary>
    public required int Parts { get; init; }

    /// <summary>Requests sent, retries included.</summary>
    public required int Requests { get; init; }

    /// <summary>Requests that repeated one that failed.</summary>
    public required int Retries { get; init; }

    /// <summary>Gets where the time of the copy went, and what limited its speed.</summary>
    public TransferTimes Times { get; init; } = new();
}
