using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>One download's options, checked and with every default filled in.</summary>
internal sealed record DownloadRequest(ObjectAddress Address, long PartSizeBytes, int Concurrency, ObjectHint? Hint, bool Verify)
{
    /// <summary>Whether somebody has chosen the concurrency, and nothing but that is to decide it.</summary>
    public bool IsConcurrencyGiven { get; init; }

    /// <summary>Whether somebody has chosen the part size; otherwise, ranges can be smaller.</summary>
    public bool IsPartSizeGiven { get; init; }

    /// <summary>Whether the store was found to ignore ranges: then the object comes in one piece, and only its first request is sent.</summary>
    public bool IsInOnePiece { get; init; }

    /// <summary>The caller's conditions; they are for the first request to carry.</summary>
    public ReadCondition Condition { get; init; } = ReadCondition.None;

    /// <summary>The bytes that are wanted; null for all.</summary>
    public ObjectRange? Range { get; init; }

    /// <summary>Whether ranges are to be those in which the object was stored.</summary>
    public bool AlignsToStoredParts { get; init; }

    /// <summary>Whether what an earlier run left of a file is gone on with, and something is left to a later one.</summary>
    public bool Resumes { get; init; }

    /// <summary>Whether an entity tag that is an MD5 is compared, where the store holds no checksum.</summary>
    public bool VerifiesMd5 { get; init; }

    /// <summary>Whether the parts' lengths are asked for that a composite checksum is made of.</summary>
    public bool AsksForParts { get; init; }

    /// <summary>Whether all parts start at once, before anything was answered. A condition has to be found true first.</summary>
    public bool StartsAtOnce => Hint is not null && !IsInOnePiece && Condition == ReadCondition.None;

    /// <summary>The first byte that is wanted and how many there are, of an object of <paramref name="total"/> bytes.</summary>
    /// <exception cref="TransferException">They begin behind its end.</exception>
    public (long Offset, long Length) ExtentOf(long total)
    {
        (long offset, long length) = Range?.Of(total) ?? (0, total);
        return offset == 0 || length > 0 ? (offset, length) : throw Failures.PastTheEnd(Address, offset, total);
    }

    public static DownloadRequest From(string bucket, string key, DownloadOptions options, ClientSettings settings)
    {
        OptionGuard.Address(bucket, key);
        ObjectHint? hint = options.Hint;
        if (hint is { Length: < 0 })
        {
            throw new ArgumentOutOfRangeException(nameof(options), hint.Length, $"Hint.Length is {hint.Length}; it must be 0 or more.");
        }

        return new DownloadRequest(
            new ObjectAddress(bucket, key, options.VersionId, new ReadAccess(options.RequesterPays, options.CustomerKey) { KeepsAnswer = options.KeepAnswer }),
            ClientSettings.DownloadPartSize(nameof(options.PartSizeBytes), options.PartSizeBytes ?? settings.DownloadPartSizeBytes),
            OptionGuard.Number(nameof(options.Concurrency), options.Concurrency ?? settings.Concurrency, 1, TransferDefaults.MaxConcurrency),
            hint,
            options.Verify)
        {
            IsConcurrencyGiven = options.Concurrency is not null || settings.IsConcurrencyGiven,
            IsPartSizeGiven = options.PartSizeBytes is not null || settings.IsDownloadPartSizeGiven || options.AlignToStoredParts,
            Condition = ConditionOf(options),
            Range = options.Range,
            AlignsToStoredParts = options.AlignToStoredParts,
            Resumes = options.Resume,
            VerifiesMd5 = options.VerifyMd5,
            AsksForParts = options.AskForParts,
        };
    }

    private static ReadCondition ConditionOf(DownloadOptions options)
        => options is { IfMatch: null, IfNoneMatch: null, IfModifiedSince: null, IfUnmodifiedSince: null }
            ? ReadCondition.None
            : new ReadCondition
            {
                IfMatch = Tag(nameof(options.IfMatch), options.IfMatch),
                IfNoneMatch = Tag(nameof(options.IfNoneMatch), options.IfNoneMatch),
                IfModifiedSince = options.IfModifiedSince,
                IfUnmodifiedSince = options.IfUnmodifiedSince,
            };

    private static string? Tag(string name, string? etag) => etag switch
    {
        null => null,
        _ when string.IsNullOrWhiteSpace(etag) || etag.Any(char.IsControl) => throw new ArgumentException($"{name} is '{etag}'; it must be an ETag.", name),
        _ => ETags.Quoted(etag),
    };
}
