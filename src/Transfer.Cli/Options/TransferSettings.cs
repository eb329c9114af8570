using System.CommandLine;
using System.Globalization;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of transfers. An option is read and validated when it is asked for, so that only options that a command uses count as used.</summary>
/// <param name="values">The command line and the environment.</param>
/// <param name="options">The options.</param>
/// <param name="uploads">Whether the command uploads: S3 limits the size of uploaded parts.</param>
internal sealed class TransferSettings(OptionValues values, TransferOptions options, bool uploads)
{
    private const long MiB = 1 << 20;
    public const long MinUploadPartBytes = 5 * MiB;
    public const long MinDownloadPartBytes = 64 << 10;
    public const long MaxPartBytes = 5120 * MiB;
    public const int MaxConcurrency = 1024;
    private const string AcceptedRates = $"none, or SIZE, down=SIZE, and up=SIZE, separated by commas, each at most once. SIZE is a size per second from 1 KiB to 1 TiB: {OptionValues.AcceptedSize}";
    private const long ChunkBytes = 64 * 1024;
    private const long MinMemoryBytes = MiB;
    private const long MaxMemoryBytes = MiB << 20;

    public int? Concurrency => values.Read<int>(options.Concurrency, TryParseConcurrency, $"auto, or a number from 1 to {MaxConcurrency}") is { } n and not 0 ? n : null;

    public long? PartSizeBytes => values.Size(options.PartSize, uploads ? MinUploadPartBytes : MinDownloadPartBytes, MaxPartBytes);

    public ChecksumAlgorithm Checksum => GetChecksum(values, options);

    /// <summary>Gets whether downloads are verified. They can only be verified with the checksum that the store has, so the command line can't select another one.</summary>
    public bool Verifies => Checksum switch
    {
        ChecksumAlgorithm.Auto => true,
        ChecksumAlgorithm.None => false,
        _ => values.Line(options.Checksum) is not { } given ? true : throw OptionValues.Wrong(given, "auto or none for a download, which is verified with the checksum that the store has"),
    };

    public bool NoClobber => values.IsOn(options.NoClobber);

    public bool NoResume => values.IsOn(options.NoResume);

    public bool Delta => values.IsOn(options.Delta);

    public bool DryRun => values.IsOn(options.DryRun);

    /// <summary>Gets the limits of a client that sends or receives content.</summary>
    public ClientLimits Limits
    {
        get
        {
            ClientLimits limits = WithUsage(new(Concurrency, PartSizeBytes, GetMemory(values, options), Rate));
            CheckMemory(limits);
            return limits;
        }
    }

    /// <summary>Gets the limits of a worker of a job, whose plan has the size of parts.</summary>
    public ClientLimits LimitsOfWorker => WithUsage(new(Concurrency, null, GetMemory(values, options), Rate));

    /// <summary>Gets the limits of a client whose store moves the content itself.</summary>
    public ClientLimits LimitsInsideTheStore => WithUsage(new(Concurrency, PartSizeBytes));

    /// <summary>Gets the limits of a client that only deletes.</summary>
    public ClientLimits LimitsOfDeletion => WithUsage(new(Concurrency));

    /// <summary>Gets the prices of the store; null if they aren't known.</summary>
    public StorePrices? Prices => values.Line(options.Prices) is { } file ? PriceFile.Read(file) : null;

    private RateLimit? Rate => values.Find(options.LimitRate) is { } given ? OptionValues.Convert<RateLimit?>(given, RateLimit.TryParse, AcceptedRates) : null;

    public static long? GetMemory(OptionValues values, TransferOptions options) => values.Size(options.Memory, MinMemoryBytes, MaxMemoryBytes);

    public static ChecksumAlgorithm GetChecksum(OptionValues values, TransferOptions options)
        => values.Read<ChecksumAlgorithm>(options.Checksum, ChecksumText.TryParse, ChecksumText.Accepted) ?? ChecksumAlgorithm.Auto;

    /// <summary>Parses a number, or auto as zero.</summary>
    public static bool TryParseConcurrency(string text, out int value)
    {
        value = 0;
        return text == "auto" || (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value is > 0 and <= MaxConcurrency);
    }

    /// <summary>Adds the limits of requests, content, time, and cost, and the prices.</summary>
    private ClientLimits WithUsage(ClientLimits limits)
    {
        StorePrices? prices = Prices;
        UsageLimit usage = new()
        {
            MaxRequests = Line<long>(options.MaxRequests, (string text, out long n) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out n), "a number of requests"),
            MaxBytes = Line<long>(options.MaxBytes, ByteSize.TryParse, OptionValues.AcceptedSize),
            MaxTime = Line<TimeSpan>(options.MaxTime, DurationText.TryParseWithSeconds, DurationText.AcceptedWithSeconds),
            MaxCost = Line<decimal>(
                options.MaxCost, (string text, out decimal amount) => decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out amount), "an amount, such as 2.50"),
            Prices = prices,
        };
        if (usage.MaxCost is not null && prices is null)
        {
            throw new UsageException($"{options.MaxCost.Name} needs {options.Prices.Name}, which has the prices of the store");
        }

        bool isLimited = usage is not { MaxRequests: null, MaxBytes: null, MaxTime: null, MaxCost: null };
        return limits with { Usage = isLimited ? usage : null, Prices = prices };
    }

    private T? Line<T>(Option<string?> option, OptionValues.Parser<T> parser, string accepted)
        where T : struct
        => values.Line(option) is { } given ? OptionValues.Convert(given, parser, accepted) : null;

    private void CheckMemory(ClientLimits limits)
    {
        if (!uploads || limits.MemoryBytes is not { } memory)
        {
            return;
        }

        if (limits.PartSizeBytes > memory / ChunkBytes * ChunkBytes)
        {
            throw OptionValues.Wrong(
                values.Find(options.PartSize)!, $"at most the value of {values.Find(options.Memory)!.Source}, in whole chunks of 64 KiB, because an upload holds a part in memory");
        }

        if (memory < MinUploadPartBytes)
        {
            throw OptionValues.Wrong(values.Find(options.Memory)!, "at least 5 MiB for an upload, because an upload holds a part in memory");
        }
    }
}
