using System.Text.Json;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Workloads;

namespace Transfer.S3.Tests.Bench.Workloads;

public sealed class WorkloadReportTests
{
    private static readonly WorkloadRun[] Runs = [new(1, 4, 2, 3), new(2, 2, 4, 1), new(3, 2, 4, 1), new(4, 2, 4, 3)];

    [Fact]
    public void Line_Run_IsThatOfTheOtherRunners()
        => Assert.Equal("Run:12 Secs:8.954437 Gb/s:28.847134", WorkloadText.Line(new WorkloadRun(12, 8.9544369, 28.8471341, 1)));

    [Fact]
    public void WriteSummary_Runs_HasRatesTimesCpuAndMemory() => Assert.Equal(
        [
            "Overall Throughput (Gb/s) Median:4.000000 Mean:3.500000 Min:2.000000 Max:4.000000 Variance:0.750000 StdDev:0.866025",
            "Overall Duration (Secs) Median:2.000000 Mean:2.500000 Min:2.000000 Max:4.000000 Variance:0.750000 StdDev:0.866025",
            "Overall CPU (Secs) Median:2.000000 Mean:2.000000 Min:1.000000 Max:3.000000 Variance:1.000000 StdDev:1.000000",
            "CPU Percent:40.000000 Cores:2 Secs/GiB:2.000000", // 8 s of CPU time in 10 s, and for 4 GiB
            "Peak RSS:96.500000 MiB",
        ],
        Summary(Runs).Split('\n', StringSplitOptions.RemoveEmptyEntries));

    [Theory]
    [InlineData(new[] { 5.0 }, 5)]
    [InlineData(new[] { 9.0, 1 }, 5)]
    [InlineData(new[] { 9.0, 1, 2 }, 2)]
    [InlineData(new[] { 8.0, 1, 2, 4 }, 3)]
    public void Of_Values_MedianIsInTheMiddle(double[] values, double median) => Assert.Equal(median, WorkloadStatistics.From(values).Median);

    [Fact]
    public void WriteSummary_NoRunOrNoContent_HasNoFigureThatIsNotANumber()
    {
        Assert.Empty(Summary([]));
        string text = Summary([new WorkloadRun(1, 1, 0, 1)], sizeBytes: 0);
        Assert.Contains("CPU Percent:50.000000 Cores:2\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Json_Report_HasTheDocumentedNames()
    {
        JsonElement json = JsonSerializer.SerializeToElement(Build(Runs, 1 << 30), BenchJsonContext.Instance.WorkloadReport);

        Assert.Equal(
            [
                "version", "operation", "engine", "started_at", "tool_version", "store", "workload", "client", "runs", "throughput_gigabits_per_second", "seconds", "cpu_seconds",
                "cpu_seconds_per_gib", "cpu_used_percent", "peak_memory_bytes", "interrupted", "errors",
            ],
            Names(json));
        Assert.Equal(["name", "comment", "bucket", "files_on_disk", "checksum", "max_repeat_count", "max_repeat_seconds", "uploads", "downloads", "bytes_per_run"], Names(json.GetProperty("workload")));
        Assert.Equal(["run", "seconds", "throughput_gigabits_per_second", "cpu_seconds"], Names(json.GetProperty("runs")[0]));
        Assert.Equal(["median", "mean", "min", "max", "variance", "standard_deviation"], Names(json.GetProperty("seconds")));
        Assert.EachEqual(("workload", "sdk", "CRC32C", 1), (Text(json, "operation"), Text(json, "engine"), Text(json.GetProperty("workload"), "checksum"), json.GetProperty("workload").GetProperty("downloads").GetInt32()));
    }

    private static string[] Names(JsonElement element) => [.. element.EnumerateObject().Select(property => property.Name)];

    private static string? Text(JsonElement element, string name) => element.GetProperty(name).GetString();

    private static string Summary(WorkloadRun[] runs, long sizeBytes = 1 << 30)
    {
        using StringWriter writer = new() { NewLine = "\n" };
        WorkloadText.WriteSummary(writer, Build(runs, sizeBytes));
        return writer.ToString();
    }

    private static WorkloadReport Build(WorkloadRun[] runs, long sizeBytes) => WorkloadReportBuilder.Build(
        SampleWorkloads.File(true, ChecksumAlgorithm.Crc32C, 10, 600, new WorkloadTask(WorkloadAction.Download, "a", sizeBytes)),
        "bucket",
        EngineKind.Sdk,
        runs,
        new FakeProcess { PeakMemoryBytes = 96 * (1 << 20) + (1 << 19) },
        new BenchCircumstances(DateTimeOffset.UnixEpoch, "http://127.0.0.1:9000/", 2, null, null),
        false,
        []);
}
