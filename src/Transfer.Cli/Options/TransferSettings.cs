using System.Globalization;

namespace Transfer.Cli.Options;

/// <summary>The validated options of transfers.</summary>
internal sealed record TransferSettings
{
    private const long MiB = 1 << 20;
    public const long MinUploadPartBytes = 5 * MiB;
    public const long MinDownloadPartBytes = 64 << 10;
    public const long MaxPartBytes = 5120 * MiB;
    public const int MaxConcurrency = 1024;
    private const long ChunkBytes = 64 * 1024;
    private const long MinMemoryBytes = MiB;
    private const long MaxMemoryBytes = MiB << 20;
    private static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(100);

    public int? Concurrency { get; private init; }

    public long? PartSizeBytes { get; private init; }

    public long? MemoryBytes { get; private init; }

    public RateLimits LimitRate { get; private init; }

    public ChecksumAlgorithm Checksum { get; private init; }

    public bool NoClobber { get; private init; }

    public bool NoResume { get; private init; }

    public bool DryRun { get; private init; }

    /// <summary>Creates settings from values that are already validated.</summary>
    public static TransferSettings Of(int? concurrency, long? partSizeBytes, long? memoryBytes)
        => new() { Concurrency = concurrency, PartSizeBytes = partSizeBytes, MemoryBytes = memoryBytes };

    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="uploads">Whether the command uploads: S3 limits the size of uploaded parts.</param>
    public static TransferSettings Resolve(OptionValues values, TransferOptions options, bool uploads)
    {
        TransferSettings settings = new()
        {
            Concurrency = values.Read<int>(options.Concurrency, TryParseConcurrency, $"auto, or a number from 1 to {MaxConcurrency}") is { } n and not 0 ? n : null,
            PartSizeBytes = values.Size(options.PartSize, uploads ? MinUploadPartBytes : MinDownloadPartBytes, MaxPartBytes),
            MemoryBytes = MemoryOf(values, options),
            LimitRate = values.Find(options.LimitRate) is { } rate ? RateLimitText.Parse(rate) : default,
            Checksum = ChecksumOf(values, options),
            NoClobber = values.IsOn(options.NoClobber),
            NoResume = values.IsOn(options.NoResume),
            DryRun = values.IsOn(options.DryRun),
        };
        if (uploads && settings.MemoryBytes is { } memory)
        {
            if (settings.PartSizeBytes > memory / ChunkBytes * ChunkBytes)
            {
                throw OptionValues.Wrong(
                    values.Find(options.PartSize)!, $"at most the value of {values.Find(options.Memory)!.Source}, in whole chunks of 64 KiB, because an upload holds a part in memory");
            }

            if (memory < MinUploadPartBytes)
            {
                throw OptionValues.Wrong(values.Find(options.Memory)!, "at least 5 MiB for an upload, because an upload holds a part in memory");
            }
        }

        return settings;
    }

    public static long? MemoryOf(OptionValues values, TransferOptions options) => values.Size(options.Memory, MinMemoryBytes, MaxMemoryBytes);

    public static ChecksumAlgorithm ChecksumOf(OptionValues values, TransferOptions options)
        => values.Read<ChecksumAlgorithm>(options.Checksum, TryParseChecksum, "auto, crc64nvme, crc32c, crc32, sha256, or none") ?? ChecksumAlgorithm.Auto;

    public TransferClientOptions ToClientOptions() => new()
    {
        Concurrency = Concurrency,
        DownloadPartSizeBytes = PartSizeBytes,
        UploadPartSizeBytes = PartSizeBytes is { } size ? Math.Max(size, MinUploadPartBytes) : null,
        MultipartThresholdBytes = PartSizeBytes is { } threshold ? Math.Max(threshold, MinUploadPartBytes) : null,
        MemoryBytes = MemoryBytes,
        RateLimit = LimitRate.ToRateLimit(),
        ProgressInterval = ProgressInterval,

        // The tool has already read the variables of its own options, and `--concurrency auto` must override them.
        EnvironmentVariables = name => name is "TRANSFER_CONCURRENCY" or "TRANSFER_MEMORY" or "TRANSFER_LIMIT_RATE" ? null : Environment.GetEnvironmentVariable(name),
    };

    /// <summary>Parses a number, or auto as zero.</summary>
    public static bool TryParseConcurrency(string text, out int value)
    {
        value = 0;
        return text == "auto" || (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value is > 0 and <= MaxConcurrency);
    }

    private static bool TryParseChecksum(string text, out ChecksumAlgorithm value)
    {
        (bool known, value) = text.ToUpperInvariant() switch
        {
            "AUTO" => (true, ChecksumAlgorithm.Auto),
            "CRC64NVME" => (true, ChecksumAlgorithm.Crc64Nvme),
            "CRC32C" => (true, ChecksumAlgorithm.Crc32C),
            "CRC32" => (true, ChecksumAlgorithm.Crc32),
            "SHA256" => (true, ChecksumAlgorithm.Sha256),
            "NONE" => (true, ChecksumAlgorithm.None),
            _ => (false, ChecksumAlgorithm.Auto),
        };
        return known;
    }
}
