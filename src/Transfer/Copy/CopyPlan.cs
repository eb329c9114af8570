using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Copy;

/// <summary>The validated options of a copy, with all defaults applied.</summary>
internal sealed record CopyPlan(ObjectAddress Source, ObjectAddress Target, bool Overwrite, long PartSizeBytes, long MultipartThresholdBytes, int MaxConcurrency)
{
    /// <summary>Gets the result of a HEAD request for a target that must not exist; null if none was sent.</summary>
    public ObjectPresence? Presence { get; init; }

    /// <summary>Gets the ETag that the source must still have; null for any.</summary>
    public string? SourceETag { get; init; }

    /// <summary>Gets the size of the source in the listing; null if it isn't from one.</summary>
    public long? SourceLength { get; init; }

    /// <summary>Gets the ETag that the target must have to be replaced; null for no condition.</summary>
    public string? TargetETag { get; init; }

    public WriteCondition Condition => new(!Overwrite, TargetETag);

    /// <summary>Gets a value that indicates whether an interrupted copy in parts is resumed, and keeps its state for a later one.</summary>
    public bool Resumes { get; init; }

    public const long DefaultPartSizeBytes = 128 * Sizes.MiB;
    private const long DefaultThresholdBytes = 256 * Sizes.MiB;

    public static CopyPlan From(S3Uri source, S3Uri target, CopyOptions options, ClientSettings settings)
    {
        OptionGuard.Address(source);
        OptionGuard.Address(target);
        return Create(source, target, options, settings);
    }

    /// <summary>Validates the options for the objects under a prefix, which can be empty. The plan of each object is a copy with its own addresses.</summary>
    public static CopyPlan ForPrefix(S3Uri source, S3Uri target, CopyOptions options, ClientSettings settings)
    {
        OptionGuard.Bucket(source.Bucket);
        OptionGuard.Bucket(target.Bucket);
        return Create(source, target, options, settings);
    }

    private static CopyPlan Create(S3Uri source, S3Uri target, CopyOptions options, ClientSettings settings)
    {
        ReadAccess access = ReadAccess.Plain with { RequesterPays = options.RequesterPays };
        return new CopyPlan(
            new ObjectAddress(source.Bucket, source.Key, options.SourceVersionId, access),
            new ObjectAddress(target.Bucket, target.Key, null, access),
            options.Overwrite,
            ClientSettings.UploadPartSize(nameof(options.PartSizeBytes), options.PartSizeBytes ?? DefaultPartSizeBytes),
            ClientSettings.Threshold(nameof(options.MultipartThresholdBytes), options.MultipartThresholdBytes ?? DefaultThresholdBytes),
            OptionGuard.Number(nameof(options.MaxConcurrency), options.MaxConcurrency ?? settings.MaxConcurrency, 1, TransferDefaults.MaxConcurrency))
        {
            Resumes = options.Resume,
        };
    }
}
