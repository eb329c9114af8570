using System.Globalization;

namespace Transfer.S3.Benchmarks.Chart;

/// <summary>The tables that <c>compare</c> printed, and the lines above the first one, such as "Machine: ...".</summary>
internal sealed class ComparisonFigures
{
    private const string Heading = "### ";
    private readonly Dictionary<string, string> _facts = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Table, string Contender, string Column), double> _values = [];

    /// <summary>Reads the output of one or more runs of <c>compare</c>.</summary>
    /// <param name="lines">The lines of the output.</param>
    /// <returns>The figures.</returns>
    public static ComparisonFigures Parse(IEnumerable<string> lines)
    {
        ComparisonFigures figures = new();
        string? table = null;
        string[]? columns = null;
        foreach (string line in lines)
        {
            if (line.StartsWith(Heading, StringComparison.Ordinal))
            {
                // For "read, 2048 MiB, Nginx, 5 rounds", the table is named without the number of rounds.
                table = line[Heading.Length..line.LastIndexOf(',')];
                columns = null;
            }
            else if (table is null)
            {
                figures.AddFact(line);
            }
            else if (line.StartsWith('|'))
            {
                string[] cells = [.. line.Trim('|').Split('|').Select(static cell => cell.Trim())];
                columns ??= cells;
                figures.AddRow(table, columns, cells);
            }
            else
            {
                columns = null; // a contest can have a second table, with columns of its own
            }
        }

        return figures;
    }

    /// <summary>Gets a line above the first table; empty if there is none.</summary>
    /// <param name="name">The text before the colon.</param>
    /// <returns>The text after the colon.</returns>
    public string Fact(string name) => _facts.GetValueOrDefault(name, string.Empty);

    /// <summary>Gets a number of a table.</summary>
    /// <param name="table">The heading without the rounds, such as "read, 2048 MiB, Nginx".</param>
    /// <param name="contender">The row.</param>
    /// <param name="column">The column.</param>
    /// <returns>The number.</returns>
    /// <exception cref="InvalidDataException">Thrown when the number is missing.</exception>
    public double Value(string table, string contender, string column) => _values.TryGetValue((table, contender, column), out double value)
        ? value
        : throw new InvalidDataException($"There is no '{column}' of '{contender}' in a table '{table}'. Run 'compare' for that contest, size, and server.");

    private void AddFact(string line)
    {
        int colon = line.IndexOf(':', StringComparison.Ordinal);
        if (colon > 0)
        {
            _facts[line[..colon]] = line[(colon + 1)..].Trim();
        }
    }

    private void AddRow(string table, string[] columns, string[] cells)
    {
        for (int i = 1; i < Math.Min(columns.Length, cells.Length); i++)
        {
            if (double.TryParse(cells[i], NumberStyles.AllowDecimalPoint | NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out double value))
            {
                _values[(table, cells[0], columns[i])] = value;
            }
        }
    }
}
