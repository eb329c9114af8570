namespace Transfer.S3.Bench.Results;

/// <summary>The fields that rank settings.</summary>
internal static class Metrics
{
    public const string Throughput = "throughput_mib_per_second";
    public const string Requests = "requests_per_second";
}
