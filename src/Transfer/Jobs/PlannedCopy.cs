namespace Transfer.S3.Jobs;

/// <summary>The options of the copies of a job inside a store.</summary>
internal sealed record PlannedCopy
{
    public long? PartSizeBytes { get; init; }

    public long? MultipartThresholdBytes { get; init; }

    public bool DoesNotResume { get; init; }

    public bool RequesterPays { get; init; }

    public static PlannedCopy From(CopyOptions options) => new()
    {
        PartSizeBytes = options.PartSizeBytes,
        MultipartThresholdBytes = options.MultipartThresholdBytes,
        DoesNotResume = !options.Resume,
        RequesterPays = options.RequesterPays,
    };

    public CopyOptions ToOptions() => new()
    {
        PartSizeBytes = PartSizeBytes,
        MultipartThresholdBytes = MultipartThresholdBytes,
        Resume = !DoesNotResume,
        RequesterPays = RequesterPays,
    };
}
