namespace StreamingArchive;

/// <summary>A report whose lines are produced while they are read, for example from a query.</summary>
internal sealed record Report(string Name, IEnumerable<string> Lines)
{
    private const int LinesOfMonth = 100_000;

    /// <summary>Creates the reports of a year.</summary>
    /// <param name="isBroken"><see langword="true"/> if the source of the last report fails in the middle.</param>
    public static IEnumerable<Report> OfYear(bool isBroken)
        => Enumerable.Range(1, 12).Select(month => new Report($"2026-{month:00}.csv", GetLines(month, isBroken && month == 12)));

    private static IEnumerable<string> GetLines(int month, bool isBroken)
    {
        Random random = new(month);
        yield return "order,customer,cents";
        for (int order = 1; order <= LinesOfMonth; order++)
        {
            if (isBroken && order > LinesOfMonth / 2)
            {
                throw new IOException($"The connection to the database of month {month} was lost.");
            }

            yield return $"{month:00}-{order:000000},{random.Next():x8},{random.Next(1_000_000)}";
        }
    }
}
