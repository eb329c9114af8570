namespace Transfer.S3.Cli.Options;

/// <summary>The limits of <c>--limit-rate</c>, in bytes per second.</summary>
/// <param name="Total">The limit for both directions together; null for none.</param>
/// <param name="Down">The limit for downloads; null for none.</param>
/// <param name="Up">The limit for uploads; null for none.</param>
internal readonly record struct RateLimits(long? Total, long? Down, long? Up)
{
    public RateLimit? ToRateLimit()
        => this == default ? null : new RateLimit { TotalBytesPerSecond = Total, DownloadBytesPerSecond = Down, UploadBytesPerSecond = Up };
}
