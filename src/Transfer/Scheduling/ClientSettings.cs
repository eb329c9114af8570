using System.Buffers;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Files;
using Transfer.Observability;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>A client's options, checked and with every default filled in.</summary>
internal sealed record ClientSettings
{
    public required int Concurrency { get; init; }

    /// <summary>Whether <see cref="Concurrency"/> was chosen, or is the default.</summary>
    public required bool IsConcurrencyGiven { get; init; }

    /// <summary>Parts of one upload under way at once, unless its own options say otherwise.</summary>
    public required int UploadConcurrency { get; init; }

    /// <summary>Whether <see cref="UploadConcurrency"/> was chosen, or is the default.</summary>
    public required bool IsUploadConcurrencyGiven { get; init; }

    public required long DownloadPartSizeBytes { get; init; }

    /// <summary>Whether <see cref="DownloadPartSizeBytes"/> was chosen, or is the default.</summary>
    public required bool IsDownloadPartSizeGiven { get; init; }

    public required long UploadPartSizeBytes { get; init; }

    /// <summary>Whether <see cref="UploadPartSizeBytes"/> was configured; otherwise, it is the default.</summary>
    public required bool IsUploadPartSizeGiven { get; init; }

    public required long MultipartThresholdBytes { get; init; }

    public required int MaxUploadParts { get; init; }

    public required bool EqualUploadParts { get; init; }

    /// <summary>Buffers for all transfers together, in whole chunks, which is how they are taken: what is no larger than this fits into it.</summary>
    public required long MemoryBytes { get; init; }

    public required int ChunkSizeBytes { get; init; }

    public required int MaxAttempts { get; init; }

    /// <summary>The limits of all transfers of the client together.</summary>
    public required RateLimit? RateLimit { get; init; }

    /// <summary>Whether the number of connections to the store is limited.</summary>
    public required bool HasConnectionLimit { get; init; }

    public required WireSettings Wire { get; init; }

    public required TimeSpan StallTimeout { get; init; }

    public required TimeSpan ProgressInterval { get; init; }

    public required bool HedgeRequests { get; init; }

    /// <summary>Where journals are kept that are not beside a file; null where there is no place for them.</summary>
    public required string? StateDirectory { get; init; }

    public required ArrayPool<byte>? ArrayPool { get; init; }

    public required TransferEvents? Events { get; init; }

    public required Action<RequestTiming>? RequestObserver { get; init; }

    public required TransferMeter Meter { get; init; }

    public required ILoggerFactory LoggerFactory { get; init; }

    public required TimeProvider TimeProvider { get; init; }

    /// <summary>What was taken from the environment: variables and their values.</summary>
    public required IReadOnlyList<(string Variable, string Value)> FromEnvironment { get; init; }

    /// <param name="options">The options.</param>
    /// <param name="maxConnections">How many connections there may be to the store; null where there is no limit.</param>
    /// <param name="mostOpenFiles">How many files and sockets the process can have open; null for what the system says.</param>
    public static ClientSettings From(TransferClientOptions options, int? maxConnections = null, long? mostOpenFiles = null)
    {
        ArgumentNullException.ThrowIfNull(options.TimeProvider);
        ArgumentNullException.ThrowIfNull(options.EnvironmentVariables);
        EnvironmentSettings environment = new(options.EnvironmentVariables);
        int? concurrency = options.Concurrency ?? environment.Number("TRANSFER_CONCURRENCY", 1, TransferDefaults.MaxConcurrency);
        long memory = OptionGuard.Size(
            nameof(options.MemoryBytes),
            options.MemoryBytes ?? environment.Size("TRANSFER_MEMORY", TransferDefaults.MinMemoryBytes, TransferDefaults.MaxMemoryBytes) ?? DefaultMemory(),
            TransferDefaults.MinMemoryBytes,
            TransferDefaults.MaxMemoryBytes);
        int chunk = (int)OptionGuard.Size(
            nameof(options.ChunkSizeBytes), options.ChunkSizeBytes, TransferDefaults.MinChunkSizeBytes, TransferDefaults.MaxChunkSizeBytes);
        memory = Math.Max(1, memory / chunk) * chunk;

        // More requests than connections would wait for one with their stall guard running, and be given up although the store is not silent.
        int connections = Math.Max(1, maxConnections ?? int.MaxValue);
        int most = TransferDefaults.MostConcurrencyWith(mostOpenFiles ?? (OperatingSystem.IsLinux() ? Libc.MostOpenFiles : null));

        // If nobody has chosen, memory holds two parts, or one at least.
        long? uploadPart = options.UploadPartSizeBytes
            ?? environment.Size("TRANSFER_UPLOAD_PART_SIZE", TransferDefaults.MinUploadPartSizeBytes, TransferDefaults.MaxPartSizeBytes);
        long? downloadPart = options.DownloadPartSizeBytes
            ?? environment.Size("TRANSFER_DOWNLOAD_PART_SIZE", TransferDefaults.MinDownloadPartSizeBytes, TransferDefaults.MaxPartSizeBytes);
        int? uploadConcurrency = options.UploadConcurrency ?? environment.Number("TRANSFER_UPLOAD_CONCURRENCY", 1, TransferDefaults.MaxConcurrency);
        long defaultPart = Math.Clamp(memory / 2 / chunk * chunk, TransferDefaults.MinUploadPartSizeBytes, TransferDefaults.PartSizeBytes);
        return new ClientSettings
        {
            Concurrency = Math.Min(
                connections, OptionGuard.Number(nameof(options.Concurrency), concurrency ?? most, 1, TransferDefaults.MaxConcurrency)),
            IsConcurrencyGiven = concurrency is not null,
            UploadConcurrency = OptionGuard.Number(
                nameof(options.UploadConcurrency),
                uploadConcurrency ?? Math.Min(connections, concurrency ?? most),
                1,
                TransferDefaults.MaxConcurrency),
            IsUploadConcurrencyGiven = (uploadConcurrency ?? concurrency) is not null,
            DownloadPartSizeBytes = DownloadPartSize(nameof(options.DownloadPartSizeBytes), downloadPart ?? TransferDefaults.PartSizeBytes),
            IsDownloadPartSizeGiven = downloadPart is not null,
            UploadPartSizeBytes = UploadPartSize(nameof(options.UploadPartSizeBytes), uploadPart ?? defaultPart),
            IsUploadPartSizeGiven = uploadPart is not null,
            MultipartThresholdBytes = Threshold(nameof(options.MultipartThresholdBytes), options.MultipartThresholdBytes ?? defaultPart),
            MaxUploadParts = OptionGuard.Number(nameof(options.MaxUploadParts), options.MaxUploadParts, 1, TransferDefaults.MaxParts),
            EqualUploadParts = options.EqualUploadParts,
            MemoryBytes = memory,
            ChunkSizeBytes = chunk,
            RateLimit = options.RateLimit ?? environment.RateLimit("TRANSFER_LIMIT_RATE", options.TimeProvider),
            HasConnectionLimit = maxConnections is not null,
            MaxAttempts = OptionGuard.Number(nameof(options.MaxAttempts), options.MaxAttempts, 1, TransferDefaults.MaxMaxAttempts),
            Wire = new WireSettings(
                OptionGuard.Choice(nameof(options.Wire), options.Wire),
                OptionGuard.Choice(nameof(options.PayloadSigning), options.PayloadSigning),
                options.ExpectContinue,
                options.TimeProvider)
            {
                Logger = (options.LoggerFactory ?? NullLoggerFactory.Instance).CreateLogger("Transfer"),
                ListObjectsV1 = options.ListObjectsV1,
            },
            StallTimeout = OptionGuard.Time(nameof(options.StallTimeout), options.StallTimeout, TransferDefaults.MinStallTimeout, TransferDefaults.MaxStallTimeout),
            ProgressInterval = OptionGuard.Time(
                nameof(options.ProgressInterval), options.ProgressInterval, TransferDefaults.MinProgressInterval, TransferDefaults.MaxProgressInterval),
            HedgeRequests = options.HedgeRequests,
            StateDirectory = options.StateDirectory switch
            {
                null => Scheduling.StateDirectory.Default(options.EnvironmentVariables),
                "" => null,
                { } path => Path.GetFullPath(path),
            },
            ArrayPool = options.ArrayPool,
            Events = options.Events,
            RequestObserver = options.RequestObserver,
            Meter = TransferMeter.Of(options.MeterFactory),
            LoggerFactory = options.LoggerFactory ?? NullLoggerFactory.Instance,
            TimeProvider = options.TimeProvider,
            FromEnvironment = environment.Taken,
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
