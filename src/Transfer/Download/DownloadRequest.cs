using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>One download's options, checked and with every default filled in.</summary>
internal sealed record DownloadRequest(ObjectAddress Address, long PartSizeBytes, int Concurrency, ObjectHint? Hint, bool Verify)
{
    /// <summary>Whether somebody has chosen the concurrency, and nothing but that is to decide it.</summary>
    public bool IsConcurrencyGiven { get; init; }

    /// <summary>Whether the store was found to ignore ranges: then the object comes in one piece, and only its first request is sent.</summary>
    public bool IsInOnePiece { get; init; }

    /// <summary>Whether all parts start at once, before anything was answered.</summary>
    public bool StartsAtOnce => Hint is not null && !IsInOnePiece;

    public PartWindow NewWindow(LinkMeter link) => new(link, Concurrency, IsConcurrencyGiven);

    public static DownloadRequest From(string bucket, string key, DownloadOptions options, ClientSettings settings)
    {
        OptionGuard.Address(bucket, key);
        ObjectHint? hint = options.Hint;
        if (hint is { Length: < 0 })
        {
            throw new ArgumentOutOfRangeException(nameof(options), hint.Length, $"Hint.Length is {hint.Length}; it must be 0 or more.");
        }

        return new DownloadRequest(
            new ObjectAddress(bucket, key, options.VersionId),
            ClientSettings.DownloadPartSize(nameof(options.PartSizeBytes), options.PartSizeBytes ?? settings.DownloadPartSizeBytes),
            OptionGuard.Number(nameof(options.Concurrency), options.Concurrency ?? settings.Concurrency, 1, TransferDefaults.MaxConcurrency),
            hint,
            options.Verify)
        {
            IsConcurrencyGiven = options.Concurrency is not null || settings.IsConcurrencyGiven,
        };
    }
}
