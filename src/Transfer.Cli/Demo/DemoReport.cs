using System.Globalization;
using Spectre.Console;
using Transfer.S3.Bench.Demo;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Demo;

/// <summary>Writes the result of the demonstration: a table on a terminal, aligned text to a file or a pipe, or JSON lines.</summary>
internal static class DemoReport
{
    private const string Relative = "Transfer is";

    public static void Write(IReadOnlyList<DemoMeasurement> measurements, Invocation invocation)
    {
        if (invocation.Output.Json)
        {
            foreach (DemoMeasurement measurement in measurements)
            {
                CommandRunner.WriteJson(invocation.Console.Output, measurement.ToJson(), DemoJsonContext.Default.DemoMeasurementJson);
            }

            return;
        }

        if (invocation.Output.Quiet)
        {
            return;
        }

        string[] titles = [ByteSize.Format(measurements[0].Bytes), "Library", "Verified", "Throughput", "CPU time", "Peak memory"];
        DemoRow[][] groups = [.. measurements.GroupBy(one => one.Uploads).Select(group => GetRows([.. group]))];
        if (invocation.Console.OutputIsTerminal)
        {
            WriteTable(titles, groups, invocation.Console);
        }
        else
        {
            TextTable.Write(invocation.Console.Output, titles, [.. groups.SelectMany(group => group).Select(row => row.Cells)], rightAligned: [false, false, false, true, true, true]);
        }

        invocation.Console.Output.WriteLine($"The server ran on the same {Units.Count(Environment.ProcessorCount, "processor", "processors")}. See 'transfer demo --help'.");
    }

    /// <summary>Gets the rows of one operation: the TransferUtility, this library, and how they compare.</summary>
    private static DemoRow[] GetRows(DemoMeasurement[] measurements)
    {
        DemoMeasurement sdk = measurements.Single(one => one.Engine == EngineKind.Sdk);
        DemoMeasurement own = measurements.Single(one => one.Engine == EngineKind.Transfer);
        (double Value, bool IsGood)[] ratios =
        [
            Ratio(own.MibPerSecond, sdk.MibPerSecond, moreIsGood: true),
            Ratio(own.Result.CpuSeconds, sdk.Result.CpuSeconds, moreIsGood: false),
            Ratio(own.Result.PeakMemoryBytes, sdk.Result.PeakMemoryBytes, moreIsGood: false),
        ];
        return
        [
            new([sdk.Operation, .. GetCells(sdk)], []),
            new([string.Empty, .. GetCells(own)], []),
            new([string.Empty, Relative, string.Empty, .. ratios.Select(ratio => string.Create(CultureInfo.InvariantCulture, $"x {ratio.Value:0.00}"))], [.. ratios.Select(ratio => ratio.IsGood)]),
        ];
    }

    private static (double Value, bool IsGood) Ratio(double own, double other, bool moreIsGood)
    {
        double ratio = other > 0 ? own / other : 0;
        return (ratio, moreIsGood ? ratio >= 1 : ratio <= 1);
    }

    private static string[] GetCells(DemoMeasurement one) =>
    [
        one.Library,
        one.Result.Verified,
        string.Create(CultureInfo.InvariantCulture, $"{one.MibPerSecond:N0} MiB/s"),
        string.Create(CultureInfo.InvariantCulture, $"{one.Result.CpuSeconds:0.00} s"),
        string.Create(CultureInfo.InvariantCulture, $"{one.Result.PeakMemoryBytes / (double)(1 << 20):N0} MiB"),
    ];

    private static void WriteTable(string[] titles, DemoRow[][] groups, ToolConsole console)
    {
        IAnsiConsole ansi = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(console.Output),
            Ansi = AnsiSupport.Yes,
            ColorSystem = console.OutputHasColor ? ColorSystemSupport.Detect : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
        });
        ansi.Profile.Width = console.Width;
        ansi.Profile.Capabilities.Unicode = console.IsUnicode;
        Table table = new() { Border = console.IsUnicode ? TableBorder.Rounded : TableBorder.Ascii };
        for (int i = 0; i < titles.Length; i++)
        {
            TableColumn column = new TableColumn(new Text(titles[i], new Style(decoration: Decoration.Bold))).NoWrap();
            table.AddColumn(i < 3 ? column : column.RightAligned());
        }

        foreach (DemoRow[] group in groups)
        {
            if (table.Rows.Count > 0)
            {
                table.AddEmptyRow();
            }

            foreach (DemoRow row in group)
            {
                table.AddRow([.. row.Cells.Select((cell, i) => new Text(cell, row.GetStyle(i)))]);
            }
        }

        ansi.Write(table);
    }
}
