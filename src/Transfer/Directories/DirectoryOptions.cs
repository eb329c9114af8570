namespace Transfer;

/// <summary>Options of a transfer of many objects.</summary>
public sealed record DirectoryOptions
{
    /// <summary>
    /// Patterns of what is wanted, matched against paths below the folder or the prefix with <c>/</c> between names: <c>*</c> is anything within a name, <c>**</c> any
    /// number of folders, and nothing else is special. A pattern without a <c>/</c> is for names at any depth: <c>*.log</c>; one that ends in a <c>/</c> for all
    /// that is below a folder: <c>logs/</c>. Upper and lower case differ.
    /// </summary>
    /// <value>Default: empty, everything.</value>
    public IReadOnlyList<string> Include { get; init; } = [];

    /// <summary>Patterns of what of that is left out.</summary>
    /// <value>Default: empty, nothing.</value>
    public IReadOnlyList<string> Exclude { get; init; } = [];

    /// <summary>What a failed object means to the others.</summary>
    /// <value>Default: <see cref="FailurePolicy.Abort"/>.</value>
    public FailurePolicy OnFailure { get; init; }

    /// <summary>Objects under way at once, at the most; their requests share <see cref="TransferClientOptions.Concurrency"/> with everything else.</summary>
    /// <value>Default: null, as many as the link needs and <see cref="TransferClientOptions.Concurrency"/> allows. Range: 1 to 1024.</value>
    public int? Concurrency { get; init; }

    /// <summary>Leave alone what is there already under the name: a file of a download, an object of an upload or a copy.</summary>
    /// <value>Default: false. What appears meanwhile is not replaced either, if the store supports that: see <see cref="UploadOptions.OnlyIfAbsent"/>.</value>
    /// <remarks>The first object that is uploaded is sent twice, to find out whether the store refuses the second request.</remarks>
    public bool SkipExisting { get; init; }

    /// <summary>Only find out what would be moved, and tell it to <see cref="ObjectEnded"/>.</summary>
    /// <value>Default: false.</value>
    public bool DryRun { get; init; }

    /// <summary>What links in a local tree mean to an upload of it. A download never follows any.</summary>
    /// <value>Default: <see cref="SymbolicLinks.Follow"/>.</value>
    public SymbolicLinks SymbolicLinks { get; init; }

    /// <summary>Take files and folders whose names begin with a dot.</summary>
    /// <value>Default: true.</value>
    public bool IncludeHidden { get; init; } = true;

    /// <summary>Upload an empty object named <c>folder/</c> for every folder that has nothing in it. A download makes folders of such objects always.</summary>
    /// <value>Default: false.</value>
    public bool EmptyFolders { get; init; }

    /// <summary>Options of each download.</summary>
    /// <value>
    /// Default: null. <see cref="DownloadOptions.Hint"/>, <see cref="DownloadOptions.Range"/>, <see cref="DownloadOptions.VersionId"/> and the conditions are for one
    /// object and are refused; <see cref="DownloadOptions.Overwrite"/> is <see cref="SkipExisting"/>'s opposite here.
    /// </value>
    public DownloadOptions? Download { get; init; }

    /// <summary>Options of each upload.</summary>
    /// <value>Default: null. <see cref="UploadOptions.IfMatch"/> is for one object and is refused; <see cref="UploadOptions.OnlyIfAbsent"/> is <see cref="SkipExisting"/> here.</value>
    public UploadOptions? Upload { get; init; }

    /// <summary>Options of each copy.</summary>
    /// <value>Default: null. <see cref="CopyOptions.SourceVersionId"/> is for one object and is refused; <see cref="CopyOptions.OnlyIfAbsent"/> is <see cref="SkipExisting"/> here.</value>
    public CopyOptions? Copy { get; init; }

    /// <summary>Gets the limits of the bytes per second of all objects of this transfer together. The client's limits apply as well.</summary>
    /// <value>The default is <see langword="null"/>, only those of the client. Copies inside the store have no limit.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>
    /// Events of the whole: their progress counts all objects, and their key is the prefix. Those of each object are <see cref="DownloadOptions.Events"/>,
    /// <see cref="UploadOptions.Events"/> and <see cref="CopyOptions.Events"/>, and the client's <see cref="TransferClientOptions.Events"/>.
    /// </summary>
    /// <value>Default: null.</value>
    public TransferEvents? Events { get; init; }

    /// <summary>Told what became of each object. Called one at a time, by the transfer itself: what takes long holds it up.</summary>
    /// <value>Default: null. What it throws is logged and otherwise ignored.</value>
    public Action<ObjectOutcome>? ObjectEnded { get; init; }

    /// <summary>Gets the handle that follows and controls the transfer of all objects together: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. Each handle is for one transfer.</value>
    public TransferHandle? Handle { get; init; }
}
