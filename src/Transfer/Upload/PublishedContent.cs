using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>
/// Identifies an object that an upload or a copy publishes, to find out after a lost response whether it was published. The content alone is no proof, because the same
/// bytes may have been there before: the metadata must be the same too, and the date must not be before the upload began.
/// </summary>
internal sealed record PublishedContent
{
    /// <summary>
    /// The maximum difference between the store's clock and this machine's: beyond it, the store refuses requests (Amazon S3 API Reference, "Error responses",
    /// RequestTimeTooSkewed).
    /// </summary>
    private static readonly TimeSpan MaxSkew = TimeSpan.FromMinutes(15);

    /// <summary>HTTP dates are whole seconds, and the clocks of a store's machines differ a little.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromSeconds(5);

    public required long LengthBytes { get; init; }

    public required ChecksumAlgorithm Algorithm { get; init; }

    /// <summary>The object's checksum; null if none was computed.</summary>
    public required string? Checksum { get; init; }

    /// <summary>The MD5 of the content, or of the parts' MD5s, which many stores use as the ETag; null if it is not known.</summary>
    public string? Md5 { get; init; }

    public required IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>
    /// When the PUT or the multipart upload began, by this machine's clock; null if it is not known. The date of a multipart object is that of its initiation on Amazon S3
    /// (Amazon S3 User Guide, "System-defined object metadata"), and that of its completion on other stores.
    /// </summary>
    public required DateTimeOffset? Began { get; init; }

    /// <summary>Sends a HEAD request to find the object.</summary>
    /// <returns>Null if there is no object or another one, or if the store does not say.</returns>
    public async Task<PublishedObject?> FindAsync(ClientContext context, ObjectAddress address, TransferReporter reporter, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo found = await context.Scheduler.SendAsync(token => context.Wire.HeadAsync(address, token), reporter, cancellationToken).ConfigureAwait(false);
            return HasContent(found) && HasMetadata(found) && !IsOlder(found, context.Time.GetUtcNow())
                ? new PublishedObject(found.ETag, found.VersionId, found.Checksum)
                : null;
        }
        catch (WireException)
        {
            return null;
        }
    }

    private bool HasContent(ObjectInfo found)
    {
        if (found.Length != LengthBytes)
        {
            return false;
        }

        if (Algorithm != ChecksumAlgorithm.Md5 && Checksum is not null
            && found.Checksum is { } stored && stored.Algorithm == Algorithm && stored.IsComposite == Checksum.Contains('-', StringComparison.Ordinal))
        {
            return stored.Value == Checksum;
        }

        return (Md5 ?? (Algorithm == ChecksumAlgorithm.Md5 ? Checksum : null)) is { } md5 && Md5Tag.Matches(found.ETag, md5);
    }

    private bool HasMetadata(ObjectInfo found)
        => found.Metadata.Count == (Metadata?.Count ?? 0)
            && (Metadata is null || Metadata.All(pair => found.Metadata.TryGetValue(pair.Key.ToLowerInvariant(), out string? value) && value.Trim() == pair.Value.Trim()));

    /// <summary>Compares the object's age by the store's clock with the upload's age by this machine's clock, so that the clocks need not agree.</summary>
    private bool IsOlder(ObjectInfo found, DateTimeOffset now)
        => found.LastModified is { } modified && Began is { } began
            && (found.AnsweredAt is { } answered ? answered - modified > now - began + Tolerance : modified < began - MaxSkew);
}
