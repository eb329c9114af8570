namespace Transfer.Cli.Bench.Measuring;

/// <summary>
/// How late the object is that the current flow of calls works on, where objects are begun at a rate. All of its requests count from when it was due: a store that
/// stalls would otherwise be asked less, and hide its stall ("coordinated omission").
/// </summary>
internal static class Lateness
{
    private static readonly AsyncLocal<TimeSpan> Current = new();

    public static TimeSpan Value
    {
        get => Current.Value;
        set => Current.Value = value;
    }
}
