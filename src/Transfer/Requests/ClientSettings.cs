using System.Buffers;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Files;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>The options of a client, validated and with their defaults.</summary>
internal sealed record ClientSettings
{
    public required int MaxConcurrency { get; init; }

    /// <summary>Gets a value that indicates whether <see cref="MaxConcurrency"/> was configured; otherwise, it is the default.</summary>
    public required bool IsConcurrencyGiven { get; init; }

    /// <summary>Gets the maximum number of parts of one upload to send concurrently, unless its own options specify another.</summary>
    public required int MaxUploadConcurrency { get; init; }

    /// <summary>Gets a value that indicates whether <see cref="MaxUploadConcurrency"/> was configured; otherwise, it is the default.</summary>
    public required bool IsUploadConcurrencyGiven { get; init; }

    public required long DownloadPartSizeBytes { get; init; }

    /// <summary>Gets a value that indicates whether <see cref="DownloadPartSizeBytes"/> was configured; otherwise, it is the default.</summary>
    public required bool IsDownloadPartSizeGiven { get; init; }

    public required long UploadPartSizeBytes { get; init; }

    /// <summary>Gets a value that indicates whether <see cref="UploadPartSizeBytes"/> was configured; otherwise, it is the default.</summary>
    public required bool IsUploadPartSizeGiven { get; init; }

    public required long MultipartThresholdBytes { get; init; }

    public required int MaxUploadParts { get; init; }

    public required bool EqualUploadParts { get; init; }

    /// <summary>Gets the memory for the buffers of all transfers together, in whole chunks, because it is reserved in chunks. Data up to this size fits.</summary>
    public required long MemoryBytes { get; init; }

    public required int ChunkSizeBytes { get; init; }

    /// <summary>
    /// Gets the maximum number of objects of one call that are open as streams at the same time. Each keeps its floor, and all of them together keep at most an eighth of
    /// the memory. Streams can have a half, so each callback can open three more.
    /// </summary>
    public int MaxOpenStreams => (int)Math.Clamp(MemoryBytes / 8 / (TransferDefaults.FloorChunks * ChunkSizeBytes), 1, TransferDefaults.MaxConcurrency);

    public required int MaxAttempts { get; init; }

    /// <summary>Gets the time for which requests to a store that can't be reached are repeated.</summary>
    public required TimeSpan RetryFor { get; init; }

    /// <summary>Gets the limits of all transfers of the client together.</summary>
    public required RateLimit? RateLimit { get; init; }

    /// <summary>Gets the limit of requests, content, time, and cost.</summary>
    public required UsageLimit? Limit { get; init; }

    public required WireSettings Wire { get; init; }

    public required TimeSpan StallTimeout { get; init; }

    public required TimeSpan ProgressInterval { get; init; }

    public required bool HedgeRequests { get; init; }

    /// <summary>Gets the directory for journals that aren't in the directory of a file; null if there is none.</summary>
    public required string? StateDirectory { get; init; }

    /// <summary>Gets the full paths of the files that the program writes itself.</summary>
    public required IReadOnlyList<string> OwnFiles { get; init; }

    public required ArrayPool<byte>? ArrayPool { get; init; }

    public required TransferEvents? Events { get; init; }

    public required Action<RequestTiming>? RequestObserver { get; init; }

    public required TransferMeter Meter { get; init; }

    public required ILoggerFactory LoggerFactory { get; init; }

    public required TimeProvider TimeProvider { get; init; }

    /// <summary>Gets the environment variables that were used, and their values.</summary>
    public required IReadOnlyList<(string Variable, string Value)> FromEnvironment { get; init; }

    /// <param name="options">The options.</param>
    /// <param name="maxConnections">The maximum number of connections to the store; null if there is no limit.</param>
    /// <param name="mostOpenFiles">The maximum number of open files and sockets of the process; null for the limit of the system.</param>
    public static ClientSettings From(TransferClientOptions options, int? maxConnections = null, long? mostOpenFiles = null)
    {
        ArgumentNullException.ThrowIfNull(options.Advanced.TimeProvider);
        ArgumentNullException.ThrowIfNull(options.Advanced.EnvironmentVariables);
        options.Limit?.Check();
        EnvironmentSettings environment = new(options.Advanced.EnvironmentVariables);
        int? concurrency = options.MaxConcurrency ?? environment.Number("TRANSFER_CONCURRENCY", 1, TransferDefaults.MaxConcurrency);
        long memory = OptionGuard.Size(
            nameof(options.MemoryBytes),
            options.MemoryBytes ?? environment.Size("TRANSFER_MEMORY", TransferDefaults.MinMemoryBytes, TransferDefaults.MaxMemoryBytes) ?? DefaultMemory(),
            TransferDefaults.MinMemoryBytes,
            TransferDefaults.MaxMemoryBytes);
        int chunk = (int)OptionGuard.Size(
            nameof(options.Advanced.ChunkSizeBytes), options.Advanced.ChunkSizeBytes, TransferDefaults.MinChunkSizeBytes, TransferDefaults.MaxChunkSizeBytes);
        memory = Math.Max(1, memory / chunk) * chunk;

        // With more requests than connections, requests would wait for a connection while their stall timeout runs, and would fail although the store responds.
        int connections = Math.Max(1, maxConnections ?? int.MaxValue);
        int most = TransferDefaults.MostConcurrencyWith(mostOpenFiles ?? (OperatingSystem.IsLinux() ? Libc.MostOpenFiles : null));

        // By default, memory holds two parts, or at least one.
        long? uploadPart = options.UploadPartSizeBytes
            ?? environment.Size("TRANSFER_UPLOAD_PART_SIZE", TransferDefaults.MinUploadPartSizeBytes, TransferDefaults.MaxPartSizeBytes);
        long? downloadPart = options.DownloadPartSizeBytes
            ?? environment.Size("TRANSFER_DOWNLOAD_PART_SIZE", TransferDefaults.MinDownloadPartSizeBytes, TransferDefaults.MaxPartSizeBytes);
        int? uploadConcurrency = options.MaxUploadConcurrency ?? environment.Number("TRANSFER_UPLOAD_CONCURRENCY", 1, TransferDefaults.MaxConcurrency);
        long defaultPart = Math.Clamp(memory / 2 / chunk * chunk, TransferDefaults.MinUploadPartSizeBytes, TransferDefaults.PartSizeBytes);
        return new ClientSettings
        {
            MaxConcurrency = Math.Min(
                connections, OptionGuard.Number(nameof(options.MaxConcurrency), concurrency ?? most, 1, TransferDefaults.MaxConcurrency)),
            IsConcurrencyGiven = concurrency is not null,
            MaxUploadConcurrency = OptionGuard.Number(
                nameof(options.MaxUploadConcurrency),
                uploadConcurrency ?? Math.Min(connections, concurrency ?? most),
                1,
                TransferDefaults.MaxConcurrency),
            IsUploadConcurrencyGiven = (uploadConcurrency ?? concurrency) is not null,
            DownloadPartSizeBytes = DownloadPartSize(nameof(options.DownloadPartSizeBytes), downloadPart ?? TransferDefaults.PartSizeBytes),
            IsDownloadPartSizeGiven = downloadPart is not null,
            UploadPartSizeBytes = UploadPartSize(nameof(options.UploadPartSizeBytes), uploadPart ?? defaultPart),
            IsUploadPartSizeGiven = uploadPart is not null,
            MultipartThresholdBytes = Threshold(nameof(options.MultipartThresholdBytes), options.MultipartThresholdBytes ?? defaultPart),
            MaxUploadParts = OptionGuard.Number(nameof(options.Advanced.MaxUploadParts), options.Advanced.MaxUploadParts, 1, TransferDefaults.MaxParts),
            EqualUploadParts = options.Advanced.EqualUploadParts,
            MemoryBytes = memory,
            ChunkSizeBytes = chunk,
            RateLimit = options.RateLimit ?? environment.RateLimit("TRANSFER_LIMIT_RATE", options.Advanced.TimeProvider),
            Limit = options.Limit,
            MaxAttempts = OptionGuard.Number(nameof(options.MaxAttempts), options.MaxAttempts, 1, TransferDefaults.MaxMaxAttempts),
            RetryFor = OptionGuard.Time(nameof(options.RetryFor), options.RetryFor, TimeSpan.Zero, TransferDefaults.MaxRetryFor),
            Wire = new WireSettings(
                OptionGuard.Choice(nameof(options.Advanced.Wire), options.Advanced.Wire),
                OptionGuard.Choice(nameof(options.Advanced.PayloadSigning), options.Advanced.PayloadSigning),
                options.Advanced.ExpectContinue,
                options.Advanced.TimeProvider)
            {
                Logger = (options.LoggerFactory ?? NullLoggerFactory.Instance).CreateLogger("Transfer"),
                ListObjectsV1 = options.ListObjectsV1,
                ConfigureTls = options.ConfigureTls,
                WrapHandler = options.Advanced.WrapHandler,
                ExpectedBucketOwner = options.ExpectedBucketOwner is not { } owner ? null
                    : AccountId.IsValid(owner) ? owner
                    : throw new ArgumentException($"{nameof(options.ExpectedBucketOwner)} is '{owner}'; it must be {AccountId.Accepted}.", nameof(options)),
            },
            StallTimeout = OptionGuard.Time(nameof(options.StallTimeout), options.StallTimeout, TransferDefaults.MinStallTimeout, TransferDefaults.MaxStallTimeout),
            ProgressInterval = OptionGuard.Time(
                nameof(options.ProgressInterval), options.ProgressInterval, TransferDefaults.MinProgressInterval, TransferDefaults.MaxProgressInterval),
            HedgeRequests = options.HedgeRequests,
            StateDirectory = options.StateDirectory switch
            {
                null => Requests.StateDirectory.Default(options.Advanced.EnvironmentVariables),
                "" => null,
                { } path => Path.GetFullPath(path),
            },
            OwnFiles = [.. options.OwnFiles.Select(Path.GetFullPath)],
            ArrayPool = options.Advanced.ArrayPool,
            Events = options.Events,
            RequestObserver = options.Advanced.RequestObserver,
            Meter = TransferMeter.For(options.MeterFactory),
            LoggerFactory = options.LoggerFactory ?? NullLoggerFactory.Instance,
            TimeProvider = options.Advanced.TimeProvider,
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
