using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>The validated options of one download, with all defaults applied.</summary>
internal sealed record DownloadRequest(ObjectAddress Address, long PartSizeBytes, int MaxConcurrency, KnownObject? Hint, bool Verify)
{
    /// <summary>Gets a value that indicates whether the concurrency was set explicitly, so that it isn't adjusted.</summary>
    public bool IsConcurrencyGiven { get; init; }

    /// <summary>Gets a value that indicates whether the part size was set explicitly; otherwise, ranges can be smaller.</summary>
    public bool IsPartSizeGiven { get; init; }

    /// <summary>Gets a value that indicates whether the store ignores ranges, so that the object is downloaded with a single request.</summary>
    public bool IsInOnePiece { get; init; }

    /// <summary>Gets the caller's conditions, which the first request carries.</summary>
    public ReadCondition Condition { get; init; } = ReadCondition.None;

    /// <summary>Gets the range of bytes to download; null for the whole object.</summary>
    public ObjectRange? Range { get; init; }

    /// <summary>Gets a value that indicates whether ranges are aligned to the parts in which the object was stored.</summary>
    public bool AlignsToStoredParts { get; init; }

    /// <summary>Gets a value that indicates whether an interrupted download is resumed, and whether this one keeps its state for a later one.</summary>
    public bool Resumes { get; init; }

    /// <summary>Gets a value that indicates whether parts of the object are taken from the file that is replaced.</summary>
    public bool ReusesParts { get; init; }

    /// <summary>Gets a value that indicates whether an ETag that is an MD5 is compared if the store holds no checksum.</summary>
    public bool VerifiesMd5 { get; init; }

    /// <summary>Gets a value that indicates whether the lengths of the parts of a composite checksum are requested.</summary>
    public bool LooksUpParts { get; init; } = true;

    /// <summary>Gets a value that indicates whether the checksum of the content must be known at the end, whatever the store holds.</summary>
    public bool SumsContent { get; init; }

    /// <summary>
    /// Gets a value that indicates whether a stream waits for memory that other streams have. It does if the library opens it; the caller of its own streams must dispose some.
    /// </summary>
    public bool IsPatient { get; init; }

    /// <summary>Gets a value that indicates whether each response must have an ETag, because the store has listed one.</summary>
    public bool RequiresETag { get; init; }

    /// <summary>Gets the request for what is there now, if the object isn't the listed one anymore.</summary>
    public DownloadRequest WithoutHint => this with { Hint = null, RequiresETag = !string.IsNullOrEmpty(Hint?.ETag) };

    /// <summary>Gets how the object is verified, and which requests may be sent for that.</summary>
    public VerificationRules Verification => new(Address, Verify, VerifiesMd5, MayHead: Hint is null, LooksUpParts);

    /// <summary>Gets a value that indicates whether all parts start before the first response. Conditions must be confirmed first.</summary>
    public bool StartsAtOnce => Hint is not null && !IsInOnePiece && Condition == ReadCondition.None;

    /// <summary>Gets the offset and the number of the wanted bytes in an object of <paramref name="total"/> bytes.</summary>
    /// <exception cref="TransferException">The range begins at or after the end of the object.</exception>
    public (long Offset, long Length) GetExtent(long total)
    {
        (long offset, long length) = Range?.Resolve(total) ?? (0, total);
        return offset == 0 || length > 0 ? (offset, length) : throw Failures.PastTheEnd(Address, offset, total);
    }

    /// <summary>Validates the options. If they aren't those of a download, nothing is verified, resumed, or aligned to stored parts.</summary>
    public static DownloadRequest From(string bucket, string key, ObjectReadOptions options, ClientSettings settings)
    {
        OptionGuard.Address(bucket, key);
        return Create(bucket, key, options, settings);
    }

    /// <summary>Validates the options for the objects under a prefix, which can be empty. The request of each object is a copy with its own address.</summary>
    public static DownloadRequest ForPrefix(string bucket, string prefix, ObjectReadOptions options, ClientSettings settings)
    {
        OptionGuard.Bucket(bucket);
        return Create(bucket, prefix, options, settings);
    }

    private static DownloadRequest Create(string bucket, string key, ObjectReadOptions options, ClientSettings settings)
    {
        DownloadOptions? download = options as DownloadOptions;
        KnownObject? hint = options.Hint is { Length: { } length } known ? new KnownObject(length, known.ETag) : null;
        if (hint is { Length: < 0 or > Sizes.MaxObject })
        {
            throw new ArgumentOutOfRangeException(nameof(options), hint.Length, $"Hint.Length is {hint.Length}; it must be 0 to {Sizes.MaxObject}.");
        }

        return new DownloadRequest(
            new ObjectAddress(bucket, key, options.VersionId, new ReadAccess(options.RequesterPays, options.CustomerKey)),
            ClientSettings.DownloadPartSize(nameof(download.PartSizeBytes), download?.PartSizeBytes ?? settings.DownloadPartSizeBytes),
            OptionGuard.Number(nameof(options.MaxConcurrency), options.MaxConcurrency ?? settings.MaxConcurrency, 1, TransferDefaults.MaxConcurrency),
            hint,
            download is { Verify: true })
        {
            IsConcurrencyGiven = options.MaxConcurrency is not null || settings.IsConcurrencyGiven,
            IsPartSizeGiven = download is { PartSizeBytes: not null } or { AlignToStoredParts: true } || settings.IsDownloadPartSizeGiven,
            Condition = GetCondition(options, download),
            Range = download?.Range,
            AlignsToStoredParts = download is { AlignToStoredParts: true },
            Resumes = download is { Resume: true },
            ReusesParts = download is { ReuseParts: true },
            VerifiesMd5 = download is null or { VerifyMd5: true },
        };
    }

    private static ReadCondition GetCondition(ObjectReadOptions options, DownloadOptions? download)
        => options.IfMatch is null && download is null or { IfNoneMatch: null, IfModifiedSince: null, IfUnmodifiedSince: null }
            ? ReadCondition.None
            : new ReadCondition
            {
                IfMatch = Tag(nameof(options.IfMatch), options.IfMatch),
                IfNoneMatch = Tag(nameof(download.IfNoneMatch), download?.IfNoneMatch),
                IfModifiedSince = download?.IfModifiedSince,
                IfUnmodifiedSince = download?.IfUnmodifiedSince,
            };

    private static string? Tag(string name, string? etag) => etag switch
    {
        null => null,
        _ when string.IsNullOrWhiteSpace(etag) || etag.Any(char.IsControl) => throw new ArgumentException($"{name} is '{etag}'; it must be an ETag.", name),
        _ => ETags.Quoted(etag),
    };
}
