using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Storage;

/// <summary>The copy of an archived object that can be read for some days.</summary>
/// <param name="ReadableFrom">The time at which the restoration ends.</param>
/// <param name="Until">The time at which the copy expires.</param>
internal sealed record RestoredCopy(DateTimeOffset ReadableFrom, DateTimeOffset Until)
{
    public bool IsInProgress(DateTimeOffset now) => now < ReadableFrom;

    /// <summary>Gets the value of the x-amz-restore header (Amazon S3 API Reference, "HeadObject").</summary>
    public string Header(DateTimeOffset now)
        => IsInProgress(now) ? "ongoing-request=\"true\"" : $"ongoing-request=\"false\", expiry-date=\"{HttpDate.Format(Until)}\"";
}
