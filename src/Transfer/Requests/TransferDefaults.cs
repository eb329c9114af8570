namespace Transfer.S3.Requests;

/// <summary>The defaults and the limits of options.</summary>
internal static class TransferDefaults
{
    /// <summary>The lowest, the initial, and the highest concurrency of each direction, if the client adjusts it.</summary>
    public const int LeastConcurrency = 4;
    public const int StartConcurrency = 12;
    public const int MostConcurrency = 256;

    /// <summary>The number of files and sockets that are left to the rest of the process. The runtime alone has about 90.</summary>
    private const int OtherOpenFiles = 128;

    public const int MaxConcurrency = 1024;

    public const long PartSizeBytes = 8 * Sizes.MiB;
    public const long MinDownloadPartSizeBytes = 64 * Sizes.KiB;

    // Amazon S3 User Guide, "Multipart upload limits".
    public const long MinUploadPartSizeBytes = 5 * Sizes.MiB;
    public const long MaxPartSizeBytes = 5 * Sizes.GiB;
    public const int MaxParts = 10_000;

    /// <summary>The size of one request for several ranges.</summary>
    public const long MaxCoalescedBytes = 8 * Sizes.MiB;
    public const long MinMaxCoalescedBytes = 128 * Sizes.KiB;
    public const long MaxMaxCoalescedBytes = Sizes.GiB;

    public const long MaxPutBytes = 5 * Sizes.GiB;

    public const long MemoryBytes = 512 * Sizes.MiB;
    public const long MinMemoryBytes = Sizes.MiB;
    public const long MaxMemoryBytes = Sizes.TiB;

    public const int ChunkSizeBytes = 64 * 1024;
    public const int MinChunkSizeBytes = 4 * 1024;
    public const int MaxChunkSizeBytes = 80 * 1024;

    /// <summary>The number of chunks that every open stream always keeps.</summary>
    public const int FloorChunks = 2;

    /// <summary>The maximum number of failures or differences in the result for many objects. Each can hold a few KiB of exceptions.</summary>
    public const int MaxKeptFailures = 1_000;

    /// <summary>The range of a <see cref="RateLimit"/>.</summary>
    public const long MinBytesPerSecondLimit = Sizes.KiB;
    public const long MaxBytesPerSecondLimit = Sizes.TiB;

    public const int MaxAttempts = 8;
    public const int MaxMaxAttempts = 100;
    public static readonly TimeSpan MaxRetryFor = TimeSpan.FromDays(1);

    /// <summary>The time for which a store can throttle all requests, in stall timeouts: 2 minutes by default.</summary>
    public const int ThrottleTimeouts = 4;

    /// <summary>The time for which a store can throttle one request while others succeed, in stall timeouts: 10 minutes by default.</summary>
    public const int RequestThrottleTimeouts = 20;

    public static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(200);
    public static readonly TimeSpan MinProgressInterval = TimeSpan.FromMilliseconds(10);
    public static readonly TimeSpan MaxProgressInterval = TimeSpan.FromHours(1);
    public static readonly TimeSpan StallTimeout = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The minimum speed of a body while it is waited for, over twice the stall timeout. A slower connection is treated as stalled, even if many connections share
    /// a slow link.
    /// </summary>
    public const long MinBytesPerSecond = 128;
    public static readonly TimeSpan MinStallTimeout = TimeSpan.FromSeconds(1);
    public static readonly TimeSpan MaxStallTimeout = TimeSpan.FromHours(1);

    /// <summary>
    /// The time for which a store can complete an upload without sending data. According to S3, this can take minutes, in which S3 sends whitespace (Amazon S3
    /// API Reference, "CompleteMultipartUpload").
    /// </summary>
    public static readonly TimeSpan CompleteTimeout = TimeSpan.FromMinutes(10);
    public static readonly TimeSpan AbortTimeout = TimeSpan.FromSeconds(15);

    /// <summary>Gets the highest concurrency that the client selects in a process with a limit of open files and sockets. A request can need one of each.</summary>
    public static int MostConcurrencyWith(long? openFiles)
        => openFiles is { } files ? (int)Math.Clamp((files - OtherOpenFiles) / 2, LeastConcurrency, MostConcurrency) : MostConcurrency;
}
