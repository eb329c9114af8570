namespace Transfer.S3;

/// <summary>What a call took: time, requests, and bytes. Every result contains it.</summary>
public sealed record TransferStatistics
{
    /// <summary>Gets the time from the call to its end.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Gets the number of requests that were sent, including retries and pages of listings. For a copy between stores, it includes the requests to both.</summary>
    public long Requests { get; init; }

    /// <summary>Gets the number of requests that were retries of failed requests. They are included in <see cref="Requests"/>.</summary>
    public long Retries { get; init; }

    /// <summary>Gets the number of requests that were sent again because the first one was slow. They are included in <see cref="Requests"/>.</summary>
    public long HedgedRequests { get; init; }

    /// <summary>
    /// Gets the number of bytes of content that were transferred, as <see cref="TransferProgress.BytesTransferred"/> counts them: the bytes that a download delivered,
    /// that an upload sent, or that a store copied, including <see cref="BytesResumed"/>.
    /// </summary>
    /// <value>For a call with many objects, it includes the transferred bytes of objects that failed.</value>
    public long BytesTransferred { get; init; }

    /// <summary>
    /// Gets the number of these bytes that were not transferred again: an interrupted earlier call had already transferred them, or they were in parts that were reused
    /// (<see cref="UploadOptions.ReuseParts"/>, <see cref="DownloadOptions.ReuseParts"/>).
    /// </summary>
    public long BytesResumed { get; init; }

    /// <summary>Gets a breakdown of the elapsed time, with the factor that limited the speed.</summary>
    public TransferTimes Times { get; init; } = new();
}
