namespace Transfer.S3;

/// <summary>The progress of a transfer. The last update of a successful transfer contains its totals.</summary>
/// <remarks>
/// Bytes and parts never decrease, with one exception: if an object is replaced with a smaller one during a transfer of many objects, the last update can contain
/// less than the one before.
/// </remarks>
/// <example>
/// <code>
/// Progress&lt;TransferProgress> progress = new(now => Console.WriteLine($"{now.BytesTransferred} of {now.TotalBytes} bytes, {now.Remaining} remaining"));
/// await client.DownloadAsync("bucket", "movie.mkv", "movie.mkv", progress: progress);
/// </code>
/// </example>
public readonly record struct TransferProgress
{
    /// <summary>
    /// Gets the number of bytes that were received from the store, or sent to it, including <see cref="BytesResumed"/>. Bytes that are transferred again, for
    /// example by a retry, count once. Sent bytes can still be in the buffers of the operating system.
    /// </summary>
    public long BytesTransferred { get; init; }

    /// <summary>Gets the total number of bytes; <see langword="null"/> if it isn't known yet.</summary>
    public long? TotalBytes { get; init; }

    /// <summary>Gets the rate of the last seconds, in bytes per second; in the last update, the rate of the whole transfer.</summary>
    public double BytesPerSecond { get; init; }

    /// <summary>Gets the number of completed parts.</summary>
    public int PartsCompleted { get; init; }

    /// <summary>Gets the total number of parts; <see langword="null"/> if it isn't known yet.</summary>
    public int? TotalParts { get; init; }

    /// <summary>
    /// Gets the number of bytes in parts that are complete: the store has confirmed them or, for a download, all of their bytes were received. It is at most
    /// <see cref="BytesTransferred"/>, and equal to it at the end of a successful transfer of one object.
    /// </summary>
    /// <remarks>If an upload of a file is interrupted, about this many bytes are kept for the same call to resume.</remarks>
    public long BytesConfirmed { get; init; }

    /// <summary>Gets the number of requests that were sent so far, including retries. It is also available for transfers that fail.</summary>
    public long Requests { get; init; }

    /// <summary>Gets the number of requests so far that were retries of failed requests.</summary>
    public long Retries { get; init; }

    /// <summary>Gets the number of requests so far that were sent again because the first one was slow.</summary>
    public long HedgedRequests { get; init; }

    /// <summary>Gets the number of bytes so far that an interrupted earlier transfer had already transferred. The rates don't include them.</summary>
    public long BytesResumed { get; init; }

    /// <summary>
    /// Gets the number of bytes that the same call doesn't have to transfer again when it resumes the transfer. It is set in the last update of a transfer that
    /// failed or was canceled.
    /// </summary>
    public long BytesKept { get; init; }

    /// <summary>Gets the number of objects that were transferred, were skipped, or failed, in a transfer of many objects.</summary>
    public long ObjectsCompleted { get; init; }

    /// <summary>
    /// Gets the number of objects that were uploaded, and that nobody can see before all of them are published (<see cref="PublishMode.AllAtOnce"/>). They aren't
    /// completed. The number decreases while they are published.
    /// </summary>
    public long ObjectsUnpublished { get; init; }

    /// <summary>
    /// Gets the total number of objects in a transfer of many objects; <see langword="null"/> while they are still being listed, and in a transfer of one object.
    /// </summary>
    public long? TotalObjects { get; init; }

    /// <summary>Gets the estimated remaining time; <see langword="null"/> if there is no estimate.</summary>
    /// <remarks>
    /// The estimate assumes the average rate of the transfer so far. In a transfer of many objects, it is the longer of the estimates by bytes and by objects.
    /// </remarks>
    public TimeSpan? Remaining { get; init; }

    /// <summary>
    /// Gets the factor that limited the speed in the last seconds; in the last update, in the whole transfer. It is <see cref="Bottleneck.None"/> until it is known.
    /// </summary>
    /// <remarks>
    /// The rules are those of <see cref="TransferTimes.Bottleneck"/>. Requests and parts add their times when they end, so a change is known after the parts in
    /// flight have ended.
    /// </remarks>
    public Bottleneck Bottleneck { get; init; }
}
