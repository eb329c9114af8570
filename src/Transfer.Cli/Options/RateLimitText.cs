using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>Parses rate limits as people write them: <c>20MiB,up=5MiB</c>.</summary>
internal static class RateLimitText
{
    private const long MinBytesPerSecond = 1L << 10;
    private const long MaxBytesPerSecond = 1L << 40;
    private const string Down = "down";
    private const string Up = "up";

    public static string Accepted { get; } = $"none, or SIZE, {Down}=SIZE, and {Up}=SIZE, separated by commas, each at most once. "
        + $"SIZE is a size per second from {Units.Size(MinBytesPerSecond)} to {Units.Size(MaxBytesPerSecond)}: {SizeText.Accepted}";

    /// <exception cref="UsageException">Thrown when a limit is not valid. The message contains the limit.</exception>
    public static RateLimits Parse(GivenValue given)
    {
        RateLimits limits = default;
        if (given.Text.Trim() == "none")
        {
            return limits;
        }

        foreach (string item in given.Text.Split(','))
        {
            limits = Add(limits, item) ?? throw OptionValues.Wrong(given with { Text = item.Trim() }, Accepted);
        }

        return limits;
    }

    private static RateLimits? Add(RateLimits limits, string item)
    {
        int split = item.IndexOf('=', StringComparison.Ordinal);
        if (!SizeText.TryParseRate(item[(split + 1)..], out long bytes) || bytes is < MinBytesPerSecond or > MaxBytesPerSecond)
        {
            return null;
        }

        return (split < 0 ? null : item[..split].Trim()) switch
        {
            null when limits.Total is null => limits with { Total = bytes },
            Down when limits.Down is null => limits with { Down = bytes },
            Up when limits.Up is null => limits with { Up = bytes },
            _ => null,
        };
    }
}
