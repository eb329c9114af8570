namespace Transfer.S3.Bench.Workloads;

/// <summary>The workload of a report.</summary>
/// <param name="Name">The name of the file up to its first dot.</param>
/// <param name="Comment">The comment of the file.</param>
/// <param name="Bucket">The bucket.</param>
/// <param name="FilesOnDisk">Whether the content is in files.</param>
/// <param name="Checksum">The checksum, by its S3 name; null for the default of the engine.</param>
/// <param name="MaxRepeatCount">The maximum number of runs.</param>
/// <param name="MaxRepeatSeconds">The time after which no other run begins.</param>
/// <param name="Uploads">The number of objects that a run uploads.</param>
/// <param name="Downloads">The number of objects that a run downloads.</param>
/// <param name="BytesPerRun">The bytes that a run transfers.</param>
internal sealed record WorkloadDescription(
    string Name, string Comment, string Bucket, bool FilesOnDisk, string? Checksum, int MaxRepeatCount, double MaxRepeatSeconds, int Uploads, int Downloads, long BytesPerRun)
{
    public static WorkloadDescription From(WorkloadFile file, string bucket)
    {
        int uploads = file.Tasks.Count(task => task.Action == WorkloadAction.Upload);
        return new WorkloadDescription(
            file.Name,
            file.Comment,
            bucket,
            file.FilesOnDisk,
            file.Checksum?.ToString().ToUpperInvariant(),
            file.MaxRepeatCount,
            file.MaxRepeatSeconds,
            uploads,
            file.Tasks.Count - uploads,
            file.BytesPerRun);
    }
}
