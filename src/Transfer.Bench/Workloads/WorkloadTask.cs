namespace Transfer.S3.Bench.Workloads;

/// <summary>The transfer of one object.</summary>
/// <param name="Action">The direction.</param>
/// <param name="Key">The key of the object. If the workload has files on disk, it is also the relative path of the file.</param>
/// <param name="SizeBytes">The size of the object.</param>
internal sealed record WorkloadTask(WorkloadAction Action, string Key, long SizeBytes);
