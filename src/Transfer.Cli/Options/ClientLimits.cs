namespace Transfer.S3.Cli.Options;

/// <summary>The limits of a client of the library.</summary>
/// <param name="Concurrency">The maximum number of concurrent requests; null to adapt it.</param>
/// <param name="PartSizeBytes">The size of parts; null for the library's default.</param>
/// <param name="MemoryBytes">The memory for buffers; null for the library's default.</param>
/// <param name="Rate">The limits of the transfer rate; null for none.</param>
internal sealed record ClientLimits(int? Concurrency = null, long? PartSizeBytes = null, long? MemoryBytes = null, RateLimit? Rate = null)
{
    /// <summary>Gets the limit of requests, content, time, and cost. All clients of a command share it; null for none.</summary>
    public UsageLimit? Usage { get; init; }

    /// <summary>Gets the prices of the store; null if they aren't known.</summary>
    public StorePrices? Prices { get; init; }

    private static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>Creates the options of a client.</summary>
    /// <param name="environment">The variables that the library reads; null for those of the process.</param>
    public TransferClientOptions ToClientOptions(ToolEnvironment? environment = null) => new()
    {
        MaxConcurrency = Concurrency,
        DownloadPartSizeBytes = PartSizeBytes,
        UploadPartSizeBytes = PartSizeBytes is { } size ? Math.Max(size, TransferSettings.MinUploadPartBytes) : null,
        MultipartThresholdBytes = PartSizeBytes is { } threshold ? Math.Max(threshold, TransferSettings.MinUploadPartBytes) : null,
        MemoryBytes = MemoryBytes,

        // Clients that share an instance would share its rate.
        RateLimit = Rate is null or { TotalBytesPerSecond: null, DownloadBytesPerSecond: null, UploadBytesPerSecond: null }
            ? null
            : new RateLimit { TotalBytesPerSecond = Rate.TotalBytesPerSecond, DownloadBytesPerSecond = Rate.DownloadBytesPerSecond, UploadBytesPerSecond = Rate.UploadBytesPerSecond },
        Limit = Usage,
        ProgressInterval = ProgressInterval,

        // The tool reads these variables itself. `--concurrency auto` and `--limit-rate none` must override them, but set no option of the library. And what a command
        // without these options does isn't limited, such as a measurement.
        Advanced = { EnvironmentVariables = name => name is "TRANSFER_CONCURRENCY" or "TRANSFER_LIMIT_RATE" ? null : (environment ?? ToolEnvironment.Process).Get(name) },
    };
}
