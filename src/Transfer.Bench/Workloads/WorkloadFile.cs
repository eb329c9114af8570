namespace Transfer.S3.Bench.Workloads;

/// <summary>A workload of aws-crt-s3-benchmarks: the content of its <c>.run.json</c> file.</summary>
internal sealed record WorkloadFile
{
    /// <summary>Gets the name of the file up to its first dot, as in the results of the other runners.</summary>
    public required string Name { get; init; }

    public required string Comment { get; init; }

    /// <summary>Gets a value that indicates whether uploads read files and downloads write files; otherwise, the content is only in memory.</summary>
    public required bool FilesOnDisk { get; init; }

    /// <summary>Gets the checksum that uploads must send and downloads must verify; null for the default of the client.</summary>
    public required ChecksumAlgorithm? Checksum { get; init; }

    public required int MaxRepeatCount { get; init; }

    /// <summary>Gets the time after which no other run begins.</summary>
    public required double MaxRepeatSeconds { get; init; }

    public required IReadOnlyList<WorkloadTask> Tasks { get; init; }

    /// <summary>Gets the bytes that a run transfers.</summary>
    public long BytesPerRun => (long)Tasks.Sum(task => (double)task.SizeBytes);

    public bool Has(WorkloadAction action) => Tasks.Any(task => task.Action == action);
}
