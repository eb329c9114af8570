using System.Buffers;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Transfer.Scheduling;

namespace Transfer;

/// <summary>Settings of a <see cref="TransferClient"/>: checked and copied once, when the client is made.</summary>
/// <remarks>
/// Where a setting that names a variable of the environment is left null, the variable decides; what was taken from there is logged. Sizes are written
/// as <c>8MiB</c>, numbers in digits, <c>auto</c> leaves a number open. A variable that holds anything else, or is out of the setting's range, is an
/// <see cref="ArgumentException"/> that names it.
/// </remarks>
public sealed class TransferClientOptions
{
    /// <summary>Gets or sets the maximum number of concurrent requests of all transfers of the client together.</summary>
    /// <value>
    /// The default is <see langword="null"/>: the client measures the link and uses as many requests as it needs, from 4 to 256 in each direction, and on Linux at most half of the files that the process can have open. Range: 1 to 1024. Environment:
    /// <c>TRANSFER_CONCURRENCY</c>.
    /// </value>
    /// <remarks>
    /// <para>The limit is never higher than the <c>MaxConnectionsPerServer</c> of the SDK client's configuration, if that is set.</para>
    /// <para>
    /// By default, the client starts with 4 requests and doubles them while each gets as much of the link as before. It stops when the link is full, requests fewer as soon as
    /// the store throttles, and follows a link that changes. A number that you set is not changed.
    /// </para>
    /// </remarks>
    public int? Concurrency { get; set; }

    /// <summary>Gets or sets the maximum number of parts of one upload to send concurrently. All transfers share <see cref="Concurrency"/>.</summary>
    /// <value>
    /// The default is <see langword="null"/>: <see cref="Concurrency"/> if that is set; otherwise, as many as the link needs. Range: 1 to 1024. Environment:
    /// <c>TRANSFER_UPLOAD_CONCURRENCY</c>.
    /// </value>
    public int? UploadConcurrency { get; set; }

    /// <summary>Bytes that a download asks for in one request, at the most.</summary>
    /// <value>Default: null, 8 MiB. Range: 64 KiB to 5 GiB. Environment: <c>TRANSFER_DOWNLOAD_PART_SIZE</c>.</value>
    /// <remarks>
    /// If no size is set, ranges are smaller at the start of the client's first downloads, if memory is short, and at the end of a download, where what is left is divided among the connections.
    /// A size that you set is not changed, except if memory is short.
    /// </remarks>
    public long? DownloadPartSizeBytes { get; set; }

    /// <summary>Bytes of one part of a multipart upload; it grows where <see cref="MaxUploadParts"/> would not hold the object.</summary>
    /// <value>
    /// Default: null, 8 MiB, or half of <see cref="MemoryBytes"/> if that is less, but at least 5 MiB. Range: 5 MiB to 5 GiB, S3's own limits (Amazon S3 User Guide, "Multipart upload
    /// limits"). Environment: <c>TRANSFER_UPLOAD_PART_SIZE</c>.
    /// </value>
    public long? UploadPartSizeBytes { get; set; }

    /// <summary>Parts that the store lets one upload have.</summary>
    /// <value>Default: 10,000, Amazon S3's limit. Range: 1 to 10,000. Some stores have another: Scaleway's is 1,000.</value>
    public int MaxUploadParts { get; set; } = TransferDefaults.MaxParts;

    /// <summary>
    /// Keep all parts of an upload of one size, as Cloudflare R2 demands. An upload whose length is not known then ends at
    /// <see cref="MaxUploadParts"/> of them; otherwise its parts grow.
    /// </summary>
    /// <value>Default: false. At an endpoint of Cloudflare R2 (<c>*.r2.cloudflarestorage.com</c>), the parts are always equal.</value>
    /// <remarks>
    /// If the length is not known and no part size is configured, each part is a sixteenth of <see cref="MemoryBytes"/>, but at least as large as usual. With 512 MiB of
    /// memory, that is 32 MiB per part and up to 312 GiB per object.
    /// </remarks>
    public bool EqualUploadParts { get; set; }

    /// <summary>Objects smaller than this are uploaded in one PUT.</summary>
    /// <value>
    /// Default: null, 8 MiB, or half of <see cref="MemoryBytes"/> if that is less, but at least 5 MiB. Range: 0 to 5 GiB, S3's limit of a PUT.
    /// </value>
    /// <remarks>
    /// The body of a PUT is held in memory, so a larger one than <see cref="MemoryBytes"/> goes up in parts all the same. Where the
    /// length is not known, an object that ends within the first part goes up in one PUT.
    /// </remarks>
    public long? MultipartThresholdBytes { get; set; }

    /// <summary>Bytes of buffer that all transfers of the client may hold together.</summary>
    /// <value>Default: null, a quarter of the memory that the process may use, at most 512 MiB. Range: 1 MiB to 1 TiB. Environment: <c>TRANSFER_MEMORY</c>.</value>
    /// <remarks>
    /// It is used in whole chunks of <see cref="ChunkSizeBytes"/>. The limit applies to what is rented, so part size and object size do not change it. Open streams
    /// share up to three eighths of it for data that is read ahead, and each of them keeps two chunks. Parts of open writers that are not full take up to a half.
    /// The HTTPS connections of all clients in a process share up to 8 MiB of buffers in addition.
    /// A transfer that waits for memory ends with <see cref="InvalidOperationException"/> if nothing happens for <see cref="StallTimeout"/> that could free any.
    /// </remarks>
    public long? MemoryBytes { get; set; }

    /// <summary>Bytes of one chunk, the unit in which buffers are rented.</summary>
    /// <value>Default: 64 KiB. Range: 4 KiB to 80 KiB, where .NET's large object heap begins (85,000 bytes).</value>
    public int ChunkSizeBytes { get; set; } = TransferDefaults.ChunkSizeBytes;

    /// <summary>Attempts for one part before the transfer fails; those of the SDK's own retries come on top.</summary>
    /// <value>Default: 8. Range: 1 to 100.</value>
    /// <remarks>
    /// An attempt that brought at least a chunk of a part's bytes starts the count again. Answers of a store that throttles (429, or 503 with an S3 error or a <c>Retry-After</c>)
    /// are not counted, except where only one attempt is allowed: a request is given up when the store has throttled all requests of the client for 4 times
    /// <see cref="StallTimeout"/>, or this one for 20 times. Between attempts lies a random time that grows, up to 20 s. Where the store names a time (<c>Retry-After</c>, <c>x-amz-retry-after</c>), that is waited for first, up to 60 s.
    /// </remarks>
    public int MaxAttempts { get; set; } = TransferDefaults.MaxAttempts;

    /// <summary>How long a request may move nothing, in either direction, before it is given up and sent again: a download's from its last byte.</summary>
    /// <value>Default: 30 s. Range: 1 s to 1 hour. A store that puts an object together of its parts is given 10 minutes.</value>
    /// <remarks>
    /// A body that brings less than 128 bytes per second over twice this time is given up too. Only time that is spent waiting for the network counts.
    /// </remarks>
    public TimeSpan StallTimeout { get; set; } = TransferDefaults.StallTimeout;

    /// <summary>Gets or sets a value that indicates whether a slow request is sent a second time, so that the first response wins.</summary>
    /// <value><see langword="true"/> to send slow requests a second time; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    /// <remarks>
    /// <para>
    /// A download is slow if its response takes longer than nearly all others (the 97th percentile of the last 128 requests, plus a fifth), if its body takes longer than nearly all others of its size (plus
    /// a fifth and 0.05 seconds), or if its connection is silent in the middle of the body for 0.6 seconds or more. The rest of a slow body is requested over another connection if it is expected earlier
    /// from there. As long as the usual times aren't known, the limit is a silence of 1 second. A part of an upload is slow if its connection is silent for longer than nearly all others, at least for 1 second;
    /// the limit is 5 seconds as long as the usual times aren't known.
    /// </para>
    /// <para>
    /// A client can send 4 requests and 16 MiB a second time to begin with; 2 of the requests are kept for connections that are silent. Beyond that, at most 2 percent of the requests and of their bytes are sent a second time. No request is sent a second time while
    /// the store throttles or is slow as a whole.
    /// </para>
    /// </remarks>
    public bool HedgeRequests { get; set; } = true;

    /// <summary>What requests are sent with.</summary>
    /// <value>Default: <see cref="TransferWire.Auto"/>.</value>
    public TransferWire Wire { get; set; }

    /// <summary>Whether the bytes of an upload are part of their request's signature.</summary>
    /// <value>Default: <see cref="PayloadSigning.Auto"/>.</value>
    public PayloadSigning PayloadSigning { get; set; }

    /// <summary>
    /// Send <c>Expect: 100-continue</c> with every body and wait up to a second for the store to want it, so that an upload that is refused has not
    /// been sent. It costs each part the time to the store and back.
    /// </summary>
    /// <value>Default: false. Only on our own connections; where the AWS SDK sends, it decides.</value>
    public bool ExpectContinue { get; set; }

    /// <summary>Time between two reports of progress.</summary>
    /// <value>Default: 200 ms. Range: 10 ms to 1 hour.</value>
    public TimeSpan ProgressInterval { get; set; } = TransferDefaults.ProgressInterval;

    /// <summary>Where uploads of files keep the journals that a later run goes on with: see <see cref="UploadOptions.Resume"/>.</summary>
    /// <value>
    /// Default: null, which is <c>transfer</c> in <c>XDG_STATE_HOME</c> or else in <c>~/.local/state</c> (XDG Base Directory Specification), and in the user's local
    /// application data on Windows and macOS. An empty text is none. Where it can't be written, uploads do without.
    /// </value>
    public string? StateDirectory { get; set; }

    /// <summary>Gets or sets the limits of the bytes per second of all transfers of the client together.</summary>
    /// <value>
    /// The default is <see langword="null"/>, no limit. Environment: <c>TRANSFER_LIMIT_RATE</c>, such as <c>20MiB,up=5MiB</c>: a size for both directions together,
    /// <c>down=</c> and <c>up=</c> sizes for each, or <c>none</c>. Range of each size: 1 KiB to 1 TiB, per second.
    /// </value>
    /// <remarks>Several clients can share one instance, and its limits can be changed while transfers run. See <see cref="Transfer.RateLimit"/>.</remarks>
    public RateLimit? RateLimit { get; set; }

    /// <summary>Where chunks are rented from.</summary>
    /// <value>Default: null, a pool of the client's own that keeps what was used, at most <see cref="MemoryBytes"/>.</value>
    public ArrayPool<byte>? ArrayPool { get; set; }

    /// <summary>Events of all transfers of the client.</summary>
    public TransferEvents? Events { get; set; }

    /// <summary>Told of every request of the client when it has ended, of each attempt by itself: for histograms of latency, counts by kind, slow-request logs.</summary>
    /// <value>Default: null; then nothing is measured.</value>
    /// <remarks>
    /// It is called where the bytes move, from many threads at once and in the execution context of the call that the request is made for: let it do little, and never wait.
    /// What it throws is ignored.
    /// </remarks>
    public Action<RequestTiming>? RequestObserver { get; set; }

    /// <summary>Gets or sets the factory of the meter that the client reports metrics to. See <see cref="TransferTelemetry"/>.</summary>
    /// <value>The default is <see langword="null"/>: the factory of the service provider if the client is registered with <c>AddTransfer</c>; otherwise, a meter that all clients share.</value>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>Where log messages go.</summary>
    /// <value>Default: null, nowhere.</value>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>Whether an <see cref="Amazon.S3.IAmazonS3"/> that is no plain <see cref="Amazon.S3.AmazonS3Client"/> lists objects with ListObjects instead of ListObjectsV2.</summary>
    internal bool ListObjectsV1 { get; set; }

    /// <summary>The clock of all delays, time-outs and rates.</summary>
    /// <value>Default: the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Reads the variables of the environment that settings left null are taken from; null for one that is not set.</summary>
    /// <value>Default: those of the process. <c>_ => null</c> for none.</value>
    public Func<string, string?> EnvironmentVariables { get; set; } = Environment.GetEnvironmentVariable;
}
