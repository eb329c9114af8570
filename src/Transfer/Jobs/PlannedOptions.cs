using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>The options of the transfers of a job that change what is written. Those of a process, such as limits and listeners, are the worker's.</summary>
internal sealed record PlannedOptions
{
    public SymbolicLinks Links { get; init; }

    public PlannedDownload? Download { get; init; }

    public PlannedUpload? Upload { get; init; }

    public PlannedCopy? Copy { get; init; }

    /// <summary>Gets how the source is read.</summary>
    internal ReadAccess SourceAccess => new(Download?.RequesterPays ?? Copy?.RequesterPays ?? false, null);

    /// <param name="options">The options.</param>
    /// <param name="keepsTimes">Whether times are kept in any case, because they are compared next time.</param>
    public static PlannedOptions From(DirectoryOptions options, bool keepsTimes)
    {
        DownloadOptions? download = options.Download ?? (keepsTimes ? new DownloadOptions() : null);
        UploadOptions? upload = options.Upload ?? (keepsTimes ? new UploadOptions() : null);
        return new PlannedOptions
        {
            Links = options.SymbolicLinks,
            Download = download is null ? null : PlannedDownload.From(download with { KeepLastModified = keepsTimes || download.KeepLastModified }),
            Upload = upload is null ? null : PlannedUpload.From(upload with { KeepLastModified = keepsTimes || upload.KeepLastModified }),
            Copy = options.Copy is { } copy ? PlannedCopy.From(copy) : null,
        };
    }

    /// <summary>Gets the options of a worker.</summary>
    /// <param name="comparison">How a target is compared that exists unexpectedly.</param>
    /// <param name="concurrency">The maximum number of objects to transfer concurrently.</param>
    public SyncOptions ToSync(SyncComparison comparison, int? concurrency) => new()
    {
        Comparison = comparison,
        UseState = false,
        Directory = new DirectoryOptions
        {
            OnFailure = FailurePolicy.Continue,
            SymbolicLinks = Links,
            MaxConcurrentObjects = concurrency,
            Download = Download?.ToOptions(),
            Upload = Upload?.ToOptions(),
            Copy = Copy?.ToOptions(),
        },
    };
}
