using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Bench.Sweep;

/// <summary>What to measure.</summary>
/// <param name="Operation">The operation.</param>
/// <param name="Engine">The engine.</param>
/// <param name="Settings">The combinations of settings.</param>
/// <param name="Runs">The number of runs of each.</param>
/// <param name="Count">The number of objects of a run; null if <paramref name="Duration"/> limits it. A run has at least one for each worker.</param>
/// <param name="Duration">The duration of a run; null if the count limits it.</param>
/// <param name="ObjectsPerSecond">The rate at which objects are started; null for as many as possible.</param>
internal sealed record SweepPlan(
    OperationKind Operation, EngineKind Engine, IReadOnlyList<Setting> Settings, int Runs, long? Count, TimeSpan? Duration, double? ObjectsPerSecond)
{
    public LoadPlan Load(int workers) => new(workers, Count is { } count ? Math.Max(count, workers) : null, Duration, ObjectsPerSecond);
}
