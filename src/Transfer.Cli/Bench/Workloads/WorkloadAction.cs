namespace Transfer.S3.Cli.Bench.Workloads;

/// <summary>Specifies what a task does.</summary>
internal enum WorkloadAction
{
    Upload,
    Download,
}
