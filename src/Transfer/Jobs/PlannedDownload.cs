namespace Transfer.S3.Jobs;

/// <summary>The options of the downloads of a job.</summary>
internal sealed record PlannedDownload
{
    public long? PartSizeBytes { get; init; }

    public bool AlignToStoredParts { get; init; }

    public bool RequesterPays { get; init; }

    public bool DoesNotVerify { get; init; }

    public bool DoesNotVerifyMd5 { get; init; }

    public bool DoesNotResume { get; init; }

    public bool FlushToDisk { get; init; }

    public UnixFileMode? FileMode { get; init; }

    public bool KeepLastModified { get; init; }

    public bool KeepPermissions { get; init; }

    public bool KeepOwner { get; init; }

    public static PlannedDownload From(DownloadOptions options) => new()
    {
        PartSizeBytes = options.PartSizeBytes,
        AlignToStoredParts = options.AlignToStoredParts,
        RequesterPays = options.RequesterPays,
        DoesNotVerify = !options.Verify,
        DoesNotVerifyMd5 = !options.VerifyMd5,
        DoesNotResume = !options.Resume,
        FlushToDisk = options.FlushToDisk,
        FileMode = options.FileMode,
        KeepLastModified = options.KeepLastModified,
        KeepPermissions = options.KeepPermissions,
        KeepOwner = options.KeepOwner,
    };

    public DownloadOptions ToOptions() => new()
    {
        PartSizeBytes = PartSizeBytes,
        AlignToStoredParts = AlignToStoredParts,
        RequesterPays = RequesterPays,
        Verify = !DoesNotVerify,
        VerifyMd5 = !DoesNotVerifyMd5,
        Resume = !DoesNotResume,
        FlushToDisk = FlushToDisk,
        FileMode = FileMode,
        KeepLastModified = KeepLastModified,
        KeepPermissions = KeepPermissions,
        KeepOwner = KeepOwner,
    };
}
