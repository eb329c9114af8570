using System.Globalization;
using System.Text;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Formats the medians of a contest as a Markdown table.</summary>
internal static class ComparisonTable
{
    private const double MiB = 1024 * 1024;
    private const double GiB = 1024 * MiB;

    /// <summary>Creates the table.</summary>
    /// <param name="contest">The contest.</param>
    /// <param name="rows">The contenders.</param>
    public static string Format(Contest contest, IReadOnlyList<ComparisonRow> rows)
    {
        bool counts = contest.ObjectsPerRun > 1;
        StringBuilder table = new();
        table.AppendLine(counts
            ? "| | objects/s | × | CPU µs each | × | allocated KiB each | gen-2 | peak MiB | server CPU µs |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
            : "| | MiB/s | × | CPU s/GiB | × | allocated MiB/GiB | large objects MiB | gen-2 | peak MiB | server CPU s/GiB |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        foreach (ComparisonRow row in rows)
        {
            List<Measurement> own = row.Measurements;
            List<Measurement> baseline = row.Baseline?.Measurements ?? own;
            double rate = Median(own, one => Amount(one) / one.Seconds);
            double cpu = Median(own, one => one.CpuSeconds / Amount(one));
            double rateRatio = rate / Median(baseline, one => Amount(one) / one.Seconds);
            double cpuRatio = cpu / Median(baseline, one => one.CpuSeconds / Amount(one));
            double allocated = Median(own, one => one.AllocatedBytes / Amount(one));
            double server = Median(own, one => one.ServerCpuSeconds / Amount(one));
            double peak = Median(own, one => one.PeakMemoryBytes / MiB);
            double full = Median(own, one => one.FullCollections);
            double large = Median(own, one => one.LargeObjectBytes / MiB);
            table.AppendLine(counts
                ? Format($"| {row.Name} | {rate:N0} | {rateRatio:0.00} | {cpu * 1e6:N0} | {cpuRatio:0.00} | {allocated / 1024:N1} | {full:0} | {peak:N0} | {server * 1e6:N0} |")
                : Format($"| {row.Name} | {rate / MiB:N0} | {rateRatio:0.00} | {cpu * GiB:0.00} | {cpuRatio:0.00} | {allocated * GiB / MiB:N1} | {large:N1} | {full:0} | {peak:N0} | {server * GiB:0.00} |"));
        }

        if (contest.Figures.Count > 0)
        {
            AppendFigures(table, contest.Figures, rows);
        }

        return table.ToString();

        double Amount(Measurement one) => counts ? one.Objects : one.Bytes;
    }

    private static void AppendFigures(StringBuilder table, IReadOnlyList<Figure> figures, IReadOnlyList<ComparisonRow> rows)
    {
        table.AppendLine();
        table.AppendLine($"| | {string.Join(" | ", figures.Select(static one => one.Name))} |");
        table.AppendLine($"|---|{string.Concat(figures.Select(static _ => "---:|"))}");
        foreach (ComparisonRow row in rows)
        {
            table.AppendLine($"| {row.Name} | {string.Join(" | ", figures.Select(one => one.Write(Value(one, row, rows))))} |");
        }
    }

    private static double Value(Figure figure, ComparisonRow row, IReadOnlyList<ComparisonRow> rows)
    {
        double value = Median(row.Measurements, figure.Value);
        if (!figure.IsRelative)
        {
            return value;
        }

        ComparisonRow? best = rows.Where(one => one.Contender.IsReference && one.Build == row.Build).MaxBy(static one => Median(one.Measurements, static run => run.Bytes / run.Seconds));
        return best is null ? double.NaN : value / Median(best.Measurements, figure.Value);
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static double Median(List<Measurement> measurements, Func<Measurement, double> value)
    {
        double[] sorted = [.. measurements.Select(value).Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
