using Transfer.S3.Concurrency;
using Transfer.S3.Scheduling;

namespace Transfer.S3;

/// <summary>Limits the number of bytes per second that transfers send and receive. The limits can be changed at any time, also while transfers run.</summary>
/// <remarks>
/// <para>
/// Set an instance as <see cref="TransferClientOptions.RateLimit"/> to limit all transfers of a client together, or in the options of a transfer to limit that
/// transfer. If several transfers or clients share an instance, they are limited together. If several limits apply to a transfer, all of them are enforced.
/// </para>
/// <para>
/// The limits apply to the content of objects, including content that is sent or received again after a failure. They don't apply to headers, listings, copies
/// within the store, and operations that the adapter for <c>ITransferUtility</c> passes to the AWS SDK. After a pause, up to 100 milliseconds of the rate can be
/// used at once. The time that a transfer waits for a limit doesn't count toward <see cref="TransferClientOptions.StallTimeout"/>. At low rates, a transfer uses
/// fewer concurrent requests: at most one for each 64 KiB/s.
/// </para>
/// <para>All members are thread-safe.</para>
/// </remarks>
public sealed class RateLimit
{
    private readonly RateLimiter _total;
    private readonly RateLimiter _download;
    private readonly RateLimiter _upload;

    /// <summary>Initializes a new instance of the <see cref="RateLimit"/> class without limits that uses the system clock.</summary>
    public RateLimit()
        : this(TimeProvider.System)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="RateLimit"/> class without limits that uses a specific clock.</summary>
    /// <param name="timeProvider">The clock.</param>
    public RateLimit(TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(timeProvider);
        _total = new RateLimiter(timeProvider);
        _download = new RateLimiter(timeProvider);
        _upload = new RateLimiter(timeProvider);
    }

    /// <summary>Gets or sets the limit of downloads and uploads together, in bytes per second.</summary>
    /// <value>The default is <see langword="null"/>, no limit. Range: 1 KiB/s to 1 TiB/s.</value>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the value is out of range.</exception>
    public long? TotalBytesPerSecond
    {
        get => _total.BytesPerSecond;
        set => _total.BytesPerSecond = Check(nameof(TotalBytesPerSecond), value);
    }

    /// <summary>Gets or sets the limit of downloads, in bytes per second.</summary>
    /// <value>The default is <see langword="null"/>: only <see cref="TotalBytesPerSecond"/> applies. Range: 1 KiB/s to 1 TiB/s.</value>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the value is out of range.</exception>
    public long? DownloadBytesPerSecond
    {
        get => _download.BytesPerSecond;
        set => _download.BytesPerSecond = Check(nameof(DownloadBytesPerSecond), value);
    }

    /// <summary>Gets or sets the limit of uploads, in bytes per second.</summary>
    /// <value>The default is <see langword="null"/>: only <see cref="TotalBytesPerSecond"/> applies. Range: 1 KiB/s to 1 TiB/s.</value>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the value is out of range.</exception>
    public long? UploadBytesPerSecond
    {
        get => _upload.BytesPerSecond;
        set => _upload.BytesPerSecond = Check(nameof(UploadBytesPerSecond), value);
    }

    /// <summary>Gets the limiters of a direction, the narrower one first.</summary>
    internal RateLimiter[] GetLimiters(RequestDirection direction) => [direction == RequestDirection.Download ? _download : _upload, _total];

    private static long? Check(string name, long? value)
        => value is { } bytes ? OptionGuard.Size(name, bytes, TransferDefaults.MinBytesPerSecondLimit, TransferDefaults.MaxBytesPerSecondLimit) : null;
}
