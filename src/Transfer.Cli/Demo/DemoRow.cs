using Spectre.Console;

namespace Transfer.S3.Cli.Demo;

/// <summary>A row of the table of the demonstration.</summary>
/// <param name="Cells">The texts.</param>
/// <param name="Good">For the last cells of a row of ratios, whether each is in favor of this library; empty for other rows.</param>
internal sealed record DemoRow(string[] Cells, bool[] Good)
{
    public Style GetStyle(int cell)
    {
        int ratio = cell - (Cells.Length - Good.Length);
        return ratio < 0 || Good.Length == 0 ? Style.Plain : new Style(Good[ratio] ? Color.Green : Color.Yellow);
    }
}
