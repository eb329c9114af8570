namespace Transfer.S3.Benchmarks.Chart;

/// <summary>Draws the chart of the README from the output of <c>compare</c>: <c>chart comparison.txt comparison.svg</c>.</summary>
internal static class ChartCommand
{
    public const string Verb = "chart";

    /// <summary>Draws the chart.</summary>
    /// <param name="arguments">The file with the output of <c>compare</c>, and the file to write.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(ReadOnlyMemory<string> arguments)
    {
        if (arguments.ToArray() is not [string source, string target])
        {
            await Console.Error.WriteLineAsync($"usage: {Verb} FILE SVG, where FILE has the output of 'compare'");
            return 2;
        }

        ComparisonFigures figures = ComparisonFigures.Parse(await File.ReadAllLinesAsync(source));
        await File.WriteAllTextAsync(target, ComparisonChart.Draw(figures));
        return 0;
    }
}
