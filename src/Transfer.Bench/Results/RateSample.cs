namespace Transfer.S3.Bench.Results;

/// <summary>The rate of one interval of a run.</summary>
/// <param name="Seconds">The end of the interval, from the start of the run. It starts at the end of the previous one.</param>
/// <param name="ThroughputMibPerSecond">The throughput in the interval.</param>
/// <param name="RequestsPerSecond">The rate of requests that ended in the interval.</param>
internal sealed record RateSample(double Seconds, double ThroughputMibPerSecond, double RequestsPerSecond)
{
    /// <summary>Gets the rate that ranks settings.</summary>
    public double RateBy(string metric) => metric == Metrics.Requests ? RequestsPerSecond : ThroughputMibPerSecond;
}
