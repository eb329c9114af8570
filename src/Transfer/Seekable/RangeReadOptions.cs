using Transfer.S3.Scheduling;

namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.ReadRangesAsync"/> and <see cref="ITransferClient.EnumerateRangesAsync"/>.</summary>
public sealed record RangeReadOptions
{
    internal static readonly RangeReadOptions Default = new();

    /// <summary>Gets the size and the ETag of the object, if the caller already knows them. All requests then start at the same time.</summary>
    /// <value>The default is <see langword="null"/>: the response to the first request contains them, and the other requests start after it.</value>
    public ObjectHint? Hint { get; init; }

    /// <summary>Gets the maximum number of bytes to request at once.</summary>
    /// <value>The default is 8 MiB. Range: 128 KiB to 1 GiB. If an eighth of <see cref="TransferClientOptions.MemoryBytes"/> is less, that is the maximum.</value>
    /// <remarks>
    /// Ranges that are close to each other are read with one request up to this size, if reading the bytes between them takes no longer than another request. The
    /// client measures how many bytes that are: 16 KiB to 1 MiB, or 64 KiB if nothing was measured yet. Larger ranges are divided into several requests.
    /// </remarks>
    public long MaxCoalescedBytes { get; init; } = TransferDefaults.MaxCoalescedBytes;

    /// <summary>Gets the maximum number of concurrent requests of this call.</summary>
    /// <value>The default is <see langword="null"/>: <see cref="TransferClientOptions.MaxConcurrency"/>. Range: 1 to 1024.</value>
    public int? MaxConcurrency { get; init; }

    /// <summary>Gets the version of the object to read, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version at the time of the first request.</value>
    public string? VersionId { get; init; }

    /// <summary>Gets the ETag that the object must have, with or without quotes.</summary>
    /// <value>The default is <see langword="null"/>, no condition. If the object has another ETag, a <see cref="PreconditionFailedException"/> is thrown.</value>
    /// <remarks>Only the first request carries the condition, so the other requests start after its response even if there is a <see cref="Hint"/>.</remarks>
    public string? IfMatch { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value><see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool RequesterPays { get; init; }

    /// <summary>Gets the customer-provided key that the object was encrypted with (SSE-C).</summary>
    /// <value>The default is <see langword="null"/>, no key. The key is sent only over HTTPS or to this machine.</value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Gets the rate limits of this call. The limits of the client apply as well.</summary>
    /// <value>The default is <see langword="null"/>: only the limits of the client apply. Transfers that share an instance are limited together.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>Gets the events of this call, in addition to those of the client. Bytes between ranges that are requested together count as transferred.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    public TransferEvents? Events { get; init; }

    /// <summary>Returns the corresponding options of a download, which have the same validation.</summary>
    internal DownloadOptions ToDownload() => new()
    {
        Hint = Hint,
        MaxConcurrency = MaxConcurrency,
        VersionId = VersionId,
        IfMatch = IfMatch,
        RequesterPays = RequesterPays,
        CustomerKey = CustomerKey,
        RateLimit = RateLimit,
        Events = Events,
        Verify = false, // stores hold checksums of whole objects only
    };
}
