using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Bench.Demo;

/// <summary>One measurement of the demonstration.</summary>
/// <param name="Engine">The library.</param>
/// <param name="Uploads">Whether it uploaded.</param>
/// <param name="Bytes">The size of the object.</param>
/// <param name="Result">What the process has measured.</param>
internal sealed record DemoMeasurement(EngineKind Engine, bool Uploads, long Bytes, ContenderResult Result)
{
    private const double MiB = 1 << 20;

    public string Operation => Uploads ? "upload" : "download";

    public string Library => GetName(Engine);

    public double MibPerSecond => Result.Seconds > 0 ? Bytes / MiB / Result.Seconds : 0;

    public static string GetName(EngineKind engine) => engine == EngineKind.Sdk ? "TransferUtility" : "Transfer";

    public DemoMeasurementJson ToJson() => new(
        Operation,
        Engine == EngineKind.Sdk ? "transfer_utility" : "transfer",
        Bytes,
        Math.Round(Result.Seconds, 6),
        Math.Round(MibPerSecond, 3),
        Math.Round(Result.CpuSeconds, 6),
        Result.PeakMemoryBytes,
        Result.Verified);
}
