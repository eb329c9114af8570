using System.Text.Json.Serialization;

namespace Transfer.S3.Jobs;

/// <summary>The options of the transfers of a job. Those of a process, such as rate limits and events, are the worker's.</summary>
internal sealed record PlannedOptions
{
    public SymbolicLinks Links { get; init; }

    [JsonConverter(typeof(OptionConverter<DownloadOptions>))]
    public DownloadOptions? Download { get; init; }

    [JsonConverter(typeof(OptionConverter<UploadOptions>))]
    public UploadOptions? Upload { get; init; }

    [JsonConverter(typeof(OptionConverter<CopyOptions>))]
    public CopyOptions? Copy { get; init; }

    /// <param name="options">The options.</param>
    /// <param name="keepsTimes">Whether times are kept in any case, because they are compared next time.</param>
    public static PlannedOptions From(TreeTransferOptions options, bool keepsTimes) => new()
    {
        Links = options.SymbolicLinks,
        Download = keepsTimes ? (options.Download ?? new DownloadOptions()) with { KeepLastModified = true } : options.Download,
        Upload = keepsTimes ? (options.Upload ?? new UploadOptions()) with { KeepLastModified = true } : options.Upload,
        Copy = options.Copy,
    };

    /// <summary>Gets the options of a worker.</summary>
    /// <param name="concurrency">The maximum number of objects to transfer concurrently.</param>
    public SyncOptions ToSync(int? concurrency) => new()
    {
        Comparison = SyncComparison.Content,
        UseState = false,
        OnFailure = FailurePolicy.Continue,
        SymbolicLinks = Links,
        MaxConcurrentObjects = concurrency,
        Download = Download,
        Upload = Upload,
        Copy = Copy,
    };
}
