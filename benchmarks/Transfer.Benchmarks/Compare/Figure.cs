using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>A number that a contest shows in addition to those of all contests.</summary>
/// <param name="Name">The name in the table.</param>
/// <param name="Value">Computes the number; NaN if a measurement doesn't have it.</param>
/// <param name="Format">The number format.</param>
internal sealed record Figure(string Name, Func<Measurement, double> Value, string Format)
{
    /// <summary>
    /// Gets a value that indicates whether to show the ratio to the fastest reference instead; see <see cref="Contender.IsReference"/>.
    /// </summary>
    public bool IsRelative { get; init; }

    public string Write(double value)
        => double.IsNaN(value) ? "–" : double.IsInfinity(value) ? "never" : value.ToString(Format, CultureInfo.InvariantCulture);
}
