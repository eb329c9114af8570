namespace Transfer.S3.Cli.Options;

/// <summary>The limits of <c>--limit-rate</c>, in bytes per second.</summary>
/// <param name="Total">The limit for both directions together; null for none.</param>
/// <param name="Down">The limit for downloads; null for none.</param>
/// <param name="Up">The limit for uploads; null for none.</param>
internal readonly record struct RateLimits(long? Total, long? Down, long? Up)
{
    public const string Accepted = $"none, or SIZE, down=SIZE, and up=SIZE, separated by commas, each at most once. SIZE is a size per second from 1 KiB to 1 TiB: {OptionValues.AcceptedSize}";

    /// <summary>Parses limits, such as <c>20MiB,up=5MiB</c>.</summary>
    public static bool TryParse(string text, out RateLimits limits)
    {
        bool isLimit = RateLimit.TryParse(text, out RateLimit? limit);
        limits = new RateLimits(limit?.TotalBytesPerSecond, limit?.DownloadBytesPerSecond, limit?.UploadBytesPerSecond);
        return isLimit;
    }

    /// <summary>Creates the limits of one client. Clients that share an instance would share its rate.</summary>
    /// <returns>The limits; null if there are none.</returns>
    public RateLimit? ToRateLimit()
        => this == default ? null : new RateLimit { TotalBytesPerSecond = Total, DownloadBytesPerSecond = Down, UploadBytesPerSecond = Up };
}
