namespace Transfer.S3.Bench.Measuring;

/// <summary>The load of a run.</summary>
/// <param name="Workers">The number of concurrent objects.</param>
/// <param name="Count">The number of objects; null if <paramref name="Duration"/> limits the run.</param>
/// <param name="Duration">The time after which the run is stopped; null if the count limits it.</param>
/// <param name="ObjectsPerSecond">The rate at which objects are started; null to start each one when a worker is free.</param>
internal sealed record LoadPlan(int Workers, long? Count, TimeSpan? Duration, double? ObjectsPerSecond);
