namespace Transfer.S3.Bench.Demo;

/// <summary>One measurement of the demonstration: a line of --json.</summary>
internal sealed record DemoMeasurementJson(
    string Operation, string Library, long Bytes, double Seconds, double MibPerSecond, double CpuSeconds, long PeakMemoryBytes, string Verified);
