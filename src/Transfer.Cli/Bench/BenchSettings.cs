using System.Globalization;
using Transfer.Cli.Bench.Operations;
using Transfer.Cli.Bench.Report;
using Transfer.Cli.Bench.Results;
using Transfer.Cli.Bench.Sweep;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Bench;

/// <summary>Everything that a line says of a benchmark: resolved, and checked as far as that goes without a request.</summary>
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

    public required OperationKind Operation { get; init; }

    public required EngineKind Engine { get; init; }

    public required string Bucket { get; init; }

    public required string Prefix { get; init; }

    /// <summary>Objects that the line names; empty for those under the prefix.</summary>
    public required IReadOnlyList<string> Keys { get; init; }

    /// <summary>Objects to make; null for those that are there.</summary>
    public required (long SizeBytes, int Count)? Generate { get; init; }

    /// <summary>Whether somebody chose the part sizes, so that they must fit.</summary>
    public required bool ArePartSizesGiven { get; init; }

    public required IReadOnlyList<Setting> Settings { get; init; }

    public required int Runs { get; init; }

    /// <summary>Null for the default of the operation.</summary>
    public required long? Count { get; init; }

    public required TimeSpan? Duration { get; init; }

    public required double? ObjectsPerSecond { get; init; }

    /// <summary>Where objects are read to; null for nowhere.</summary>
    public required string? OutputFolder { get; init; }

    public required long? MemoryBytes { get; init; }

    public required ChecksumAlgorithm Checksum { get; init; }

    public required bool Csv { get; init; }

    /// <summary>Where the result goes as a page; null for nowhere.</summary>
    public required PageFile? Html { get; init; }

    public required BenchReport? Baseline { get; init; }

    /// <param name="operation">The first argument.</param>
    /// <param name="address">The second; null where it is left out.</param>
    /// <param name="values">The line and the environment.</param>
    /// <param name="options">The options of this command.</param>
    /// <param name="transfer">Of these, memory and checksum.</param>
    public static BenchSettings Resolve(string operation, string? address, OptionValues values, BenchOptions options, TransferOptions transfer)
    {
        OperationKind kind = OptionValues.Convert<OperationKind>(new GivenValue("OPERATION", operation), TryParseOperation, "head, get, put, small or mixed");
        (string bucket, string prefix) = Where(address, values, options);
        IReadOnlyList<string> keys = KeysOf(values, options);
        (long, int)? generate = Objects(kind, keys.Count > 0, values, options);
        EngineKind engine = values.Read<EngineKind>(options.Engine, TryParseEngine, "transfer or sdk") ?? EngineKind.Transfer;
        long? memory = TransferSettings.MemoryOf(values, transfer);
        List<long?> partSizes = PartSizes(kind, engine, memory, values, options, out bool arePartSizesGiven);
        int? runs = Number(values, options.Runs, 1, MaxRuns);
        long? count = Number(values, options.Count, 1, int.MaxValue);
        TimeSpan? duration = values.Read<TimeSpan>(
            options.Duration, (string text, out TimeSpan time) => DurationText.TryParse(text, out time) && time > TimeSpan.Zero && time <= MaxDuration, "up to a day: " + DurationText.Accepted);
        if (count is not null && duration is not null)
        {
            throw new UsageException($"{options.Count.Name} and {options.Duration.Name} both end a run; give one of them");
        }

        string? output = values.Line(options.Output)?.Text;
        if (output is not null && values.IsOn(options.Discard))
        {
            throw new UsageException($"{options.Discard.Name} and {options.Output.Name} are two places to read to; give one of them");
        }

        if (output is not null && kind is OperationKind.Head or OperationKind.Put)
        {
            throw new UsageException($"{options.Output.Name} is for what reads objects; {kind.Name} does not");
        }

        BenchSettings settings = new()
        {
            Operation = kind,
            Engine = engine,
            Bucket = bucket,
            Prefix = prefix,
            Keys = keys,
            Generate = generate,
            ArePartSizesGiven = arePartSizesGiven,
            Settings = Setting.Cross(partSizes, Concurrencies(values, options)),
            Runs = runs ?? DefaultRuns,
            Count = count,
            Duration = duration,
            ObjectsPerSecond = values.Read<double>(options.Rate, TryParseRate, "objects a second, such as 50/s or 0.5/s"),
            OutputFolder = output,
            MemoryBytes = memory,
            Checksum = TransferSettings.ChecksumOf(values, transfer),
            Csv = values.IsOn(options.Csv),
            Html = values.Line(options.Html) is { } page ? PageFile.At(page) : null,
            Baseline = values.Line(options.Compare) is { } file ? ReportFile.Read(file.Source, file.Text, kind.Name) : null,
        };
        if (generate is { } made)
        {
            settings.CheckParts(new StoredObject("object to be made", made.Item1));
        }

        return settings;
    }

    /// <summary>What is to be measured, of so many objects.</summary>
    public SweepPlan Plan(int objects)
    {
        long? count = Duration is not null ? null : Count ?? (Operation == OperationKind.Head ? DefaultHeads : objects);
        return new SweepPlan(Operation, Engine, Settings, Runs, count, Duration, ObjectsPerSecond);
    }

    /// <exception cref="UsageException">A part size that somebody chose is larger than the object: no request would have that size.</exception>
    public void CheckParts(StoredObject smallest)
    {
        foreach (Setting setting in Settings)
        {
            if (ArePartSizesGiven && setting.PartSizeBytes > smallest.SizeBytes)
            {
                throw new UsageException(
                    $"--part-size got {SizeText.Exact(setting.PartSizeBytes.Value)}, and {Printable.Text(smallest.Key)} has {SizeText.Exact(smallest.SizeBytes.Value)}: a range can't be larger than the object");
            }
        }
    }

    /// <summary>Settings that the memory budget will not let have as many requests under way as they say, as a sentence each.</summary>
    public IEnumerable<string> MemoryWarnings()
    {
        long memory = MemoryBytes ?? DefaultMemoryBytes;

        // What is read in order may hold three eighths of it; a part that goes up is held as a whole.
        long budget = Operation.Uploads ? memory : memory / 8 * 3;
        bool isBound = Engine == EngineKind.Transfer && (Operation.Uploads || OutputFolder is null);
        return Settings
            .Where(setting => isBound && setting.PartSizeBytes * setting.Concurrency > budget)
            .Select(setting => $"{setting}: {Units.Size(setting.PartSizeBytes!.Value * (double)setting.Concurrency!.Value)} would be under way, and of --memory {Units.Size(memory)} there is {Units.Size(budget)} for it, so there will be fewer requests at once");
    }

    private static (string Bucket, string Prefix) Where(string? address, OptionValues values, BenchOptions options)
    {
        Location? location = address is null ? null : Location.ParseS3(address);
        string? bucket = values.Line(options.Bucket)?.Text;
        string? prefix = values.Line(options.Prefix)?.Text;
        if (location?.Bucket.Length > 0 && bucket is not null)
        {
            throw new UsageException($"'{location}' and {options.Bucket.Name} both name the bucket; give one of them");
        }

        if (location?.Key.Length > 0 && prefix is not null)
        {
            throw new UsageException($"'{location}' and {options.Prefix.Name} both give a prefix; give one of them");
        }

        // Checked as in an address.
        Location where = bucket is null ? location ?? Location.ParseS3("s3://") : Location.ParseS3($"s3://{bucket}");
        return where.Bucket.Length > 0
            ? (where.Bucket, prefix ?? location?.Key ?? string.Empty)
            : throw new UsageException($"bench needs a bucket: transfer bench {(string.IsNullOrEmpty(address) ? "get" : "OPERATION")} s3://bucket/prefix, or {options.Bucket.Name}");
    }

    private static IReadOnlyList<string> KeysOf(OptionValues values, BenchOptions options)
    {
        IReadOnlyList<string> keys = values.Lines(options.Key);
        if (keys.Any(string.IsNullOrEmpty))
        {
            throw new UsageException($"{options.Key.Name} got ''; it accepts an object's key");
        }

        if (values.Line(options.Keys) is not { } file)
        {
            return keys;
        }

        if (keys.Count > 0)
        {
            throw new UsageException($"{options.Key.Name} and {options.Keys.Name} both name objects; give one of them");
        }

        string[] lines;
        try
        {
            lines = File.ReadAllLines(file.Text);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"{file.Source} got '{Printable.Text(file.Text)}', which can't be read: {e.Message}", e);
        }

        keys = [.. lines.Where(line => line.Length > 0)];
        return keys.Count > 0 ? keys : throw new UsageException($"{file.Source} got '{Printable.Text(file.Text)}', which holds no keys; it accepts a file with a key on each line");
    }

    private static (long SizeBytes, int Count)? Objects(OperationKind kind, bool hasKeys, OptionValues values, BenchOptions options)
    {
        (long SizeBytes, int Count)? given = values.Read<(long, int)>(options.Generate, GenerateText.TryParse, GenerateText.Accepted);
        if (hasKeys && (given is not null || kind is OperationKind.Put or OperationKind.Small))
        {
            throw new UsageException(given is not null
                ? $"{options.Generate.Name} makes objects, and {options.Key.Name} and {options.Keys.Name} name some that are there; give one of them"
                : $"{kind.Name} writes objects of its own, and never to a key that is named; leave {options.Key.Name} and {options.Keys.Name} out");
        }

        if (kind == OperationKind.Small && given?.SizeBytes > MaxSmallBytes)
        {
            throw new UsageException($"{options.Generate.Name} got {SizeText.Exact(given.Value.SizeBytes)}; it accepts, for small, objects up to {Units.Size(MaxSmallBytes)}, which are one request each");
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
            return given is null || !values.IsOnLine(options.PartSize) ? [null] : throw new UsageException($"{options.PartSize.Name} is for get, put and mixed: {kind.Name} moves objects in one request each");
        }

        if (given is null)
        {
            return [DefaultPartBytes];
        }

        long min = kind.Uploads ? TransferSettings.MinUploadPartBytes : TransferSettings.MinDownloadPartBytes;
        string limits = $"for {kind.Name} from {Units.Size(min)} to {Units.Size(TransferSettings.MaxPartBytes)}{(kind.Uploads ? ", S3's limits of a part" : string.Empty)}";
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
                throw OptionValues.Wrong(given with { Text = text }, $"at most {Units.Size(held)}, the memory that there is for parts: raise --memory");
            }

            sizes.Add(size);
        }

        return sizes;
    }

    /// <summary>What the library takes where nobody says anything: see <see cref="TransferClientOptions.MemoryBytes"/>.</summary>
    private static long DefaultMemoryBytes => Math.Min(512 * MiB, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4);

    private static List<int?> Concurrencies(OptionValues values, BenchOptions options)
    {
        if (values.Find(options.Concurrency) is not { } given)
        {
            return [null];
        }

        string accepted = string.Create(CultureInfo.InvariantCulture, $"auto, and numbers from 1 to {TransferSettings.MaxConcurrency}, with commas between them");
        return [.. given.Text.Split(',').Select(text => OptionValues.Convert<int>(given with { Text = text.Trim() }, TransferSettings.TryParseConcurrency, accepted) is > 0 and int number ? (int?)number : null)];
    }

    private static int? Number(OptionValues values, System.CommandLine.Option<string?> option, int min, int max) => values.Read<int>(
        option,
        (string text, out int number) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number >= min && number <= max,
        string.Create(CultureInfo.InvariantCulture, $"a number from {min} to {max}"));

    private static bool TryParseRate(string text, out double rate)
    {
        string number = text.EndsWith("/s", StringComparison.OrdinalIgnoreCase) ? text[..^2] : text;
        return double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out rate) && rate is > 0 and <= MaxRate;
    }

    private static bool TryParseOperation(string text, out OperationKind kind)
    {
        OperationKind[] found = [.. Enum.GetValues<OperationKind>().Where(one => one.Name == text)];
        kind = found.FirstOrDefault();
        return found.Length > 0;
    }

    private static bool TryParseEngine(string text, out EngineKind engine)
    {
        (bool known, engine) = text switch
        {
            "transfer" => (true, EngineKind.Transfer),
            "sdk" => (true, EngineKind.Sdk),
            _ => (false, EngineKind.Transfer),
        };
        return known;
    }
}
