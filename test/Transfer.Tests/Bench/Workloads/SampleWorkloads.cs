using Transfer.S3.Bench.Workloads;

namespace Transfer.S3.Tests.Bench.Workloads;

/// <summary>Creates workloads.</summary>
internal static class SampleWorkloads
{
    public static WorkloadFile File(bool filesOnDisk, ChecksumAlgorithm? checksum, int maxCount, double maxSeconds, params IReadOnlyList<WorkloadTask> tasks) => new()
    {
        Name = "name",
        Comment = "comment",
        FilesOnDisk = filesOnDisk,
        Checksum = checksum,
        MaxRepeatCount = maxCount,
        MaxRepeatSeconds = maxSeconds,
        Tasks = tasks,
    };
}
