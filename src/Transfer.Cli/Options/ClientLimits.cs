namespace Transfer.S3.Cli.Options;

/// <summary>The limits of a client of the library.</summary>
/// <param name="Concurrency">The maximum number of concurrent requests; null to adapt it.</param>
/// <param name="PartSizeBytes">The size of parts; null for the library's default.</param>
/// <param name="MemoryBytes">The memory for buffers; null for the library's default.</param>
/// <param name="Rate">The limits of the transfer rate.</param>
internal sealed record ClientLimits(int? Concurrency = null, long? PartSizeBytes = null, long? MemoryBytes = null, RateLimits Rate = default)
{
    private static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>Creates the options of a client.</summary>
    public TransferClientOptions ToClientOptions() => new()
    {
        MaxConcurrency = Concurrency,
        DownloadPartSizeBytes = PartSizeBytes,
        UploadPartSizeBytes = PartSizeBytes is { } size ? Math.Max(size, TransferSettings.MinUploadPartBytes) : null,
        MultipartThresholdBytes = PartSizeBytes is { } threshold ? Math.Max(threshold, TransferSettings.MinUploadPartBytes) : null,
        MemoryBytes = MemoryBytes,
        RateLimit = Rate.ToRateLimit(),
        ProgressInterval = ProgressInterval,

        // The tool has already read the variables of its own options, and `--concurrency auto` must override them.
        Advanced = { EnvironmentVariables = name => name is "TRANSFER_CONCURRENCY" or "TRANSFER_MEMORY" or "TRANSFER_LIMIT_RATE" ? null : Environment.GetEnvironmentVariable(name) },
    };
}
