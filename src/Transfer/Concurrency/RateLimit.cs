using System.Diagnostics.CodeAnalysis;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

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
/// <example>
/// <code>
/// RateLimit limit = RateLimit.Parse("20MiB,up=5MiB"); // 20 MiB/s in total, of which uploads use at most 5 MiB/s
/// await using TransferClient limited = new(s3, new TransferClientOptions { RateLimit = limit });
/// limit.UploadBytesPerSecond = null; // from now on
/// </code>
/// </example>
public sealed class RateLimit
{
    private const string None = "none";
    private const string Down = "down";
    private const string Up = "up";
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

    /// <summary>Gets the accepted text, for errors.</summary>
    internal static string Accepted { get; } = "none, or SIZE, down=SIZE, and up=SIZE, separated by commas, each at most once, with sizes from "
        + $"{ByteSize.Format(TransferDefaults.MinBytesPerSecondLimit)} to {ByteSize.Format(TransferDefaults.MaxBytesPerSecondLimit)} per second, such as 20MiB,up=5MiB";

    /// <summary>Reads limits from text such as <c>20MiB,up=5MiB</c>.</summary>
    /// <param name="text">
    /// The limits, separated by commas, each at most once: a rate for downloads and uploads together, <c>down=</c> and a rate for downloads, and <c>up=</c> and a rate for
    /// uploads. Each is a size as <see cref="ByteSize"/> reads it, with or without <c>/s</c>. Range: 1 KiB/s to 1 TiB/s. <c>none</c> sets no limit.
    /// </param>
    /// <returns>A new instance with the limits, which uses the system clock.</returns>
    /// <exception cref="ArgumentNullException">Thrown when <paramref name="text"/> is <see langword="null"/>.</exception>
    /// <exception cref="FormatException">Thrown when the text isn't such a list, or when a rate is out of range.</exception>
    public static RateLimit Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryParse(text, out RateLimit? limit) ? limit : throw new FormatException($"'{text}' is not a rate limit; it must be {Accepted}.");
    }

    /// <summary>Reads limits from text such as <c>20MiB,up=5MiB</c>, as <see cref="Parse"/> does.</summary>
    /// <param name="text">The limits.</param>
    /// <param name="limit">A new instance with the limits, which uses the system clock; <see langword="null"/> if the text can't be read.</param>
    /// <returns><see langword="true"/> if the text can be read; otherwise, <see langword="false"/>.</returns>
    public static bool TryParse([NotNullWhen(true)] string? text, [NotNullWhen(true)] out RateLimit? limit) => TryParse(text, TimeProvider.System, out limit);

    /// <summary>Returns the limits as text that <see cref="Parse"/> accepts, such as <c>20MiB,up=5MiB</c>.</summary>
    /// <returns>The limits; <c>none</c> if there are none.</returns>
    public override string ToString()
    {
        string[] items =
        [
            .. TotalBytesPerSecond is { } total ? [ByteSize.FormatExact(total)] : Array.Empty<string>(),
            .. DownloadBytesPerSecond is { } down ? [$"{Down}={ByteSize.FormatExact(down)}"] : Array.Empty<string>(),
            .. UploadBytesPerSecond is { } up ? [$"{Up}={ByteSize.FormatExact(up)}"] : Array.Empty<string>(),
        ];
        return items.Length == 0 ? None : string.Join(',', items);
    }

    /// <summary>Reads limits as the public method does, with a specific clock.</summary>
    internal static bool TryParse([NotNullWhen(true)] string? text, TimeProvider timeProvider, [NotNullWhen(true)] out RateLimit? limit)
    {
        limit = null;
        RateLimit parsed = new(timeProvider);
        if (text is null || !(text.Trim().Equals(None, StringComparison.OrdinalIgnoreCase) || text.Split(',').All(parsed.TryAdd)))
        {
            return false;
        }

        limit = parsed;
        return true;
    }

    /// <summary>Gets the limiters of a direction, the narrower one first.</summary>
    internal RateLimiter[] GetLimiters(RequestDirection direction) => [direction == RequestDirection.Download ? _download : _upload, _total];

    private bool TryAdd(string item)
    {
        int split = item.IndexOf('=', StringComparison.Ordinal);
        if (!ByteSize.TryParseRate(item[(split + 1)..], out long bytes) || bytes is < TransferDefaults.MinBytesPerSecondLimit or > TransferDefaults.MaxBytesPerSecondLimit)
        {
            return false;
        }

        switch (split < 0 ? null : item[..split].Trim())
        {
            case null when TotalBytesPerSecond is null:
                TotalBytesPerSecond = bytes;
                return true;
            case Down when DownloadBytesPerSecond is null:
                DownloadBytesPerSecond = bytes;
                return true;
            case Up when UploadBytesPerSecond is null:
                UploadBytesPerSecond = bytes;
                return true;
            default:
                return false;
        }
    }

    private static long? Check(string name, long? value)
        => value is { } bytes ? OptionGuard.Size(name, bytes, TransferDefaults.MinBytesPerSecondLimit, TransferDefaults.MaxBytesPerSecondLimit) : null;
}
