namespace Transfer.S3.Jobs;

/// <summary>The options of the uploads of a job.</summary>
internal sealed record PlannedUpload
{
    public long? PartSizeBytes { get; init; }

    public long? MultipartThresholdBytes { get; init; }

    public ChecksumAlgorithm Checksum { get; init; }

    public string? ContentType { get; init; }

    public Dictionary<string, string>? Metadata { get; init; }

    public bool DoesNotResume { get; init; }

    public bool KeepLastModified { get; init; }

    public bool KeepPermissions { get; init; }

    public bool KeepOwner { get; init; }

    public Dictionary<string, string>? Tags { get; init; }

    public string? StorageClass { get; init; }

    public PlannedEncryption? Encryption { get; init; }

    public ObjectLock? Lock { get; init; }

    public string? Acl { get; init; }

    public string? CacheControl { get; init; }

    public string? ContentDisposition { get; init; }

    public string? ContentEncoding { get; init; }

    public string? ContentLanguage { get; init; }

    public DateTimeOffset? Expires { get; init; }

    public bool RequesterPays { get; init; }

    public static PlannedUpload From(UploadOptions options) => new()
    {
        PartSizeBytes = options.PartSizeBytes,
        MultipartThresholdBytes = options.MultipartThresholdBytes,
        Checksum = options.Checksum,
        ContentType = options.ContentType,
        Metadata = options.Metadata is { } metadata ? new Dictionary<string, string>(metadata) : null,
        DoesNotResume = !options.Resume,
        KeepLastModified = options.KeepLastModified,
        KeepPermissions = options.KeepPermissions,
        KeepOwner = options.KeepOwner,
        Tags = options.Tags is { } tags ? new Dictionary<string, string>(tags) : null,
        StorageClass = options.StorageClass,
        Encryption = options.Encryption is { } encryption ? PlannedEncryption.From(encryption) : null,
        Lock = options.Lock,
        Acl = options.Acl,
        CacheControl = options.CacheControl,
        ContentDisposition = options.ContentDisposition,
        ContentEncoding = options.ContentEncoding,
        ContentLanguage = options.ContentLanguage,
        Expires = options.Expires,
        RequesterPays = options.RequesterPays,
    };

    public UploadOptions ToOptions() => new()
    {
        PartSizeBytes = PartSizeBytes,
        MultipartThresholdBytes = MultipartThresholdBytes,
        Checksum = Checksum,
        ContentType = ContentType,
        Metadata = Metadata,
        Resume = !DoesNotResume,
        KeepLastModified = KeepLastModified,
        KeepPermissions = KeepPermissions,
        KeepOwner = KeepOwner,
        Tags = Tags,
        StorageClass = StorageClass,
        Encryption = Encryption?.ToEncryption(),
        Lock = Lock,
        Acl = Acl,
        CacheControl = CacheControl,
        ContentDisposition = ContentDisposition,
        ContentEncoding = ContentEncoding,
        ContentLanguage = ContentLanguage,
        Expires = Expires,
        RequesterPays = RequesterPays,
    };
}
