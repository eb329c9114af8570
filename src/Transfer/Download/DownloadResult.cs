namespace Transfer.S3;

/// <summary>The result of a download.</summary>
public sealed record DownloadResult
{
    /// <summary>Gets the properties of the object.</summary>
    public required ObjectInfo Info { get; init; }

    /// <summary>Gets the number of bytes that were delivered: the size of the object, or of <see cref="DownloadOptions.Range"/>.</summary>
    public required long BytesTransferred { get; init; }

    /// <summary>
    /// Gets the number of these bytes that an interrupted earlier download had already received. They were read from the file, and not downloaded again.
    /// </summary>
    public long BytesResumed { get; init; }

    /// <summary>Gets the result of the verification of the content.</summary>
    public required ChecksumVerdict Verdict { get; init; }

    /// <summary>Gets the time from the call to the end of the download.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Gets the number of ranges in which the object was downloaded.</summary>
    public required int Parts { get; init; }

    /// <summary>Gets the number of requests that were sent, including retries.</summary>
    public required int Requests { get; init; }

    /// <summary>Gets the number of requests that were retries of failed requests.</summary>
    public required int Retries { get; init; }

    /// <summary>Gets the number of requests that were sent again because the first one was slow. They are included in <see cref="Requests"/>.</summary>
    public int Hedged { get; init; }

    /// <summary>Gets a breakdown of the time that the download took, with the factor that limited its speed.</summary>
    public TransferTimes Times { get; init; } = new();
}
