using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace Transfer.S3.Benchmarks.Macro;

/// <summary>The rate in MiB/s, computed from the parameter <c>MiB</c> and the mean time.</summary>
internal sealed class RateColumn : IColumn
{
    public string Id => nameof(RateColumn);

    public string ColumnName => "MiB/s";

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public string Legend => "Object size divided by mean time";

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        double? nanoseconds = summary[benchmarkCase]?.ResultStatistics?.Mean;
        return nanoseconds is { } mean && benchmarkCase.Parameters["MiB"] is int size ? (size / (mean / 1e9)).ToString("N0") : "?";
    }

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);

    public bool IsAvailable(Summary summary) => true;

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;
}
