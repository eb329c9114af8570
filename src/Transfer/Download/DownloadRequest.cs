using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>One download's options, checked and with every default filled in.</summary>
internal sealed record DownloadRequest(ObjectAddress Address, long PartSizeBytes, int Concurrency, ObjectHint? Hint, bool Verify)
{
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
            options.Verify);
    }
}
