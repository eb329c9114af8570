using System.Diagnostics.Metrics;
using System.Net.Security;
using Microsoft.Extensions.Logging;
using Transfer.S3.Requests;

namespace Transfer.S3;

/// <summary>The options of a <see cref="TransferClient"/>. They are validated and copied when the client is created.</summary>
/// <remarks>
/// If an option that names an environment variable is <see langword="null"/>, the variable determines its value, and the client logs that. Sizes in variables are
/// written as <c>8MiB</c> and numbers in decimal digits; <c>auto</c> keeps the default of a number. If a variable is invalid or out of the option's range, the
/// constructor throws an <see cref="ArgumentException"/> with its name.
/// </remarks>
/// <example>
/// <code>
/// TransferClientOptions options = new()
/// {
///     MemoryBytes = 256 &lt;&lt; 20,
///     MaxConcurrency = 32,
///     RateLimit = new RateLimit { TotalBytesPerSecond = 50 &lt;&lt; 20 },
/// };
/// await using TransferClient limited = new(s3, options);
/// </code>
/// </example>
public sealed class TransferClientOptions
{
    /// <summary>Gets or sets the maximum number of concurrent requests of all transfers of the client together.</summary>
    /// <value>
    /// The default is <see langword="null"/>: the client measures the link and uses as many requests as it needs, from 4 to 256 in each direction. On Linux, it uses
    /// at most half of the files that the process can have open. Range: 1 to 1024. Environment: <c>TRANSFER_CONCURRENCY</c>.
    /// </value>
    /// <remarks>
    /// <para>The limit is never higher than the <c>MaxConnectionsPerServer</c> of the SDK client's configuration, if that is set.</para>
    /// <para>
    /// By default, the client starts with 12 requests in each direction, or with 4 if it sends parts that are in memory. It doubles the number as long as each request
    /// gets as much of the link as before, and stops when the link is full. It reduces the number if the store throttles more than a few percent of the requests, and it
    /// adapts to a link that changes. A number that you set is not changed. Requests that wait for a rate limit count, too. One request is reserved for transfers without a rate limit of their own, unless the
    /// number is 1.
    /// </para>
    /// </remarks>
    public int? MaxConcurrency { get; set; }

    /// <summary>Gets or sets the maximum number of parts of one upload to send concurrently. All transfers share <see cref="MaxConcurrency"/>.</summary>
    /// <value>
    /// The default is <see langword="null"/>: <see cref="MaxConcurrency"/> if that is set; otherwise, as many as the link needs. Range: 1 to 1024. Environment:
    /// <c>TRANSFER_UPLOAD_CONCURRENCY</c>.
    /// </value>
    public int? MaxUploadConcurrency { get; set; }

    /// <summary>Gets or sets the maximum number of bytes that a download requests at once.</summary>
    /// <value>The default is <see langword="null"/>: 8 MiB. Range: 64 KiB to 5 GiB. Environment: <c>TRANSFER_DOWNLOAD_PART_SIZE</c>.</value>
    /// <remarks>
    /// By default, requests are smaller at the start of the client's first downloads, if memory is short, and at the end of a download, where the rest is divided
    /// among the connections. A size that you set is changed only if memory is short.
    /// </remarks>
    public long? DownloadPartSizeBytes { get; set; }

    /// <summary>Gets or sets the size, in bytes, of the parts of a multipart upload.</summary>
    /// <value>
    /// The default is <see langword="null"/>: 8 MiB, or half of <see cref="MemoryBytes"/> if that is less, but at least 5 MiB. Range: 5 MiB to 5 GiB, the limits of
    /// Amazon S3 (Amazon S3 User Guide, "Multipart upload limits"). Environment: <c>TRANSFER_UPLOAD_PART_SIZE</c>.
    /// </value>
    /// <remarks>
    /// If the object doesn't fit into <see cref="AdvancedOptions.MaxUploadParts"/> parts of this size, larger parts are used. If the length isn't known, parts are kept
    /// in memory, and the default is 5 MiB for the first ones.
    /// </remarks>
    public long? UploadPartSizeBytes { get; set; }

    /// <summary>Gets or sets the size threshold, in bytes, below which an object is uploaded with a single PUT request.</summary>
    /// <value>
    /// The default is <see langword="null"/>: 8 MiB, or half of <see cref="MemoryBytes"/> if that is less, but at least 5 MiB. Range: 0 to 5 GiB, the limit of a PUT
    /// request in Amazon S3.
    /// </value>
    /// <remarks>
    /// The body of a PUT request is held in memory, so an object that is larger than <see cref="MemoryBytes"/> is always uploaded in parts. If the length of the
    /// source isn't known, an object that fits into the first part is uploaded with a single PUT request.
    /// </remarks>
    public long? MultipartThresholdBytes { get; set; }

    /// <summary>Gets or sets the maximum number of bytes of buffer memory that all transfers of the client can use together.</summary>
    /// <value>
    /// The default is <see langword="null"/>: a quarter of the memory that is available to the process, but at most 512 MiB. Range: 1 MiB to 1 TiB. Environment:
    /// <c>TRANSFER_MEMORY</c>.
    /// </value>
    /// <remarks>
    /// <para>
    /// Memory is used in chunks of <see cref="AdvancedOptions.ChunkSizeBytes"/>. The limit applies to all rented buffers, regardless of the sizes of parts and
    /// objects. Open streams share up to three eighths of it to read ahead, and each open stream keeps two chunks. Parts that callers are still
    /// writing use up to half of it. The HTTPS connections of all clients in a process share up to 8 MiB of buffers in addition.
    /// </para>
    /// <para>
    /// A transfer waits for memory if necessary. It fails with a <see cref="TransferException"/> (<see cref="TransferError.MemoryLimit"/>) if nothing that could
    /// free memory happens during <see cref="StallTimeout"/>.
    /// </para>
    /// </remarks>
    public long? MemoryBytes { get; set; }

    /// <summary>Gets or sets the maximum number of attempts for a part before the transfer fails.</summary>
    /// <value>The default is 8. Range: 1 to 100. Retries that the AWS SDK performs by itself are not included.</value>
    /// <remarks>
    /// <para>
    /// The count restarts if an attempt receives at least one chunk of the part. Failed requests are retried with jittered exponential backoff of up to 20 seconds.
    /// If the response contains <c>Retry-After</c> or <c>x-amz-retry-after</c>, the client waits for that time first, up to 60 seconds.
    /// </para>
    /// <para>
    /// Throttled requests (status 429, or status 503 with an S3 error or <c>Retry-After</c>) are not counted, unless only one attempt is allowed. They are limited
    /// by time instead: a request fails when the store has throttled all requests of the client for 4 times <see cref="StallTimeout"/>, or this request for 20 times
    /// <see cref="StallTimeout"/>.
    /// </para>
    /// </remarks>
    public int MaxAttempts { get; set; } = TransferDefaults.MaxAttempts;

    /// <summary>Gets or sets the time for which a request is repeated while the store can't be reached, such as during its restart.</summary>
    /// <value>The default is zero: only <see cref="MaxAttempts"/> counts, which takes about 6 seconds. Range: 0 to 1 day.</value>
    /// <remarks>
    /// A store can't be reached if its connections are refused, if its name can't be resolved, or if a proxy responds that it reaches no store (status 502, 503, or 504
    /// without an S3 error). Such a request fails after both the time and <see cref="MaxAttempts"/> are used up. Between two attempts are at most 5 seconds. The time restarts
    /// when the store responds. If <see cref="MaxAttempts"/> is 1, nothing is repeated.
    /// </remarks>
    public TimeSpan RetryFor { get; set; }

    /// <summary>
    /// Gets or sets the time without any data in either direction after which a request is given up and retried. A download continues from the last byte that it
    /// received.
    /// </summary>
    /// <value>The default is 30 seconds. Range: 1 second to 1 hour. A request that completes a multipart upload has 10 minutes.</value>
    /// <remarks>
    /// A request is also given up if its response delivers less than 128 bytes per second over twice this time. Only the time spent waiting for the network counts.
    /// </remarks>
    public TimeSpan StallTimeout { get; set; } = TransferDefaults.StallTimeout;

    /// <summary>Gets or sets a value that indicates whether slow requests are given up and sent again over another connection.</summary>
    /// <value><see langword="true"/> to send slow requests again; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    /// <remarks>
    /// <para>
    /// A download is slow if its response takes longer than nearly all others: the 97th percentile of the last 128 requests, plus 20 percent. It is also slow if its
    /// body takes longer than nearly all others of its size, plus 20 percent and 0.05 seconds, or if its connection is silent during the body for 0.6 seconds or
    /// more. The rest of a slow body is requested over another connection if it is expected to arrive earlier from there. Until the usual times are known, the limit
    /// is 1 second without data.
    /// </para>
    /// <para>
    /// A part of an upload is slow if its connection is silent for longer than nearly all others, but for at least 1 second. Until the usual times are known, the
    /// limit is 5 seconds.
    /// </para>
    /// <para>
    /// If the next connection is slow, too, the request may take four times as long there, and so on. Initially, a client can send 4 requests and 16 MiB of uploads
    /// again; 2 of these requests are reserved for connections that are silent. After that, at most 2 percent of the requests, and of the bytes of uploads, are sent
    /// again. No request is sent again while the store throttles requests or all of its responses are slow.
    /// </para>
    /// </remarks>
    public bool HedgeRequests { get; set; } = true;

    /// <summary>Gets or sets the ID of the account that must own the buckets. If another account owns a bucket, the store rejects each request with status 403.</summary>
    /// <value>The default is <see langword="null"/>: any account. An ID has 12 digits.</value>
    /// <remarks>
    /// It prevents reading from or writing to the bucket of somebody else who has taken a name that was deleted or misspelled (Amazon S3 User Guide, "Verifying bucket
    /// ownership with bucket owner condition"). It applies to all buckets of a request, also to the source of a copy inside the store, and not to the creation of a
    /// bucket. Stores other than Amazon S3 may ignore it.
    /// </remarks>
    public string? ExpectedBucketOwner { get; set; }

    /// <summary>Gets or sets a callback that changes how the connections of the client use TLS, for example which certificates of a store they trust.</summary>
    /// <value>
    /// The default is <see langword="null"/>: the rules of the system apply or, if the configuration of the SDK client has an <c>HttpClientFactory</c>, those of its
    /// <see cref="HttpClient"/>. The option applies to <see cref="TransferWire.Http"/> only; the AWS SDK uses its factory.
    /// </value>
    /// <remarks>
    /// The callback is called once, when the client is created. The connections are then those of the library, even if the configuration has an
    /// <c>HttpClientFactory</c>: they receive TLS records with less processor time, send no more data ahead than a slow link needs, and try all addresses of a name.
    /// </remarks>
    public Action<SslClientAuthenticationOptions>? ConfigureTls { get; set; }

    /// <summary>Gets or sets the interval between progress updates.</summary>
    /// <value>The default is 200 milliseconds. Range: 10 milliseconds to 1 hour.</value>
    public TimeSpan ProgressInterval { get; set; } = TransferDefaults.ProgressInterval;

    /// <summary>
    /// Gets or sets the directory for the journals of uploads. A later upload of the same file uses them to resume; see <see cref="UploadOptions.Resume"/>.
    /// </summary>
    /// <value>
    /// The default is <see langword="null"/>: <c>transfer</c> in <c>XDG_STATE_HOME</c>, or else in <c>~/.local/state</c> (XDG Base Directory Specification). On
    /// Windows and macOS, it is in the local application data of the user. An empty string disables journals. If the directory can't be written, uploads run without
    /// journals.
    /// </value>
    public string? StateDirectory { get; set; }

    /// <summary>Gets or sets the paths of files that the program writes itself, such as a log.</summary>
    /// <value>The default is an empty list.</value>
    /// <remarks>
    /// Transfers of directories don't take them for content: they are neither uploaded, moved, compared, replaced, nor deleted. On Linux, they are recognized whatever path
    /// leads to them. <see cref="StateDirectory"/> and the partial files of downloads are never content.
    /// </remarks>
    public IReadOnlyList<string> OwnFiles { get; set; } = [];

    /// <summary>Gets or sets the rate limits of all transfers of the client together.</summary>
    /// <value>
    /// The default is <see langword="null"/>, no limit. Environment: <c>TRANSFER_LIMIT_RATE</c>, such as <c>20MiB,up=5MiB</c>: a size for both directions together,
    /// <c>down=</c> and <c>up=</c> sizes for each direction, or <c>none</c>. Range of each size: 1 KiB to 1 TiB per second.
    /// </value>
    /// <remarks>Several clients can share one instance, and its limits can be changed while transfers run. See <see cref="Transfer.S3.RateLimit"/>.</remarks>
    public RateLimit? RateLimit { get; set; }

    /// <summary>Gets or sets the limit of the requests, the content, the time, and the cost of all transfers of the client together.</summary>
    /// <value>The default is <see langword="null"/>, no limit.</value>
    /// <remarks>Several clients can share one instance. See <see cref="UsageLimit"/>.</remarks>
    public UsageLimit? Limit { get; set; }

    /// <summary>Gets or sets the events of all transfers of the client.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    public TransferEvents? Events { get; set; }

    /// <summary>Gets or sets the factory of the meter that the client reports metrics to. See <see cref="TransferClient.MeterName"/>.</summary>
    /// <value>The default is <see langword="null"/>: the factory of the service provider if the client is registered with <c>AddTransfer</c>; otherwise, a meter that all clients share.</value>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>Gets or sets the factory of the logger that receives log messages.</summary>
    /// <value>The default is <see langword="null"/>: nothing is logged.</value>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>Gets the options that usual programs don't need: for unusual stores, for measurements, and for tests.</summary>
    public AdvancedOptions Advanced { get; } = new();

    /// <summary>Gets or sets the name of the client in logs; empty for the client that is registered without a name.</summary>
    internal string Name { get; set; } = string.Empty;

    /// <summary>Gets or sets where the values that were read from configuration came from; <see langword="null"/> if none were.</summary>
    internal ConfigurationSources? Sources { get; set; }

    /// <summary>
    /// Gets or sets a value that indicates whether an <see cref="Amazon.S3.IAmazonS3"/> that isn't exactly an <see cref="Amazon.S3.AmazonS3Client"/> lists objects
    /// with ListObjects instead of ListObjectsV2.
    /// </summary>
    internal bool ListObjectsV1 { get; set; }
}
