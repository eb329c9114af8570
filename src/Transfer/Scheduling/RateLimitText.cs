using System.Diagnostics.CodeAnalysis;

namespace Transfer.S3.Scheduling;

/// <summary>Parses rate limits, such as <c>20MiB,up=5MiB</c>.</summary>
internal static class RateLimitText
{
    private static readonly string Range = $"{Sizes.Text(TransferDefaults.MinBytesPerSecondLimit)} to {Sizes.Text(TransferDefaults.MaxBytesPerSecondLimit)}";

    /// <summary>Gets the accepted values, for errors.</summary>
    public static string Accepted { get; } = $"none, or SIZE, down=SIZE, and up=SIZE, separated by commas, each at most once, with sizes from {Range} per second, such as 20MiB,up=5MiB";

    public static bool TryParse(string text, TimeProvider time, [NotNullWhen(true)] out RateLimit? limit)
    {
        limit = null;
        RateLimit parsed = new(time);
        if (!text.Trim().Equals("none", StringComparison.OrdinalIgnoreCase))
        {
            foreach (string item in text.Split(','))
            {
                if (!TryAdd(parsed, item))
                {
                    return false;
                }
            }
        }

        limit = parsed;
        return true;
    }

    /// <summary>Formats limits in the way in which they can be parsed.</summary>
    public static string Format(RateLimit limit)
    {
        string[] items =
        [
            .. limit.TotalBytesPerSecond is { } total ? [Sizes.ExactText(total)] : Array.Empty<string>(),
            .. limit.DownloadBytesPerSecond is { } down ? [$"down={Sizes.ExactText(down)}"] : Array.Empty<string>(),
            .. limit.UploadBytesPerSecond is { } up ? [$"up={Sizes.ExactText(up)}"] : Array.Empty<string>(),
        ];
        return items.Length == 0 ? "none" : string.Join(',', items);
    }

    private static bool TryAdd(RateLimit limit, string item)
    {
        int split = item.IndexOf('=', StringComparison.Ordinal);
        if (!Sizes.TryParse(item[(split + 1)..], out long bytes) || bytes is < TransferDefaults.MinBytesPerSecondLimit or > TransferDefaults.MaxBytesPerSecondLimit)
        {
            return false;
        }

        switch (split < 0 ? string.Empty : item[..split].Trim())
        {
            case "" when split < 0 && limit.TotalBytesPerSecond is null:
                limit.TotalBytesPerSecond = bytes;
                return true;
            case "down" when limit.DownloadBytesPerSecond is null:
                limit.DownloadBytesPerSecond = bytes;
                return true;
            case "up" when limit.UploadBytesPerSecond is null:
                limit.UploadBytesPerSecond = bytes;
                return true;
            default:
                return false;
        }
    }
}
