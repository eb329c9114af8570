namespace Transfer.S3;

/// <summary>The options of a copy or a synchronization of many objects: how each object is transferred, and what a failure does.</summary>
/// <example>
/// <code>
/// SyncOptions options = new()
/// {
///     OnFailure = FailurePolicy.Continue,
///     Upload = new UploadOptions { CacheControl = "max-age=3600" }, // for each object
///     ObjectEnded = outcome => Console.WriteLine($"{outcome.Name}: {outcome.Status}"),
/// };
/// await client.SyncAsync(Place.InDirectory("site"), Place.InBucket("bucket", "site/"), options);
/// </code>
/// </example>
public abstract record TreeTransferOptions : TreeOptions
{
    /// <summary>Gets a value that indicates whether the transfer continues after an object has failed.</summary>
    /// <value>The default is <see cref="FailurePolicy.Abort"/>.</value>
    public FailurePolicy OnFailure { get; init; }

    /// <summary>Gets a value that indicates whether symbolic links in a source folder are followed. Links at the target never are.</summary>
    /// <value>The default is <see cref="SymbolicLinks.Follow"/>.</value>
    public SymbolicLinks SymbolicLinks { get; init; }

    /// <summary>
    /// Gets a value that indicates whether an upload creates an empty object named <c>folder/</c> for each empty directory. Downloads always create directories for
    /// such objects.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to upload empty directories; otherwise, <see langword="false"/>. The default is <see langword="false"/>. A synchronization whose source is
    /// a prefix refuses it.
    /// </value>
    public bool EmptyFolders { get; init; }

    /// <summary>
    /// Gets a value that indicates whether a download writes files whose names only Unix systems allow: with backslashes, control characters, or a drive letter at the
    /// beginning.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to write them; <see langword="false"/> to report their objects as failures. The default is <see langword="false"/>. On Windows, they are
    /// always failures.
    /// </value>
    /// <remarks>
    /// Such names can mislead programs and people: a backslash separates directories on Windows, and a control character can change what a terminal shows. Names that
    /// would be elsewhere, such as those with <c>..</c>, and those with a null character are failures in any case.
    /// </remarks>
    public bool AllowSpecialNames { get; init; }

    /// <summary>Gets the options of each download.</summary>
    /// <value>The default is <see langword="null"/>: the default options.</value>
    /// <remarks>
    /// Options for a single object must not be set: <see cref="ObjectReadOptions.Hint"/>, <see cref="DownloadOptions.Range"/>,
    /// <see cref="ObjectAccessOptions.VersionId"/>, <see cref="DownloadOptions.Handle"/>, and the conditions. Neither must
    /// <see cref="DownloadOptions.Overwrite"/> be <see langword="false"/>: set <see cref="DirectoryOptions.SkipExisting"/> of a copy instead.
    /// </remarks>
    public DownloadOptions? Download { get; init; }

    /// <summary>Gets the options of each upload.</summary>
    /// <value>The default is <see langword="null"/>: the default options.</value>
    /// <remarks>
    /// Options for a single object must not be set: <see cref="UploadOptions.IfMatch"/>, <see cref="UploadOptions.Handle"/>, and <see cref="UploadOptions.Length"/>.
    /// Neither must <see cref="UploadOptions.Overwrite"/> be <see langword="false"/>: set <see cref="DirectoryOptions.SkipExisting"/> of a copy instead.
    /// </remarks>
    public UploadOptions? Upload { get; init; }

    /// <summary>Gets the options of each copy.</summary>
    /// <value>The default is <see langword="null"/>: the default options.</value>
    /// <remarks>
    /// Options for a single object must not be set: <see cref="CopyOptions.SourceVersionId"/> and <see cref="CopyOptions.Handle"/>. Neither must
    /// <see cref="CopyOptions.Overwrite"/> be <see langword="false"/>: set <see cref="DirectoryOptions.SkipExisting"/> of a copy instead.
    /// </remarks>
    public CopyOptions? Copy { get; init; }

    /// <summary>Gets the events of the whole transfer. Their progress includes all objects, and their key is the prefix.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    /// <remarks>
    /// The events of each object are <see cref="ObjectReadOptions.Events"/>, <see cref="UploadOptions.Events"/>, <see cref="CopyOptions.Events"/>, and
    /// <see cref="TransferClientOptions.Events"/> of the client.
    /// </remarks>
    public TransferEvents? Events { get; init; }

    /// <summary>Gets the handle that monitors and controls the transfer of all objects together: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. A handle can be used for one transfer only.</value>
    public TransferHandle? Handle { get; init; }
}
