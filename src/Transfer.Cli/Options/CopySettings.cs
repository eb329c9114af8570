using System.CommandLine;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Options;

/// <summary>The settings of a copy, as options of the library. Only those of its case exist, so that options without a meaning for it are never read.</summary>
internal sealed record CopySettings
{
    /// <summary>Gets the case in messages.</summary>
    public required string Purpose { get; init; }

    /// <summary>Gets a value that indicates whether each source is deleted after its copy was verified.</summary>
    public bool Moves { get; init; }

    public bool DryRun { get; init; }

    public bool NoClobber { get; init; }

    public ClientLimits Limits { get; init; } = new();

    /// <summary>Gets a value that indicates whether the store copies objects itself: whole objects, unchanged.</summary>
    public bool IsInsideTheStore { get; init; }

    public string? VersionId { get; init; }

    /// <summary>Gets the time whose objects are copied; null for now.</summary>
    public DateTimeOffset? AsOf { get; init; }

    public bool RequesterPays { get; init; }

    /// <summary>Gets what happens to source objects in an archive.</summary>
    public ArchivedObjects Archived { get; init; }

    public RestoreOptions Restore { get; init; } = new();

    public CustomerKey? CustomerKey { get; init; }

    public DownloadOptions Download { get; init; } = new();

    /// <summary>Gets the options of an upload.</summary>
    public UploadOptions Upload { get; init; } = new();

    public CopyOptions Copy { get; init; } = new();

    /// <summary>Gets the options of a copy of an object through this machine, to another store or to the same one.</summary>
    public StoreCopyOptions StoreCopy { get; init; } = new();

    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="of">What is copied from where to where.</param>
    public static CopySettings Resolve(OptionValues values, CopyOptionSet options, CopyCase of)
    {
        TransferSettings transfer = new(values, options.Transfer, of.Target == LocationKind.S3);
        ReadSettings read = new(values, options.Read);
        bool isInside = of.CopiesObjects && !of.HasTwoStores && IsUnchanged(values, options, of, transfer, read);
        bool isThrough = of.CopiesObjects && !of.HasTwoStores && !isInside;
        if (isThrough && of.IsRecursive)
        {
            Option[] needing = [.. options.Write.All, options.Transfer.Checksum, options.Read.CustomerKeyFile];
            Option given = needing.FirstOrDefault(values.IsOnLine) ?? needing.First(values.IsGiven);
            throw new UsageException($"a copy of many objects inside the store copies each object unchanged; {(values.IsOnLine(given) ? given.Name : OptionValues.GetVariable(given))} can't be used with it");
        }

        bool readsContent = of.Uploads || of.Downloads || of.HasTwoStores || isThrough;
        bool readsObjects = of.Sources.Contains(LocationKind.S3);
        bool isStoreCopy = of.HasTwoStores || isThrough;
        ArchivedObjects archived = readsObjects ? read.Archived : ArchivedObjects.Fail;
        CopySettings common = new()
        {
            Purpose = of.Describe(isInside),
            DryRun = transfer.DryRun,
            NoClobber = (of.WritesFiles || of.Target == LocationKind.S3) && transfer.NoClobber,
            Limits = readsContent ? transfer.Limits : transfer.LimitsInsideTheStore,
            IsInsideTheStore = isInside,
            VersionId = readsObjects && of.IsOne ? read.VersionId : null,
            RequesterPays = read.RequesterPays,
            CustomerKey = readsContent ? read.CustomerKey : null,
            Archived = archived,
        };
        common = common with { Restore = common.GetRestore(read) };
        return common with
        {
            Download = of.Downloads ? common.CreateDownload(of, transfer, read) : new DownloadOptions(),
            Upload = of.Uploads ? common.CreateUpload(of, transfer, read, options.Write.Resolve(values, of.IsOne)) : new UploadOptions(),
            Copy = isInside ? common.InsideTheStore(transfer) : new CopyOptions(),
            StoreCopy = isStoreCopy ? common.ToStore(of, transfer, read, options.Write.Resolve(values, of.IsOne)) : new StoreCopyOptions(),
        };
    }

    /// <summary>Gets the same for one version of the source.</summary>
    public CopySettings WithVersion(string? versionId) => this with
    {
        AsOf = null,
        VersionId = versionId,
        Restore = Restore with { VersionId = versionId },
        Download = Download with { VersionId = versionId },
        Copy = Copy with { SourceVersionId = versionId },
        StoreCopy = StoreCopy with { SourceVersionId = versionId },
    };

    /// <summary>Warns of owners that files will not get.</summary>
    public void WarnOfOwners(Invocation invocation)
    {
        if (Download.KeepOwner && !Environment.IsPrivilegedProcess)
        {
            invocation.Warning("only root can change the owners of files, so what is downloaded belongs to you");
        }
    }

    private RestoreOptions GetRestore(ReadSettings read)
    {
        RestoreOptions restore = new() { VersionId = VersionId, RequesterPays = RequesterPays };
        return Archived == ArchivedObjects.Restore && read.RestoreDays is { } days ? restore with { Days = days } : restore;
    }

    private CopyOptions InsideTheStore(TransferSettings transfer) => new()
    {
        SourceVersionId = VersionId,
        RequesterPays = RequesterPays,
        Overwrite = !NoClobber,
        PartSizeBytes = Limits.PartSizeBytes,
        Resume = !transfer.NoResume,
    };

    /// <summary>Gets whether nothing needs the content here. The options that need it are read, because they decide.</summary>
    private static bool IsUnchanged(OptionValues values, CopyOptionSet options, CopyCase of, TransferSettings transfer, ReadSettings read)
        => !(of.IsOne && values.IsOn(options.Through)) && !options.Write.IsGiven(values) && transfer.Checksum == ChecksumAlgorithm.Auto
            && !(of.IsOne && read.Range is not null) && !values.IsGiven(options.Read.CustomerKeyFile);

    private DownloadOptions CreateDownload(CopyCase of, TransferSettings transfer, ReadSettings read) => new()
    {
        Verify = transfer.Verifies,
        Overwrite = !NoClobber,
        VersionId = VersionId,
        Range = of.IsOne ? read.Range : null,
        RequesterPays = RequesterPays,
        CustomerKey = CustomerKey,
        AlignToStoredParts = read.AlignToStoredParts,
        Resume = !(of.WritesFiles && transfer.NoResume),
        ReuseParts = of.WritesFiles && transfer.Delta,
        FlushToDisk = of.WritesFiles && read.FlushToDisk,
        KeepLastModified = of.WritesFiles && read.Kept.LastModified,
        KeepPermissions = of.WritesFiles && read.Kept.Permissions,
        KeepOwner = of.WritesFiles && read.Kept.Owner,
    };

    private UploadOptions CreateUpload(CopyCase of, TransferSettings transfer, ReadSettings read, UploadOptions target) => target with
    {
        Checksum = transfer.Checksum,
        Overwrite = !NoClobber,
        Resume = !(of.ReadsFiles && transfer.NoResume),
        ReuseParts = of.ReadsFiles && transfer.Delta,
        RequesterPays = RequesterPays,
        CustomerKey = CustomerKey,
        KeepLastModified = of.ReadsFiles && read.Kept.LastModified,
        KeepPermissions = of.ReadsFiles && read.Kept.Permissions,
        KeepOwner = of.ReadsFiles && read.Kept.Owner,
    };

    // The customer key belongs to the source. So does Requester Pays, if the target is another store.
    private StoreCopyOptions ToStore(CopyCase of, TransferSettings transfer, ReadSettings read, UploadOptions target) => new()
    {
        SourceVersionId = VersionId,
        SourceRange = of.IsOne ? read.Range : null,
        SourceCustomerKey = CustomerKey,
        SourceRequesterPays = RequesterPays,
        VerifySource = transfer.Checksum != ChecksumAlgorithm.None,
        Target = target with
        {
            Checksum = transfer.Checksum,
            Overwrite = !NoClobber,
            Resume = !transfer.NoResume,
            RequesterPays = !of.HasTwoStores && RequesterPays,
            KeepLastModified = read.KeepTime,
        },
    };
}
