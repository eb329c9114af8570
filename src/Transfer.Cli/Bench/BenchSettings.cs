using System.Globalization;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Bench;

/// <summary>The options of a benchmark, validated as far as possible without a request.</summary>
internal sealed record BenchSettings
{
    private const long MiB = 1 << 20;
    private const int DefaultRuns = 3;
    private const int MaxRuns = 1000;
    private const int DefaultHeads = 1000;
    private const long DefaultPartBytes = 8 * MiB;
    private const long MaxSmallBytes = 8 * MiB;
    private const double MaxRate = 1_000_000;
    private static readonly TimeSpan MaxDuration = TimeSpan.FromDays(1);
    private static readonly (long SizeBytes, int Count) DefaultLarge = (256 * MiB, 4);
    private static readonly (long SizeBytes, int Count) DefaultSmall = (64 << 10, 1000);

    /// <summary>Gets what to measure. Its count is null for the default of the operation.</summary>
    public required SweepPlan Sweep { get; init; }

    public required string Bucket { get; init; }

    public required string Prefix { get; init; }

    /// <summary>Gets the keys of the objects; empty for those under the prefix.</summary>
    public required IReadOnlyList<string> Keys { get; init; }

    /// <summary>Gets the objects to create; null to use existing ones.</summary>
    public required (long SizeBytes, int Count)? Generate { get; init; }

    /// <summary>Gets a value that indicates whether the user chose the part sizes, so that they must fit the objects.</summary>
    public required bool ArePartSizesGiven { get; init; }

    /// <summary>Gets the folder to download to; null to discard the content.</summary>
    public required string? OutputFolder { get; init; }

    public required long? MemoryBytes { get; init; }

    public required ChecksumAlgorithm Checksum { get; init; }

    public required bool Csv { get; init; }

    /// <summary>Gets the file of the HTML report; null for none.</summary>
    public required PageFile? Html { get; init; }

    public required BenchReport? Baseline { get; init; }

    /// <param name="operation">The first argument.</param>
    /// <param name="address">The second argument; null if it is omitted.</param>
    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options of this command.</param>
    /// <param name="transfer">The options for memory and checksum.</param>
    public static BenchSettings Resolve(string operation, string? address, OptionValues values, BenchOptions options, TransferOptions transfer)
    {
        OperationKind kind = OptionValues.Choice<OperationKind>(new GivenValue("OPERATION", operation), ["head", "get", "put", "small", "mixed"]);
        (string bucket, string prefix) = Where(address, values, options);
        IReadOnlyList<string> keys = GetKeys(values, options);
        (long, int)? generate = Objects(kind, keys.Count > 0, values, options);
        EngineKind engine = GetEngine(values, options);
        long? memory = TransferSettings.GetMemory(values, transfer);
        List<long?> partSizes = PartSizes(kind, engine, memory, values, options, out bool arePartSizesGiven);
        int? runs = values.Number(options.Runs, 1, MaxRuns);
        long? count = values.Number(options.Count, 1, int.MaxValue);
        TimeSpan? duration = values.Read<TimeSpan>(
            options.Duration, (string text, out TimeSpan time) => DurationText.TryParseWithSeconds(text, out time) && time > TimeSpan.Zero && time <= MaxDuration, "up to a day: " + DurationText.AcceptedWithSeconds);
        if (count is not null && duration is not null)
        {
            throw new UsageException($"{options.Count.Name} and {options.Duration.Name} both limit a run; specify only one of them");
        }

        string? output = values.Line(options.Output)?.Text;
        if (values.IsOn(options.Discard) && output is not null)
        {
            throw new UsageException($"{options.Discard.Name} and {options.Output.Name} contradict each other; specify only one of them");
        }

        if (output is not null && kind is OperationKind.Head or OperationKind.Put)
        {
            throw new UsageException($"{options.Output.Name} is for operations that download objects; {kind.Name} doesn't");
        }

        BenchSettings settings = new()
        {
            Sweep = new SweepPlan(
                kind,
                engine,
                Setting.Cross(partSizes, Concurrencies(values, options)),
                runs ?? DefaultRuns,
                count,
                duration,
                values.Read<double>(options.Rate, TryParseRate, "objects per second, such as 50/s or 0.5/s")),
            Bucket = bucket,
            Prefix = prefix,
            Keys = keys,
            Generate = generate,
            ArePartSizesGiven = arePartSizesGiven,
            OutputFolder = output,
            MemoryBytes = memory,
            Checksum = TransferSettings.GetChecksum(values, transfer),
            Csv = values.IsOn(options.Csv),
            Html = values.Line(options.Html) is { } page ? PageFile.At(page) : null,
            Baseline = values.Line(options.Compare) is { } file ? ReportFile.Read(file, kind.Name) : null,
        };
        if (generate is { } made)
        {
            settings.CheckParts(new StoredObject("object to be made", made.Item1));
        }

        return settings;
    }

    public static EngineKind GetEngine(OptionValues values, BenchOptions options) => values.Choice<EngineKind>(options.Engine) ?? EngineKind.Transfer;

    /// <summary>Gets what to measure, for a number of objects.</summary>
    public SweepPlan Plan(int objects)
        => Sweep with { Count = Sweep.Duration is not null ? null : Sweep.Count ?? (Sweep.Operation == OperationKind.Head ? DefaultHeads : objects) };

    /// <summary>Checks that the part sizes that the user chose aren't larger than the smallest object, because no request would have that size.</summary>
    public void CheckParts(StoredObject smallest)
    {
        foreach (Setting setting in Sweep.Settings)
        {
            if (ArePartSizesGiven && setting.PartSizeBytes > smallest.SizeBytes)
            {
                throw new UsageException(
                    $"--part-size got {ByteSize.FormatExact(setting.PartSizeBytes.Value)}, and {Printable.Text(smallest.Key)} has {ByteSize.FormatExact(smallest.SizeBytes.Value)}: a range can't be larger than the object");
            }
        }
    }

    /// <summary>Gets a warning for each combination whose concurrency the memory limit doesn't allow.</summary>
    public IEnumerable<string> MemoryWarnings()
    {
        long memory = MemoryBytes ?? DefaultMemoryBytes;

        // A download to a stream can use three eighths of the memory. An upload holds whole parts.
        long budget = Sweep.Operation.Uploads ? memory : memory / 8 * 3;
        bool isBound = Sweep.Engine == EngineKind.Transfer && (Sweep.Operation.Uploads || OutputFolder is null);
        return Sweep.Settings
            .Where(setting => isBound && setting.PartSizeBytes * setting.Concurrency > budget)
            .Select(setting => $"{setting}: {ByteSize.Format(setting.PartSizeBytes!.Value * (double)setting.Concurrency!.Value)} would be in progress, but only {ByteSize.Format(budget)} of --memory {ByteSize.Format(memory)} are available for them; there will be fewer concurrent requests");
    }

    private static (string Bucket, string Prefix) Where(string? address, OptionValues values, BenchOptions options)
    {
        Location? location = address is null ? null : Location.ParseS3(address);
        string? bucket = values.Line(options.Bucket)?.Text;
        string? prefix = values.Line(options.Prefix)?.Text;
        if (location?.Bucket.Length > 0 && bucket is not null)
        {
            throw new UsageException($"'{location}' and {options.Bucket.Name} both specify the bucket; specify only one of them");
        }

        if (location?.Key.Length > 0 && prefix is not null)
        {
            throw new UsageException($"'{location}' and {options.Prefix.Name} both specify a prefix; specify only one of them");
        }

        // Validated as in an address.
        Location where = bucket is null ? location ?? Location.ParseS3("s3://") : Location.ParseS3($"s3://{bucket}");
        return where.Bucket.Length > 0
            ? (where.Bucket, prefix ?? location?.Key ?? string.Empty)
            : throw new UsageException($"bench needs a bucket, such as transfer bench {(string.IsNullOrEmpty(address) ? "get" : "OPERATION")} s3://bucket/prefix, or {options.Bucket.Name}");
    }

    private static IReadOnlyList<string> GetKeys(OptionValues values, BenchOptions options)
    {
        IReadOnlyList<string> keys = values.Lines(options.Key);
        if (keys.Any(string.IsNullOrEmpty))
        {
            throw new UsageException($"{options.Key.Name} got ''; it accepts the key of an object");
        }

        if (values.Line(options.Keys) is not { } file)
        {
            return keys;
        }

        if (keys.Count > 0)
        {
            throw new UsageException($"{options.Key.Name} and {options.Keys.Name} both name objects; specify only one of them");
        }

        keys = OptionValues.ReadFile(file).Split(["\r\n", "\n", "\r"], StringSplitOptions.RemoveEmptyEntries);
        return keys.Count > 0 ? keys : throw new UsageException($"{file.Source} got '{Printable.Text(file.Text)}', which contains no keys; it accepts a file with one key per line");
    }

    private static (long SizeBytes, int Count)? Objects(OperationKind kind, bool hasKeys, OptionValues values, BenchOptions options)
    {
        (long SizeBytes, int Count)? given = values.Read<(long, int)>(options.Generate, GenerateText.TryParse, GenerateText.Accepted);
        if (hasKeys && (given is not null || kind is OperationKind.Put or OperationKind.Small))
        {
            throw new UsageException(given is not null
                ? $"{options.Generate.Name} creates objects, but {options.Key.Name} and {options.Keys.Name} name existing ones; specify only one of them"
                : $"{kind.Name} only uploads objects that it creates; omit {options.Key.Name} and {options.Keys.Name}");
        }

        if (kind == OperationKind.Small && given?.SizeBytes > MaxSmallBytes)
        {
            throw new UsageException($"{options.Generate.Name} got {ByteSize.FormatExact(given.Value.SizeBytes)}; for small, it accepts objects of up to {ByteSize.Format(MaxSmallBytes)}, which take one request each");
        }

        return given ?? kind switch
        {
            OperationKind.Put => DefaultLarge,
            OperationKind.Small => DefaultSmall,
            _ => null,
        };
    }

    private static List<long?> PartSizes(OperationKind kind, EngineKind engine, long? memory, OptionValues values, BenchOptions options, out bool areGiven)
    {
        GivenValue? given = values.Find(options.PartSize);
        areGiven = given is not null;
        if (!kind.HasParts)
        {
            return given is null || !values.IsOnLine(options.PartSize) ? [null] : throw new UsageException($"{options.PartSize.Name} is for get, put, and mixed; {kind.Name} takes one request for each object");
        }

        if (given is null)
        {
            return [DefaultPartBytes];
        }

        long min = kind.Uploads ? TransferSettings.MinUploadPartBytes : TransferSettings.MinDownloadPartBytes;
        string limits = $"for {kind.Name} from {ByteSize.Format(min)} to {ByteSize.Format(TransferSettings.MaxPartBytes)}{(kind.Uploads ? ", the limits of S3" : string.Empty)}";
        List<long?> sizes = [];
        foreach (string text in given.Text.Split(','))
        {
            long size = OptionValues.Convert<long>(given with { Text = text }, PartSizeText.TryParse, $"{PartSizeText.Accepted}; {limits}");
            if (size < min || size > TransferSettings.MaxPartBytes)
            {
                throw OptionValues.Wrong(given with { Text = text }, $"{PartSizeText.Accepted}; {limits}");
            }

            long held = memory ?? DefaultMemoryBytes;
            if (kind.Uploads && engine == EngineKind.Transfer && size > held)
            {
                throw OptionValues.Wrong(given with { Text = text }, $"at most {ByteSize.Format(held)}, the memory for parts; increase --memory");
            }

            sizes.Add(size);
        }

        return sizes;
    }

    /// <summary>Gets the library's default: see <see cref="TransferClientOptions.MemoryBytes"/>.</summary>
    private static long DefaultMemoryBytes => Math.Min(512 * MiB, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4);

    private static List<int?> Concurrencies(OptionValues values, BenchOptions options)
    {
        if (values.Find(options.Concurrency) is not { } given)
        {
            return [null];
        }

        string accepted = string.Create(CultureInfo.InvariantCulture, $"auto, and numbers from 1 to {TransferSettings.MaxConcurrency}, separated by commas");
        return [.. given.Text.Split(',').Select(text => OptionValues.Convert<int>(given with { Text = text.Trim() }, TransferSettings.TryParseConcurrency, accepted) is > 0 and int number ? (int?)number : null)];
    }

    private static bool TryParseRate(string text, out double rate)
    {
        string number = text.EndsWith("/s", StringComparison.OrdinalIgnoreCase) ? text[..^2] : text;
        return double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out rate) && rate is > 0 and <= MaxRate;
    }
}
