using System.Buffers;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Transfer.Scheduling;

/// <summary>A client's options, checked and with every default filled in.</summary>
internal sealed record ClientSettings
{
    public required int Concurrency { get; init; }

    /// <summary>Whether <see cref="Concurrency"/> was chosen, or is the default.</summary>
    public required bool IsConcurrencyGiven { get; init; }

    public required long DownloadPartSizeBytes { get; init; }

    public required long UploadPartSizeBytes { get; init; }

    public required long MultipartThresholdBytes { get; init; }

    public required long MemoryBytes { get; init; }

    public required int ChunkSizeBytes { get; init; }

    public required int MaxAttempts { get; init; }

    public required TransferWire Wire { get; init; }

    public required TimeSpan StallTimeout { get; init; }

    public required TimeSpan ProgressInterval { get; init; }

    public required ArrayPool<byte>? ArrayPool { get; init; }

    public required TransferEvents? Events { get; init; }

    public required ILoggerFactory LoggerFactory { get; init; }

    public required TimeProvider TimeProvider { get; init; }

    public static ClientSettings From(TransferClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options.TimeProvider);
        return new ClientSettings
        {
            Concurrency = OptionGuard.Number(nameof(options.Concurrency), options.Concurrency ?? TransferDefaults.Concurrency, 1, TransferDefaults.MaxConcurrency),
            IsConcurrencyGiven = options.Concurrency is not null,
            DownloadPartSizeBytes = DownloadPartSize(nameof(options.DownloadPartSizeBytes), options.DownloadPartSizeBytes),
            UploadPartSizeBytes = UploadPartSize(nameof(options.UploadPartSizeBytes), options.UploadPartSizeBytes),
            MultipartThresholdBytes = Threshold(nameof(options.MultipartThresholdBytes), options.MultipartThresholdBytes),
            MemoryBytes = OptionGuard.Size(
                nameof(options.MemoryBytes), options.MemoryBytes ?? DefaultMemory(), TransferDefaults.MinMemoryBytes, TransferDefaults.MaxMemoryBytes),
            ChunkSizeBytes = (int)OptionGuard.Size(
                nameof(options.ChunkSizeBytes), options.ChunkSizeBytes, TransferDefaults.MinChunkSizeBytes, TransferDefaults.MaxChunkSizeBytes),
            MaxAttempts = OptionGuard.Number(nameof(options.MaxAttempts), options.MaxAttempts, 1, TransferDefaults.MaxMaxAttempts),
            Wire = OptionGuard.Choice(nameof(options.Wire), options.Wire),
            StallTimeout = OptionGuard.Time(nameof(options.StallTimeout), options.StallTimeout, TransferDefaults.MinStallTimeout, TransferDefaults.MaxStallTimeout),
            ProgressInterval = OptionGuard.Time(
                nameof(options.ProgressInterval), options.ProgressInterval, TransferDefaults.MinProgressInterval, TransferDefaults.MaxProgressInterval),
            ArrayPool = options.ArrayPool,
            Events = options.Events,
            LoggerFactory = options.LoggerFactory ?? NullLoggerFactory.Instance,
            TimeProvider = options.TimeProvider,
        };
    }

    public static long DownloadPartSize(string name, long value)
        => OptionGuard.Size(name, value, TransferDefaults.MinDownloadPartSizeBytes, TransferDefaults.MaxPartSizeBytes);

    public static long UploadPartSize(string name, long value)
        => OptionGuard.Size(name, value, TransferDefaults.MinUploadPartSizeBytes, TransferDefaults.MaxPartSizeBytes);

    public static long Threshold(string name, long value) => OptionGuard.Size(name, value, 0, TransferDefaults.MaxPutBytes);

    private static long DefaultMemory()
        => Math.Clamp(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4, TransferDefaults.MinMemoryBytes, TransferDefaults.MemoryBytes);
}
