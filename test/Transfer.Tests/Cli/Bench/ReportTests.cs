using System.Text.Json;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Results;
using Transfer.S3.Cli.Bench;
using Transfer.S3.Cli.Bench.Display;
using Transfer.S3.Cli.Options;
using static Transfer.S3.Tests.Bench.Results;

namespace Transfer.S3.Tests.Cli.Bench;

public sealed class ReportTests
{
    [Fact]
    public void Knee_IsTheSmallestConcurrencyWithinFivePercentOfTheBest()
    {
        BenchReport report = Report(Setting(8 * MiB, 1, 500), Setting(8 * MiB, 4, 951), Setting(16 * MiB, 4, 960), Setting(16 * MiB, 16, 1000));

        Assert.Equal([false, false, false, true], report.Settings.Select(setting => setting.Best));
        Assert.Equal([false, false, true, false], report.Settings.Select(setting => setting.Knee));
        Assert.Equal(new BenchKnee(16 * MiB, 4), report.Knee);
        Assert.Equal("--part-size 16MiB --concurrency 4", report.Advice);
    }

    [Fact]
    public void Knee_NoOtherWithinFivePercent_IsTheBest()
    {
        BenchReport report = Report(Setting(8 * MiB, 4, 949), Setting(8 * MiB, 16, 1000));
        Assert.Equal(16, report.Knee!.Concurrency);
    }

    [Fact]
    public void Knee_Auto_CountsAsMoreThanAnyNumber()
    {
        Assert.Equal("--part-size 8MB --concurrency 64", Report(Setting(8_000_000, null, 1000), Setting(8_000_000, 64, 990)).Advice);
        Assert.Equal("--part-size 8MB --concurrency auto", Report(Setting(8_000_000, null, 1000), Setting(8_000_000, 64, 90)).Advice);
    }

    [Fact]
    public void Knee_NoBytesTransferred_IsByRequests()
    {
        BenchReport report = Report(
            OperationKind.Head,
            null,
            Setting(null, 1, 0) with { Runs = [Run(0, requests: 10)] },
            Setting(null, 8, 0) with { Runs = [Run(0, requests: 100)] });
        Assert.EachEqual((Metrics.Requests, "--concurrency 8"), (report.Metric, report.Advice));
    }

    [Fact]
    public void Knee_InterruptedSetting_IsRankedOnlyWithoutCompleteOnes()
    {
        Assert.Equal(1, Report(Setting(8 * MiB, 1, 100), Setting(8 * MiB, 4) with { Runs = [Run(900, isComplete: false)] }).Knee!.Concurrency);
        Assert.Equal(4, Report(Setting(8 * MiB, 4) with { Runs = [Run(900, isComplete: false)] }).Knee!.Concurrency);
        Assert.EachEqual(((BenchKnee?)null, null), (Report().Knee, Report().Advice));
    }

    [Fact]
    public void Knee_NoTransferSucceeded_IsNull()
    {
        BenchReport report = Report(Setting(8 * MiB, 1, 0), Setting(8 * MiB, 4, 0));
        using StringWriter text = new();
        TextReport.WriteEnd(text, report);

        Assert.EachEqual(((BenchKnee?)null, null), (report.Knee, report.Advice));
        Assert.DoesNotContain(report.Settings, setting => setting.Best || setting.Knee);
        Assert.Contains("No transfer succeeded, so there are no settings to recommend.", text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Setting_HasTheMeanOfCompleteRunsAndTheTotalOfAll()
    {
        SettingResult setting = Assert.Single(Report(Setting(8 * MiB, 4) with { Runs = [Run(100), Run(300), Run(10, isComplete: false)] }).Settings);

        Assert.EachEqual((200, 100, 300), (setting.ThroughputMibPerSecond, setting.ThroughputMinMibPerSecond, setting.ThroughputMaxMibPerSecond));
        Assert.Equal(200 * MiB * 8 / 1e9, setting.ThroughputGigabitsPerSecond, 6);
        Assert.EachEqual((3, 3, 3L, 30L, 300L), (setting.Runs.Count, setting.Seconds, setting.Retries, setting.Requests[0].Count, setting.PeakMemoryBytes));
        Assert.Equal(1.5 / (410 / 1024.0), setting.CpuSecondsPerGib!.Value, 4);
        Assert.EachEqual((25.0, false), (setting.CpuUsedPercent, setting.CpuSaturated));
    }

    [Fact]
    public void Client_ProcessorsWereBusy_ReportSaysSo()
    {
        BenchReport report = Report(Setting(8 * MiB, 4, 100), Setting(8 * MiB, 8) with { Runs = [Run(200, cpuSeconds: 1.9)] });
        using StringWriter text = new();
        TextReport.WriteEnd(text, report);

        Assert.True(report.Client.CpuSaturated);
        Assert.Contains("This machine limited --part-size 8MiB --concurrency 8: its 2 cores were busy", text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Json_HasTheNamesOfTheContract()
    {
        using JsonDocument json = JsonDocument.Parse(JsonSerializer.Serialize(Report(Setting(8 * MiB, 4, 100)), BenchJsonContext.Instance.BenchReport));
        JsonElement root = json.RootElement;

        Assert.Equal(
            ["version", "operation", "engine", "started_at", "tool_version", "store", "objects", "client", "metric", "paced_objects_per_second", "latency_precision_percent",
                "settings", "knee", "advice", "comparison", "interrupted", "errors"],
            root.EnumerateObject().Select(one => one.Name));
        Assert.EachEqual((1, "get"), (root.GetProperty("version").GetInt32(), root.GetProperty("operation").GetString()));
        JsonElement setting = root.GetProperty("settings")[0];
        Assert.Equal(
            ["part_size_bytes", "concurrency", "workers", "runs", "throughput_mib_per_second", "throughput_min_mib_per_second", "throughput_max_mib_per_second",
                "throughput_gigabits_per_second", "requests_per_second", "requests_min_per_second", "requests_max_per_second", "objects_per_second", "seconds", "first_byte_ms",
                "latency_ms", "requests", "retries", "errors", "cpu_seconds_per_gib", "cpu_used_percent", "cpu_saturated", "peak_memory_bytes", "best", "knee"],
            setting.EnumerateObject().Select(one => one.Name));
        Assert.Equal(["min", "mean", "p50", "p90", "p95", "p99", "p999", "max"], setting.GetProperty("latency_ms").EnumerateObject().Select(one => one.Name));
        Assert.Equal(
            ["run", "complete", "seconds", "bytes", "objects", "requests", "throughput_mib_per_second", "requests_per_second", "first_byte_ms", "latency_ms", "retries", "errors",
                "cpu_seconds", "cpu_used_percent", "peak_memory_bytes", "samples"],
            setting.GetProperty("runs")[0].EnumerateObject().Select(one => one.Name));
        Assert.Equal(["seconds", "throughput_mib_per_second", "requests_per_second"], setting.GetProperty("runs")[0].GetProperty("samples")[0].EnumerateObject().Select(one => one.Name));
    }

    [Fact]
    public void Json_EveryName_IsInTheDocumentation()
    {
        string document = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "bench-json.md"));
        using JsonDocument json = JsonDocument.Parse(JsonSerializer.Serialize(
            Report(OperationKind.Get, Report(Setting(8 * MiB, 4, 100, 101)), Setting(8 * MiB, 4, 100, 101)), BenchJsonContext.Instance.BenchReport));
        HashSet<string> names = [];
        Collect(json.RootElement);

        Assert.True(names.Count > 60);
        Assert.All(names, name => Assert.Contains($"`{name}`", document, StringComparison.Ordinal));

        void Collect(JsonElement element)
        {
            foreach (JsonProperty property in element.ValueKind == JsonValueKind.Object ? element.EnumerateObject().ToArray() : [])
            {
                names.Add(property.Name);
                Collect(property.Value);
            }

            foreach (JsonElement item in element.ValueKind == JsonValueKind.Array ? element.EnumerateArray().ToArray() : [])
            {
                Collect(item);
            }
        }
    }

    [Theory]
    [InlineData(new double[] { 100, 101, 102 }, new double[] { 120, 121, 122 }, SettingComparison.Better)]
    [InlineData(new double[] { 120, 121, 122 }, new double[] { 100, 101, 102 }, SettingComparison.Worse)]
    [InlineData(new double[] { 100, 150, 120 }, new double[] { 130, 110, 145 }, SettingComparison.Noise)]
    [InlineData(new double[] { 100, 100 }, new double[] { 100, 100 }, SettingComparison.Noise)]
    [InlineData(new double[] { 100 }, new double[] { 500, 501 }, SettingComparison.Unknown)]
    [InlineData(new double[] { 500, 501 }, new double[] { 100 }, SettingComparison.Unknown)]
    public void Comparison_UsesTheConfidenceIntervalOfTheRuns(double[] then, double[] now, string verdict)
    {
        BenchReport old = Parse(JsonSerializer.Serialize(Report(Setting(8 * MiB, 4, then), Setting(8 * MiB, 64, 1)), BenchJsonContext.Instance.BenchReport));
        BenchReport report = Report(OperationKind.Get, old, Setting(8 * MiB, 4, now), Setting(8 * MiB, null, 1));

        SettingComparison compared = Assert.Single(report.Comparison!.Settings);
        Assert.EachEqual((verdict, 4, verdict == SettingComparison.Unknown), (compared.Verdict, compared.Concurrency!.Value, compared.ChangeLowPercent is null));
        Assert.EachEqual((Math.Round(then.Average(), 3), Math.Round(now.Average(), 3)), (compared.BaselineRate, compared.Rate));
    }

    [Fact]
    public void WelchInterval_KnownSamples_HasTheTextbookValue()
    {
        // Degrees of freedom by Welch and Satterthwaite: 4 for two samples of three values with the same variance.
        Assert.Equal(2.776 * Math.Sqrt(2 / 3.0), WelchInterval.Margin([1, 2, 3], [4, 5, 6])!.Value, 9);
        Assert.Equal(12.706, WelchInterval.Point(1));
        Assert.Equal(4.303, WelchInterval.Point(2.99));
        Assert.Equal(2.042, WelchInterval.Point(30));
        Assert.Equal(2.042, WelchInterval.Point(39));
        Assert.Equal(2.021, WelchInterval.Point(40));
        Assert.Equal(1.980, WelchInterval.Point(1e9));
        Assert.Null(WelchInterval.Margin([1], [1, 2]));
    }

    [Theory]
    [InlineData("", "is not a result of 'transfer bench --json'")]
    [InlineData("{}", "is not a result of 'transfer bench --json'")]
    [InlineData("[1]", "is not a result of 'transfer bench --json'")]
    [InlineData("{\"version\":2}", "has version 2; this tool reads version 1")]
    public void Parse_SomethingElse_IsRejected(string text, string expected)
        => Assert.Contains(expected, Assert.Throws<UsageException>(() => Parse(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void Parse_AnotherOperation_IsRejected()
    {
        string text = JsonSerializer.Serialize(Report(OperationKind.Put, null, Setting(8 * MiB, 4, 1)), BenchJsonContext.Instance.BenchReport);
        Assert.Contains("is a result of put; it accepts a result of get", Assert.Throws<UsageException>(() => Parse(text)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Csv_HasALineForEachSetting()
    {
        using StringWriter text = new();
        CsvReport.Write(Report(Setting(8 * MiB, 4, 100, 300), Setting(8 * MiB, null, 50)), text);

        string[][] rows = [.. text.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(','))];
        Assert.Equal(3, rows.Length);
        Assert.All(rows, row => Assert.Equal(rows[0].Length, row.Length));
        Dictionary<string, string> first = rows[0].Zip(rows[1]).ToDictionary(pair => pair.First, pair => pair.Second);
        Assert.Equal(
            ("get", "8388608", "4", "2", "200", "true"),
            (first["operation"], first["part_size_bytes"], first["concurrency"], first["runs"], first["throughput_mib_per_second"], first["best"]));
        Assert.Equal("auto", rows[0].Zip(rows[2]).Single(pair => pair.First == "concurrency").Second);
    }

    [Fact]
    public void Text_EndsWithTheTableAndTheRecommendation()
    {
        using StringWriter text = new();
        TextReport.WriteEnd(text, Report(Setting(8 * MiB, 4, 100, 300), Setting(8 * MiB, 16, 204, 204)));

        string[] lines = text.ToString().Split(Environment.NewLine);
        Assert.Equal("Part  Concurrency  Runs  min MiB/s  mean MiB/s  max MiB/s  P50 ms  P99 ms  Errors", lines[1]);
        Assert.Equal("8MiB            4     2        100         200        300    5.00    9.99       0  knee", lines[2]);
        Assert.Equal("8MiB           16     2        204         204        204    5.00    9.99       0  best", lines[3]);
        Assert.Equal("Use --part-size 8MiB --concurrency 4: the lowest concurrency within 5% of the best", lines[5]);
    }

    private static BenchReport Parse(string text) => ReportFile.Parse("--compare got 'old.json', which", text, "get");
}
