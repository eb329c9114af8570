namespace Transfer.S3.Bench.Measuring;

/// <summary>
/// The delay of the current object, if objects are started at a constant rate. The latency of its requests counts from its scheduled start: otherwise, a store that
/// stalls would get fewer requests, which would hide the stall ("coordinated omission").
/// </summary>
internal static class ScheduleDelay
{
    private static readonly AsyncLocal<TimeSpan> Current = new();

    public static TimeSpan Value
    {
        get => Current.Value;
        set => Current.Value = value;
    }
}
