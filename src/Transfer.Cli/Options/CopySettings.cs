namespace Transfer.Cli.Options;

/// <summary>The settings of a copy, as options of the library.</summary>
internal sealed record CopySettings(TransferSettings Transfer, ReadSettings Read, WriteSettings Write, bool Through)
{
    public DownloadOptions Download => new()
    {
        Verify = Transfer.Checksum != ChecksumAlgorithm.None,
        Overwrite = !Transfer.NoClobber,
        VersionId = Read.VersionId,
        Range = Read.Range,
        RequesterPays = Read.RequesterPays,
        CustomerKey = Read.CustomerKey,
        AlignToStoredParts = Read.AlignToStoredParts,
        Resume = !Transfer.NoResume,
        FlushToDisk = Read.FlushToDisk,
        KeepLastModified = Read.KeepTime,
    };

    /// <summary>Gets the options of an upload.</summary>
    public UploadOptions Upload => Write.Options with
    {
        Checksum = Transfer.Checksum,
        OnlyIfAbsent = Transfer.NoClobber,
        Resume = !Transfer.NoResume,
        RequesterPays = Read.RequesterPays,
        CustomerKey = Read.CustomerKey,
        KeepLastModified = Read.KeepTime,
    };

    /// <summary>Gets the options of the target of a copy to another store. The customer key and Requester Pays belong to the source.</summary>
    public UploadOptions UploadToOtherStore => Upload with { CustomerKey = null, RequesterPays = false };

    /// <summary>Gets the options of a copy to another store.</summary>
    public StoreCopyOptions StoreCopy => new()
    {
        SourceVersionId = Read.VersionId,
        SourceCustomerKey = Read.CustomerKey,
        SourceRequesterPays = Read.RequesterPays,
        VerifySource = Transfer.Checksum != ChecksumAlgorithm.None,
        Target = UploadToOtherStore,
    };

    public CopyOptions Copy => new()
    {
        SourceVersionId = Read.VersionId,
        RequesterPays = Read.RequesterPays,
        OnlyIfAbsent = Transfer.NoClobber,
        PartSizeBytes = Transfer.PartSizeBytes,
    };

    /// <summary>Gets a value that indicates whether the copy can be made within the store: the whole object, unchanged.</summary>
    public bool IsInsideTheStore => !Through && !Write.IsGiven && Transfer.Checksum == ChecksumAlgorithm.Auto
        && Read is { Range: null, CustomerKey: null, AlignToStoredParts: false };
}
