using System.Globalization;
using static Transfer.S3.Configuration.ClientOptionParser;
using static Transfer.S3.Requests.TransferDefaults;

namespace Transfer.S3.Configuration;

/// <summary>
/// Lists every option of a client that text can set. Configuration sections are read by this list, the log message at start is written from it, and the table in
/// <c>docs/configuration.md</c> is generated from it.
/// </summary>
internal static class ClientOptionTable
{
    public const string Bytes = "bytes";
    private const string Requests = "requests";

    /// <summary>The section of the options in <see cref="TransferClientOptions.Advanced"/>.</summary>
    private const string Advanced = $"{nameof(TransferClientOptions.Advanced)}:";

    private static readonly string PartDefault = $"{ByteSize.Format(PartSizeBytes)}, or half of `MemoryBytes` if that is less, but at least {ByteSize.Format(MinUploadPartSizeBytes)}";

    public static IReadOnlyList<ClientOption> All { get; } =
    [
        Create<int?>(
            nameof(TransferClientOptions.MaxConcurrency),
            "The maximum number of concurrent requests of all transfers.",
            NumberOrAuto, TryConcurrency,
            o => o.MaxConcurrency, (o, v) => o.MaxConcurrency = v,
            Requests, $"Measured, {LeastConcurrency} to {MostConcurrency}", $"1 to {MaxConcurrency}", "TRANSFER_CONCURRENCY", "--concurrency"),
        Create<int?>(
            nameof(TransferClientOptions.MaxUploadConcurrency),
            "The maximum number of concurrent parts of one upload.",
            NumberOrAuto, TryConcurrency,
            o => o.MaxUploadConcurrency, (o, v) => o.MaxUploadConcurrency = v,
            "parts", "`MaxConcurrency`", $"1 to {MaxConcurrency}", "TRANSFER_UPLOAD_CONCURRENCY"),
        Create<long>(
            nameof(TransferClientOptions.DownloadPartSizeBytes),
            "The maximum size of a range of a download.",
            Size, ByteSize.TryParse,
            o => o.DownloadPartSizeBytes, (o, v) => o.DownloadPartSizeBytes = v,
            Bytes, ByteSize.Format(PartSizeBytes), Range(MinDownloadPartSizeBytes, MaxPartSizeBytes), "TRANSFER_DOWNLOAD_PART_SIZE", "--part-size"),
        Create<long>(
            nameof(TransferClientOptions.UploadPartSizeBytes),
            "The size of a part of an upload.",
            Size, ByteSize.TryParse,
            o => o.UploadPartSizeBytes, (o, v) => o.UploadPartSizeBytes = v,
            Bytes, $"{PartDefault}; {ByteSize.Format(MinUploadPartSizeBytes)} for the first parts if the length isn't known", Range(MinUploadPartSizeBytes, MaxPartSizeBytes), "TRANSFER_UPLOAD_PART_SIZE", "--part-size"),
        Create<int>(
            Advanced + nameof(AdvancedOptions.MaxUploadParts),
            "The maximum number of parts of an upload.",
            Number, TryNumber,
            o => o.Advanced.MaxUploadParts, (o, v) => o.Advanced.MaxUploadParts = v,
            "parts", Count(MaxParts), $"1 to {Count(MaxParts)}"),
        Create<bool>(
            Advanced + nameof(AdvancedOptions.EqualUploadParts),
            "Keeps all parts of an upload the same size.",
            Flag, bool.TryParse,
            o => o.Advanced.EqualUploadParts, (o, v) => o.Advanced.EqualUploadParts = v),
        Create<long>(
            nameof(TransferClientOptions.MultipartThresholdBytes),
            "The size below which an object is uploaded with one PUT request.",
            Size, ByteSize.TryParse,
            o => o.MultipartThresholdBytes, (o, v) => o.MultipartThresholdBytes = v,
            Bytes, PartDefault, $"0 to {ByteSize.Format(MaxPutBytes)}"),
        Create<long>(
            nameof(TransferClientOptions.MemoryBytes),
            "The maximum size of all buffers.",
            Size, ByteSize.TryParse,
            o => o.MemoryBytes, (o, v) => o.MemoryBytes = v,
            Bytes, $"A quarter of the memory, at most {ByteSize.Format(MemoryBytes)}", Range(MinMemoryBytes, MaxMemoryBytes), "TRANSFER_MEMORY", "--memory"),
        Create<int>(
            Advanced + nameof(AdvancedOptions.ChunkSizeBytes),
            "The size of one buffer.",
            Size, TrySmallSize,
            o => o.Advanced.ChunkSizeBytes, (o, v) => o.Advanced.ChunkSizeBytes = v,
            Bytes, ByteSize.Format(ChunkSizeBytes), Range(MinChunkSizeBytes, MaxChunkSizeBytes)),
        new()
        {
            Name = nameof(TransferClientOptions.RateLimit),
            Summary = "The maximum transfer rates, such as `20MiB,up=5MiB`.",
            Unit = "bytes per second",
            Default = "None",
            Range = Range(MinBytesPerSecondLimit, MaxBytesPerSecondLimit),
            Variable = "TRANSFER_LIMIT_RATE",
            ToolOption = "--limit-rate",
            Accepted = RateLimit.Accepted,
            Value = o => o.RateLimit,
            TryRead = (text, o) =>
            {
                bool isLimit = RateLimit.TryParse(text, o.Advanced.TimeProvider, out RateLimit? limit);
                o.RateLimit = limit ?? o.RateLimit;
                return isLimit;
            },
        },
        Create<int>(
            nameof(TransferClientOptions.MaxAttempts),
            "The maximum number of attempts of a request that makes no progress.",
            Number, TryNumber,
            o => o.MaxAttempts, (o, v) => o.MaxAttempts = v,
            "attempts", $"{MaxAttempts}", $"1 to {MaxMaxAttempts}"),
        Create<TimeSpan>(
            nameof(TransferClientOptions.RetryFor),
            "How long requests are repeated while the store can't be reached.",
            Time, TryTime,
            o => o.RetryFor, (o, v) => o.RetryFor = v,
            "time", "0, only `MaxAttempts` counts", $"0 to {Text(MaxRetryFor)}", toolOption: "--retry-for"),
        Create<TimeSpan>(
            nameof(TransferClientOptions.StallTimeout),
            "How long a request can transfer no data.",
            Time, TryTime,
            o => o.StallTimeout, (o, v) => o.StallTimeout = v,
            "time", Text(StallTimeout), $"{Text(MinStallTimeout)} to {Text(MaxStallTimeout)}"),
        Create<bool>(
            nameof(TransferClientOptions.HedgeRequests),
            "Sends slow requests again over another connection.",
            Flag, bool.TryParse,
            o => o.HedgeRequests, (o, v) => o.HedgeRequests = v),
        Create<TransferWire>(
            Advanced + nameof(AdvancedOptions.Wire),
            "What sends the requests: the library's own connections, or the calls of the `IAmazonS3`.",
            DescribeChoices<TransferWire>(), TryName,
            o => o.Advanced.Wire, (o, v) => o.Advanced.Wire = v),
        Create<PayloadSigning>(
            Advanced + nameof(AdvancedOptions.PayloadSigning),
            "Whether the content of uploads is signed.",
            DescribeChoices<PayloadSigning>(), TryName,
            o => o.Advanced.PayloadSigning, (o, v) => o.Advanced.PayloadSigning = v),
        Create<bool>(
            Advanced + nameof(AdvancedOptions.ExpectContinue),
            "Sends `Expect: 100-continue` with every body.",
            Flag, bool.TryParse,
            o => o.Advanced.ExpectContinue, (o, v) => o.Advanced.ExpectContinue = v),
        Create<string>(
            nameof(TransferClientOptions.ExpectedBucketOwner),
            "The ID of the account that must own the buckets.",
            AccountId.Accepted, TryText,
            o => o.ExpectedBucketOwner, (o, v) => o.ExpectedBucketOwner = v,
            @default: "any account"),
        Create<TimeSpan>(
            nameof(TransferClientOptions.ProgressInterval),
            "The time between two progress updates.",
            "a time, such as 00:00:00.2", TryTime,
            o => o.ProgressInterval, (o, v) => o.ProgressInterval = v,
            "time", Text(ProgressInterval), $"{Text(MinProgressInterval)} to {Text(MaxProgressInterval)}"),
        Create<string>(
            nameof(TransferClientOptions.StateDirectory),
            "The directory for the journals of uploads. In code, an empty string turns them off.",
            "a directory", TryText,
            o => o.StateDirectory, (o, v) => o.StateDirectory = v,
            @default: "`transfer` in the user's state directory"),
    ];

    private static ClientOption Create<T>(
        string name,
        string summary,
        string accepted,
        Parser<T> parser,
        Func<TransferClientOptions, object?> get,
        Action<TransferClientOptions, T> set,
        string unit = "",
        string? @default = null,
        string? range = null,
        string? variable = null,
        string? toolOption = null)
        => new()
        {
            Name = name,
            Summary = summary,
            Unit = unit,
            Default = @default ?? GetDefault(get),
            Range = range ?? GetChoices<T>(),
            Variable = variable,
            ToolOption = toolOption,
            Accepted = accepted,
            Value = get,
            TryRead = (text, options) =>
            {
                if (!parser(text, out T value))
                {
                    return false;
                }

                set(options, value);
                return true;
            },
        };

    private static string GetDefault(Func<TransferClientOptions, object?> get) => get(new TransferClientOptions()) switch
    {
        bool flag => flag ? "`true`" : "`false`",
        { } value => $"`{value}`",
        null => throw new InvalidOperationException("An option without a default value needs a description of its default."),
    };

    private static string GetChoices<T>() => typeof(T).IsEnum ? string.Join(", ", Enum.GetNames(typeof(T)).Select(one => $"`{one}`")) : string.Empty;

    private static string DescribeChoices<T>()
        where T : struct, Enum
        => $"one of {string.Join(", ", Enum.GetNames<T>())}";

    private static string Range(long min, long max) => $"{ByteSize.Format(min)} to {ByteSize.Format(max)}";

    private static string Count(int value) => value.ToString("N0", CultureInfo.InvariantCulture);

    private static string Text(TimeSpan time) => time switch
    {
        { TotalHours: > 1 } => $"{time.TotalHours} hours",
        { TotalHours: 1 } => "1 hour",
        { TotalSeconds: >= 1 } => $"{time.TotalSeconds} s",
        _ => $"{time.TotalMilliseconds} ms",
    };
}
