namespace Transfer.S3;

/// <summary>The options of a stream that <see cref="ITransferClient.OpenSeekableAsync"/> opens.</summary>
public sealed record SeekableReadOptions
{
    /// <summary>Gets the size and the ETag of the object, if the caller already knows them. Then nothing is requested before data is read.</summary>
    /// <value>The default is <see langword="null"/>: the response to the first request contains them.</value>
    public ObjectHint? Hint { get; init; }

    /// <summary>Gets what is requested while the stream is opened.</summary>
    /// <value>
    /// The default is <see cref="SeekableOpen.OnDemand"/>: nothing. Errors such as a missing object are thrown by the first call that needs data or the length.
    /// </value>
    /// <remarks>
    /// <see cref="Stream.Length"/> and <see cref="Stream.Seek"/> from the end are synchronous. If the size isn't known yet, they block the thread for one request.
    /// <see cref="SeekableOpen.Start"/> and <see cref="SeekableOpen.End"/> send that request asynchronously. The option has no effect with a <see cref="Hint"/>.
    /// </remarks>
    public SeekableOpen Open { get; init; }

    /// <summary>Gets the maximum number of concurrent requests of this stream.</summary>
    /// <value>The default is <see langword="null"/>: <see cref="TransferClientOptions.MaxConcurrency"/>. Range: 1 to 1024.</value>
    public int? MaxConcurrency { get; init; }

    /// <summary>Gets the version of the object to read, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version at the time of the first request.</value>
    public string? VersionId { get; init; }

    /// <summary>Gets the ETag that the object must have, with or without quotes.</summary>
    /// <value>The default is <see langword="null"/>, no condition. If the object has another ETag, a <see cref="PreconditionFailedException"/> is thrown.</value>
    public string? IfMatch { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value><see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool RequesterPays { get; init; }

    /// <summary>Gets the customer-provided key that the object was encrypted with (SSE-C).</summary>
    /// <value>The default is <see langword="null"/>, no key. The key is sent only over HTTPS or to this machine.</value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Gets the time for which the cached data of the object is kept after its last stream was disposed.</summary>
    /// <value>
    /// The default is <see cref="TimeSpan.Zero"/>: it is released with the last stream. Range: 0 to 1 day. If streams of one object have different values, the
    /// largest one applies.
    /// </value>
    /// <remarks>The cache is part of <see cref="TransferClientOptions.MemoryBytes"/>. It gives up memory as soon as anything else needs it.</remarks>
    public TimeSpan CacheRetention { get; init; }

    /// <summary>Gets a value that indicates whether what is read is compared with checksums of the store where that is possible.</summary>
    /// <value><see langword="true"/> to verify; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    /// <remarks>See <see cref="SeekableObjectStream.Verdict"/> for what can be verified.</remarks>
    public bool Verify { get; init; } = true;

    /// <summary>Gets the rate limits of this stream. The limits of the client apply as well.</summary>
    /// <value>The default is <see langword="null"/>: only the limits of the client apply.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>Gets the events of this stream, in addition to those of the client.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    public TransferEvents? Events { get; init; }

    internal DownloadOptions ToDownload() => new()
    {
        Hint = Hint,
        MaxConcurrency = MaxConcurrency,
        VersionId = VersionId,
        IfMatch = IfMatch,
        RequesterPays = RequesterPays,
        CustomerKey = CustomerKey,
        Verify = Verify,
        RateLimit = RateLimit,
        Events = Events,
    };
}
