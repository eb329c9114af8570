namespace Transfer.Cli.Bench.Measuring;

/// <summary>How much is done in a run, and when each object is begun.</summary>
/// <param name="Workers">Objects under way at once.</param>
/// <param name="Count">Objects in all; null where <paramref name="Duration"/> ends the run.</param>
/// <param name="Duration">When the run ends, whatever is under way; null where the count alone does.</param>
/// <param name="ObjectsPerSecond">How many are begun a second; null for each as soon as a worker is free.</param>
internal sealed record LoadPlan(int Workers, long? Count, TimeSpan? Duration, double? ObjectsPerSecond);
