using Transfer.Cli.Bench.Measuring;
using Transfer.Cli.Bench.Operations;

namespace Transfer.Cli.Bench.Sweep;

/// <summary>What is to be measured.</summary>
/// <param name="Operation">What is done.</param>
/// <param name="Engine">With what.</param>
/// <param name="Settings">With which settings.</param>
/// <param name="Runs">How often each.</param>
/// <param name="Count">Objects of a run; null where <paramref name="Duration"/> ends it. A run has at least one for each worker.</param>
/// <param name="Duration">How long a run takes; null where the count ends it.</param>
/// <param name="ObjectsPerSecond">How many objects are begun a second; null for as many as can be.</param>
internal sealed record SweepPlan(
    OperationKind Operation, EngineKind Engine, IReadOnlyList<Setting> Settings, int Runs, long? Count, TimeSpan? Duration, double? ObjectsPerSecond)
{
    public LoadPlan Load(int workers) => new(workers, Count is { } count ? Math.Max(count, workers) : null, Duration, ObjectsPerSecond);
}
