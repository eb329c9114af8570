namespace Transfer.S3.Bench.Workloads;

/// <summary>Specifies what a task does.</summary>
internal enum WorkloadAction
{
    Upload,
    Download,
}
