namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.ReadObjectsAsync"/>.</summary>
/// <example>
/// <code>
/// ReadObjectsOptions options = new() { Include = ["*.csv"], MaxConcurrentObjects = 4, OnFailure = FailurePolicy.Continue };
/// await client.ReadObjectsAsync("bucket", "reports/", async (name, stream, token) => await stream.CopyToAsync(Stream.Null, token), options);
/// </code>
/// </example>
public sealed record ReadObjectsOptions : TreeOptions
{
    /// <summary>Gets the keys of the objects to read. The prefix is then not listed.</summary>
    /// <value>The default is <see langword="null"/>: all objects under the prefix.</value>
    /// <remarks>For what a list can contain, see <see cref="DirectoryOptions.Keys"/>.</remarks>
    public IAsyncEnumerable<ObjectKey>? Keys { get; init; }

    /// <summary>Gets a value that indicates whether objects are read after one has failed.</summary>
    /// <value>The default is <see cref="FailurePolicy.Abort"/>.</value>
    public FailurePolicy OnFailure { get; init; }

    /// <summary>Gets what happens to archived objects.</summary>
    /// <value>The default is <see cref="ArchivedObjects.Fail"/>.</value>
    public ArchivedObjects Archived { get; init; }

    /// <summary>Gets the number of days for which restored copies can be read, with <see cref="ArchivedObjects.Restore"/>.</summary>
    /// <value>The default is 7. Range: 1 to 36,500.</value>
    public int RestoreDays { get; init; } = RestoreOptions.DefaultDays;

    /// <summary>Gets the options with which each object is opened.</summary>
    /// <value>The default is <see langword="null"/>: the default options.</value>
    /// <remarks>
    /// Options for a single object must not be set: <see cref="ObjectReadOptions.Hint"/>, <see cref="DownloadOptions.Range"/>,
    /// <see cref="ObjectAccessOptions.VersionId"/>, <see cref="DownloadOptions.Handle"/>, and the conditions.
    /// </remarks>
    public DownloadOptions? Download { get; init; }

    /// <summary>Gets the events of the whole transfer. Their progress includes all objects, and their key is the prefix.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    /// <remarks>
    /// The events of each object are <see cref="ObjectReadOptions.Events"/> of <see cref="Download"/>, and <see cref="TransferClientOptions.Events"/> of the client.
    /// </remarks>
    public TransferEvents? Events { get; init; }

    /// <summary>Gets the handle that monitors and controls the transfer of all objects together: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. A handle can be used for one transfer only.</value>
    public TransferHandle? Handle { get; init; }
}
