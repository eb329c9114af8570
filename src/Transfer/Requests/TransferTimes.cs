namespace Transfer.S3;

/// <summary>A breakdown of the time that a transfer took.</summary>
/// <remarks>
/// Requests and parts run in parallel, and each adds its own time. So a time can be longer than the transfer took: four requests that receive data for ten seconds
/// add 40 seconds to <see cref="Data"/>. The times of a transfer of many objects are the sums of the times of its objects.
/// </remarks>
public sealed record TransferTimes
{
    /// <summary>
    /// Gets the time that requests waited for a request slot, and that parts or objects waited to begin because as many as the concurrency allows were in progress.
    /// A transfer that uses all of its concurrency always waits.
    /// </summary>
    public TimeSpan WaitingForSlot { get; init; }

    /// <summary>Gets the time that parts waited for buffer memory.</summary>
    public TimeSpan WaitingForMemory { get; init; }

    /// <summary>
    /// Gets the time that a download to a stream, a pipe, or a caller waited for its reader: no more data was requested because the reader had not
    /// consumed the available data, or all data was available.
    /// </summary>
    public TimeSpan WaitingForReader { get; init; }

    /// <summary>Gets the time that an upload waited for its source: the stream, the pipe, or the caller that writes the object.</summary>
    public TimeSpan WaitingForSource { get; init; }

    /// <summary>Gets the time that parts were read from files or written to files, including waits for other writes to the same file.</summary>
    public TimeSpan Disk { get; init; }

    /// <summary>
    /// Gets the time that requests waited for the response to begin. It includes the time to open connections, and all of the time of requests without data. For
    /// uploads, it begins when the connection has taken the last byte of the request, and it is not measured for more than 1 MiB, because the system's buffers hold
    /// much of that.
    /// </summary>
    public TimeSpan FirstByte { get; init; }

    /// <summary>
    /// Gets the time that requests waited for the network to transfer data: for the body of responses, or to send the body of requests. For uploads of more than 1
    /// MiB, it includes the time to the response.
    /// </summary>
    public TimeSpan Data { get; init; }

    /// <summary>
    /// Gets the time that received data was processed: decrypted, checked, and copied, including waits for a processor. It is not measured for uploads.
    /// </summary>
    public TimeSpan Processing { get; init; }

    /// <summary>Gets the time that requests waited before a retry after the store throttled them (503 or 429).</summary>
    public TimeSpan ThrottlingBackoff { get; init; }

    /// <summary>Gets the time that requests waited before a retry after any other failure.</summary>
    public TimeSpan Backoff { get; init; }

    /// <summary>Gets the time that requests waited for the rate limit.</summary>
    public TimeSpan RateLimit { get; init; }

    /// <summary>
    /// Gets the time that the transfer was paused by its <see cref="TransferHandle"/>. Waits for slots and for the start of parts don't include it.
    /// </summary>
    public TimeSpan Paused { get; init; }

    /// <summary>Gets the factor that limited the speed of the transfer.</summary>
    /// <remarks>
    /// <para>The first of these rules that applies decides:</para>
    /// <list type="number">
    /// <item><description>
    /// The transfer waited for its reader or source half of the time: <see cref="Bottleneck.Reader"/> or <see cref="Bottleneck.Source"/>.
    /// </description></item>
    /// <item><description>The largest part of the time of requests was spent on the disk, the processor, backoff, or the rate limit: the
    /// corresponding value.</description></item>
    /// <item><description>
    /// The transfer waited for memory half of the time: <see cref="Bottleneck.Memory"/>, unless requests already delayed each other.
    /// </description></item>
    /// <item><description>
    /// The transfer waited for slots half of the time: <see cref="Bottleneck.Concurrency"/> if the concurrency was set, or if the client reached its
    /// highest one;
    /// <see cref="Bottleneck.Throttling"/> if the store's rejections keep the concurrency low; otherwise, after the client has found the concurrency that fills the
    /// link, <see cref="Bottleneck.Network"/> or, if requests mostly wait for responses to begin, <see cref="Bottleneck.Store"/>.
    /// </description></item>
    /// <item><description>
    /// <see cref="Bottleneck.Latency"/> if requests mostly waited for responses to begin; otherwise, <see cref="Bottleneck.Network"/>.
    /// </description></item>
    /// </list>
    /// </remarks>
    public Bottleneck Bottleneck { get; init; }
}
