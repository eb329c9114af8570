namespace Transfer.Scheduling;

/// <summary>Every number that options are checked against or filled from, once.</summary>
internal static class TransferDefaults
{
    /// <summary>The limits of the concurrency that the client finds by itself, in each direction: the lowest, the first, and the highest.</summary>
    public const int LeastConcurrency = 4;
    public const int StartConcurrency = 12;
    public const int MostConcurrency = 256;

    /// <summary>Files and sockets that are left to the rest of the process.</summary>
    private const int OtherOpenFiles = 64;

    public const int MaxConcurrency = 1024;

    public const long PartSizeBytes = 8 * Sizes.MiB;
    public const long MinDownloadPartSizeBytes = 64 * Sizes.KiB;

    // Amazon S3 User Guide, "Multipart upload limits".
    public const long MinUploadPartSizeBytes = 5 * Sizes.MiB;
    public const long MaxPartSizeBytes = 5 * Sizes.GiB;
    public const int MaxParts = 10_000;

    public const long MaxPutBytes = 5 * Sizes.GiB;

    public const long MemoryBytes = 512 * Sizes.MiB;
    public const long MinMemoryBytes = Sizes.MiB;
    public const long MaxMemoryBytes = Sizes.TiB;

    public const int ChunkSizeBytes = 64 * 1024;
    public const int MinChunkSizeBytes = 4 * 1024;
    public const int MaxChunkSizeBytes = 80 * 1024;

    /// <summary>Chunks that every open stream keeps, whatever else is going on.</summary>
    public const int FloorChunks = 2;

    /// <summary>Failed objects, or differences, that the result of a transfer of many keeps. Each can hold some KiB of exceptions.</summary>
    public const int MaxKeptFailures = 1_000;

    /// <summary>The range of a <see cref="RateLimit"/>.</summary>
    public const long MinBytesPerSecondLimit = Sizes.KiB;
    public const long MaxBytesPerSecondLimit = Sizes.TiB;

    public const int MaxAttempts = 8;
    public const int MaxMaxAttempts = 100;

    /// <summary>How long a store may throttle everything, in stall timeouts: 2 minutes by default.</summary>
    public const int ThrottleTimeouts = 4;

    /// <summary>The same for one request, while others go through: 10 minutes by default.</summary>
    public const int RequestThrottleTimeouts = 20;

    public static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(200);
    public static readonly TimeSpan MinProgressInterval = TimeSpan.FromMilliseconds(10);
    public static readonly TimeSpan MaxProgressInterval = TimeSpan.FromHours(1);
    public static readonly TimeSpan StallTimeout = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The least that a body must bring while it is waited for, over twice the stall timeout. A connection that is slower is as good as dead, even if many connections share a slow link.
    /// </summary>
    public const long MinBytesPerSecond = 128;
    public static readonly TimeSpan MinStallTimeout = TimeSpan.FromSeconds(1);
    public static readonly TimeSpan MaxStallTimeout = TimeSpan.FromHours(1);

    /// <summary>
    /// How long a store may work on a Complete without a word. S3 says that it can take minutes, and sends blanks meanwhile (Amazon S3 API Reference,
    /// "CompleteMultipartUpload").
    /// </summary>
    public static readonly TimeSpan CompleteTimeout = TimeSpan.FromMinutes(10);
    public static readonly TimeSpan AbortTimeout = TimeSpan.FromSeconds(15);

    /// <summary>Gets the highest concurrency that the client finds by itself in a process that can have so many files and sockets open. A request can need one of each.</summary>
    public static int MostConcurrencyWith(long? openFiles)
        => openFiles is { } files ? (int)Math.Clamp((files - OtherOpenFiles) / 2, LeastConcurrency, MostConcurrency) : MostConcurrency;
}
