using System.Globalization;

namespace Transfer.Benchmarks.Compare;

/// <summary>A number that a contest shows beside those that all contests show.</summary>
/// <param name="Name">As the table shows it.</param>
/// <param name="Value">Computes it; NaN if a measurement doesn't have it.</param>
/// <param name="Format">How it is written.</param>
internal sealed record Figure(string Name, Func<Measurement, double> Value, string Format)
{
    /// <summary>Whether the ratio to the fastest reference of the contest is shown instead: see <see cref="Contender.IsReference"/>.</summary>
    public bool IsRelative { get; init; }

    public string Write(double value)
        => double.IsNaN(value) ? "–" : double.IsInfinity(value) ? "never" : value.ToString(Format, CultureInfo.InvariantCulture);
}
