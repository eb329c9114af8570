namespace Transfer;

/// <summary>What a finished upload published.</summary>
public sealed record UploadResult
{
    /// <summary>The entity tag that the store gave, with its quotes.</summary>
    public string? ETag { get; init; }

    /// <summary>The new version, in a bucket that keeps them.</summary>
    public string? VersionId { get; init; }

    /// <summary>Bytes stored.</summary>
    public required long BytesTransferred { get; init; }

    /// <summary>Bytes of those that an earlier, interrupted upload had sent: they were compared with the file, and not sent again.</summary>
    public long BytesResumed { get; init; }

    /// <summary>Whether the store confirmed the checksum that was computed here.</summary>
    public required ChecksumVerdict Verdict { get; init; }

    /// <summary>Time from the call to the end.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Parts of the multipart upload; 0 where the object went up in one PUT.</summary>
    public required int Parts { get; init; }

    /// <summary>Requests sent, retries included.</summary>
    public required int Requests { get; init; }

    /// <summary>Requests that repeated one that failed.</summary>
    public required int Retries { get; init; }

    /// <summary>Gets the number of requests that were sent a second time because the first one was slow. They are included in <see cref="Requests"/>.</summary>
    public int Hedged { get; init; }

    /// <summary>Gets where the time of the upload went, and what limited its speed.</summary>
    public TransferTimes Times { get; init; } = new();

    /// <summary>
    /// What the store answered, an <see cref="HttpResponseMessage"/> or the SDK's response: for its headers alone, and from our own connections only where
    /// <see cref="UploadOptions.KeepAnswer"/> asked for it.
    /// </summary>
    internal object? Answer { get; init; }

    /// <summary>Where the store says that the object is.</summary>
    internal string? Location { get; init; }
}
