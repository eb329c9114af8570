namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The measured contender of a row.</summary>
/// <param name="Name">The name in the table.</param>
/// <param name="Contender">The contender.</param>
/// <param name="Build">The build that is measured; null for this one.</param>
/// <param name="Baseline">The row to compare with; null for the row itself.</param>
internal sealed record ComparisonRow(string Name, Contender Contender, string? Build, ComparisonRow? Baseline)
{
    public List<Measurement> Measurements { get; } = [];

    /// <summary>
    /// Compares the contenders with the first one. If there is another build, each except the first is compared with itself in that build.
    /// </summary>
    /// <param name="contest">The contest.</param>
    /// <param name="contenders">The text that the names of the contenders except the first must contain.</param>
    /// <param name="build">The other build; null if there is none.</param>
    /// <param name="hasTls">Whether the server requires TLS.</param>
    public static IReadOnlyList<ComparisonRow> Create(Contest contest, string contenders, string? build, bool hasTls)
    {
        List<ComparisonRow> rows = [];
        IEnumerable<Contender> others = contest.Contenders.Skip(1).Where(one => one.Name.Contains(contenders, StringComparison.OrdinalIgnoreCase) && !(one.NeedsHttp && hasTls));
        foreach (Contender contender in build is null ? others.Prepend(contest.Contenders[0]) : others)
        {
            ComparisonRow? baseline = rows.FirstOrDefault();
            if (build is not null)
            {
                baseline = new ComparisonRow($"{contender.Name}, other build", contender, build, null);
                rows.Add(baseline);
            }

            rows.Add(new ComparisonRow(contender.Name, contender, null, baseline));
        }

        return rows;
    }
}
