namespace Transfer.S3.Cli.Rendering;

/// <summary>Where the time of a transfer went, in seconds summed over its requests and parts.</summary>
internal sealed record TimeJson(
    double Slot,
    double Memory,
    double Reader,
    double Source,
    double Disk,
    double FirstByte,
    double Data,
    double Cpu,
    double Throttling,
    double Backoff,
    double RateLimit)
{
    public static TimeJson From(TransferTimes times) => new(
        Seconds(times.WaitingForSlot),
        Seconds(times.WaitingForMemory),
        Seconds(times.WaitingForReader),
        Seconds(times.WaitingForSource),
        Seconds(times.Disk),
        Seconds(times.FirstByte),
        Seconds(times.Data),
        Seconds(times.Processing),
        Seconds(times.ThrottlingBackoff),
        Seconds(times.Backoff),
        Seconds(times.RateLimit));

    private static double Seconds(TimeSpan time) => Math.Round(time.TotalSeconds, 6);
}
