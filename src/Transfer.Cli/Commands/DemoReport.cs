using Spectre.Console;
using Transfer.Cli.Execution;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Writes the result of the demonstration: a table on a terminal, aligned text to a file or a pipe, or JSON lines.</summary>
internal static class DemoReport
{
    private const double MiB = 1 << 20;
    private static readonly string[] Titles = ["Step", "Size", "Time", "Rate", "Peak buffer", "Process memory", "Verdict"];

    public static void Write(IReadOnlyList<DemoStep> steps, Invocation invocation)
    {
        if (invocation.Output.Json)
        {
            foreach (DemoStep step in steps)
            {
                CommandRunner.WriteJson(invocation.Console.Output, ToJson(step), ToolJsonContext.Instance.DemoStepJson);
            }

            return;
        }

        if (invocation.Output.Quiet)
        {
            return;
        }

        if (invocation.Console.OutputIsTerminal)
        {
            WriteTable(steps, invocation.Console);
        }
        else
        {
            TextTable.Write(invocation.Console.Output, Titles, [.. steps.Select(Cells)], rightAligned: [false, true, true, true, true, true, false]);
        }

        if (steps.LastOrDefault(step => step.Checksum is not null)?.Checksum is { } verdict)
        {
            invocation.Console.Output.WriteLine($"Checksum: {verdict}");
        }
    }

    private static void WriteTable(IReadOnlyList<DemoStep> steps, ToolConsole console)
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
        for (int i = 0; i < Titles.Length; i++)
        {
            TableColumn column = new TableColumn(new Text(Titles[i], new Style(decoration: Decoration.Bold))).NoWrap();
            table.AddColumn(i is 0 or 6 ? column : column.RightAligned());
        }

        foreach (DemoStep step in steps)
        {
            string[] cells = Cells(step);
            Style verdict = new(step.Verdict is "verified" or "identical" ? Color.Green : Color.Yellow);
            table.AddRow([.. cells[..^1].Select(cell => new Text(cell)), new Text(cells[^1], verdict)]);
        }

        ansi.Write(table);
    }

    private static string[] Cells(DemoStep step) =>
    [
        step.Name,
        Units.Size(step.Bytes),
        Units.Duration(step.Elapsed),
        $"{Rate(step):0} MiB/s",
        step.PeakBufferBytes is { } peak ? Units.Size(peak) : "-",
        Units.Size(step.ProcessMemoryBytes),
        step.Verdict.Length > 0 ? step.Verdict : "-",
    ];

    private static double Rate(DemoStep step) => step.Elapsed > TimeSpan.Zero ? step.Bytes / MiB / step.Elapsed.TotalSeconds : 0;

    private static DemoStepJson ToJson(DemoStep step) => new(
        step.Name,
        step.Bytes,
        Math.Round(step.Elapsed.TotalSeconds, 6),
        Math.Round(Rate(step), 3),
        step.PeakBufferBytes ?? 0,
        step.ProcessMemoryBytes,
        step.Checksum is { } verdict ? ChecksumJson.Of(verdict) : ChecksumJson.None);
}
