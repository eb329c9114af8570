namespace Transfer.Cli.Bench.Results;

/// <summary>The rate of one interval of a run.</summary>
/// <param name="Seconds">The interval's end, since the run's beginning; it begins where the one before ends.</param>
/// <param name="ThroughputMibPerSecond">Bytes that were moved in it.</param>
/// <param name="RequestsPerSecond">Requests that ended in it.</param>
internal sealed record RateSample(double Seconds, double ThroughputMibPerSecond, double RequestsPerSecond)
{
    /// <summary>The rate that settings are ranked by.</summary>
    public double RateBy(string metric) => metric == Metrics.Requests ? RequestsPerSecond : ThroughputMibPerSecond;
}
