using System.Globalization;

namespace Transfer.S3.Bench.Text;

/// <summary>Formats rates, times, and numbers for people.</summary>
internal static class Units
{
    private const long MinRatedBytes = 1 << 20;

    public static string Rate(double bytesPerSecond) => double.IsFinite(bytesPerSecond) ? ByteSize.Format(bytesPerSecond) + "/s" : "-";

    /// <summary>Gets the rates of a finished transfer: " (1.5 MiB/s, 200 objects/s)"; empty if it has none that says anything.</summary>
    /// <param name="bytes">The number of bytes that were transferred.</param>
    /// <param name="elapsed">The time that it took.</param>
    /// <param name="objects">The number of objects. For many small ones, objects per second say more than bytes per second.</param>
    public static string Rates(long bytes, TimeSpan elapsed, long objects = 1)
    {
        string[] rates = elapsed <= TimeSpan.Zero ? [] :
        [
            .. HasRate(bytes) ? [Rate(bytes / elapsed.TotalSeconds)] : Array.Empty<string>(),
            .. objects > 1 && objects >= elapsed.TotalSeconds ? [$"{Number((long)(objects / elapsed.TotalSeconds))} objects/s"] : Array.Empty<string>(),
        ];
        return rates.Length == 0 ? string.Empty : $" ({string.Join(", ", rates)})";
    }

    /// <summary>Gets whether a transfer is large enough to have a rate that says anything. Of a smaller one, most of the time is that of the requests.</summary>
    public static bool HasRate(long bytes) => bytes >= MinRatedBytes;

    /// <summary>"35 ms", "0.9 s", "12 s", "2m05s", "1h02m".</summary>
    public static string Duration(TimeSpan time) => time switch
    {
        { TotalMilliseconds: < 100 } => $"{time.TotalMilliseconds:0} ms",
        { TotalSeconds: < 9.95 } => $"{time.TotalSeconds:0.0} s",
        { TotalSeconds: < 99.5 } => $"{time.TotalSeconds:0} s",
        { TotalHours: < 1 } => $"{(int)time.TotalMinutes}m{time.Seconds:00}s",
        _ => $"{(long)time.TotalHours}h{time.Minutes:00}m",
    };

    /// <summary>Formats a remaining time: "0:07", "12:30", "1:02:30"; "-:--" if it is not known.</summary>
    public static string Clock(TimeSpan? time) => time switch
    {
        null => "-:--",
        { TotalHours: >= 100 } => "-:--",
        { TotalHours: >= 1 } t => $"{(int)t.TotalHours}:{t.Minutes:00}:{t.Seconds:00}",
        { } t => $"{t.Minutes}:{t.Seconds:00}",
    };

    public static string Count(long number, string one, string many) => number == 1 ? $"1 {one}" : $"{Number(number)} {many}";

    /// <summary>"1,204".</summary>
    public static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);
}
