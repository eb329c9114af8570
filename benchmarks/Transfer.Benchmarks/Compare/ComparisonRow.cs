namespace Transfer.Benchmarks.Compare;

/// <summary>What was measured of one contender.</summary>
/// <param name="Name">As the table shows it.</param>
/// <param name="Contender">The contender.</param>
/// <param name="Build">The build that it was measured of; null for this one.</param>
/// <param name="Baseline">What it is compared with; null for itself.</param>
internal sealed record ComparisonRow(string Name, Contender Contender, string? Build, ComparisonRow? Baseline)
{
    public List<Measurement> Measurements { get; } = [];

    /// <summary>Compares the contenders with the first of them or, if there is another build, each but the first with itself in that build.</summary>
    public static IReadOnlyList<ComparisonRow> Of(Contest contest, string? build)
    {
        List<ComparisonRow> rows = [];
        foreach (Contender contender in build is null ? contest.Contenders : contest.Contenders.Skip(1))
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
