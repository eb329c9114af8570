using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Text;
using Transfer.S3.Bench.Workloads;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Bench.Workloads;

/// <summary>The options of <c>transfer bench --workload</c>, validated as far as possible without a request.</summary>
internal sealed record WorkloadSettings
{
    public required WorkloadFile File { get; init; }

    public required string Bucket { get; init; }

    public required EngineKind Engine { get; init; }

    /// <summary>Gets the limits of this library's client.</summary>
    public required ClientLimits Limits { get; init; }

    /// <summary>Gets the checksum of uploads with this library; none to verify nothing.</summary>
    public required ChecksumAlgorithm Checksum { get; init; }

    /// <summary>Gets a value that indicates whether objects and files that the workload needs are created.</summary>
    public required bool Prepare { get; init; }

    /// <param name="file">The file of the workload.</param>
    /// <param name="arguments">The arguments. Only the address of the bucket can be among them.</param>
    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options of this command.</param>
    /// <param name="transfer">The options for memory and checksum.</param>
    public static WorkloadSettings Resolve(GivenValue file, IReadOnlyList<string> arguments, OptionValues values, BenchOptions options, TransferOptions transfer)
    {
        string bucket = GetBucket(arguments, values, options);
        EngineKind engine = BenchSettings.GetEngine(values, options);
        WorkloadFile workload = WorkloadParser.Read(file);
        bool isOwn = engine == EngineKind.Transfer;
        return new WorkloadSettings
        {
            File = workload,
            Bucket = bucket,
            Engine = engine,
            Limits = isOwn ? GetLimits(workload, values, options, transfer) : new ClientLimits(),
            Checksum = isOwn ? GetChecksum(workload, values, transfer) : workload.Checksum ?? ChecksumAlgorithm.Auto,
            Prepare = values.IsOn(options.Prepare),
        };
    }

    private static string GetBucket(IReadOnlyList<string> arguments, OptionValues values, BenchOptions options)
    {
        string? name = values.Line(options.Bucket)?.Text;
        if (arguments.FirstOrDefault(argument => !argument.StartsWith("s3://", StringComparison.OrdinalIgnoreCase)) is { } operation)
        {
            throw new UsageException($"{options.Workload.Name} says what is transferred; omit '{Printable.Text(operation)}', and specify s3://bucket");
        }

        if (arguments.Count + (name is null ? 0 : 1) != 1)
        {
            throw new UsageException($"{options.Workload.Name} needs one bucket, such as transfer bench {options.Workload.Name} FILE.run.json s3://bucket");
        }

        Location where = Location.ParseS3(arguments is [{ } address] ? address : $"s3://{name}");
        return where.Bucket.Length == 0 ? throw new UsageException($"'{where}' has no bucket; specify s3://bucket")
            : where.Key.Length == 0 ? where.Bucket
            : throw new UsageException($"'{where}' has a prefix, but the keys of a workload are complete; specify s3://{where.Bucket}");
    }

    private static ClientLimits GetLimits(WorkloadFile workload, OptionValues values, BenchOptions options, TransferOptions transfer)
    {
        int? concurrency = values.Read<int>(options.Concurrency, TransferSettings.TryParseConcurrency, $"auto, or a number from 1 to {TransferSettings.MaxConcurrency}, with {options.Workload.Name}");
        long minPart = workload.Has(WorkloadAction.Upload) ? TransferSettings.MinUploadPartBytes : TransferSettings.MinDownloadPartBytes;
        long? part = values.Read<long>(
            options.PartSize,
            (string text, out long size) => PartSizeText.TryParse(text, out size) && size >= minPart && size <= TransferSettings.MaxPartBytes,
            $"one size from {ByteSize.Format(minPart)} to {ByteSize.Format(TransferSettings.MaxPartBytes)} with {options.Workload.Name}: {PartSizeText.Accepted}");
        return new ClientLimits(concurrency is 0 ? null : concurrency, part, TransferSettings.GetMemory(values, transfer));
    }

    private static ChecksumAlgorithm GetChecksum(WorkloadFile workload, OptionValues values, TransferOptions transfer)
    {
        if (workload.Checksum is { } checksum)
        {
            return values.IsOnLine(transfer.Checksum) ? throw new UsageException($"{transfer.Checksum.Name} is for workloads without a checksum; this one demands {checksum.ToString().ToUpperInvariant()}") : checksum;
        }

        return TransferSettings.GetChecksum(values, transfer);
    }
}
