using Transfer.S3.Bench.Measuring;

namespace Transfer.S3.Bench.Sweep;

/// <summary>The runs of one setting.</summary>
/// <param name="Setting">The setting.</param>
/// <param name="Workers">The number of concurrent objects.</param>
/// <param name="Runs">The runs, in order.</param>
internal sealed record SettingMeasurement(Setting Setting, int Workers, IReadOnlyList<RunMeasurement> Runs);
