namespace Transfer.S3;

/// <summary>The options of a transfer of many objects.</summary>
public sealed record DirectoryOptions
{
    /// <summary>Gets the patterns of the files or objects to transfer.</summary>
    /// <value>The default is an empty list: everything is transferred.</value>
    /// <remarks>
    /// <para>
    /// Patterns are matched against the path relative to the directory or the prefix, with <c>/</c> as the separator. <c>*</c> matches any characters within a name,
    /// and <c>**</c> matches any number of directories. No other characters are special, and the match is case-sensitive.
    /// </para>
    /// <para>
    /// A pattern that matches a directory selects everything in it: <c>logs/</c>, <c>logs/*</c>, and <c>logs/**</c> are the same. A pattern without <c>/</c>, such as
    /// <c>*.log</c> or <c>logs</c>, matches names at any depth. Others begin at the directory or the prefix, also those that begin with <c>/</c>.
    /// </para>
    /// <para>Empty names, <c>.</c>, and <c>..</c> in keys are names like others: <c>*.log</c> matches <c>a//b.log</c> and <c>../b.log</c>.</para>
    /// </remarks>
    public IReadOnlyList<string> Include { get; init; } = [];

    /// <summary>Gets the patterns of the files or objects to exclude from <see cref="Include"/>.</summary>
    /// <value>The default is an empty list: nothing is excluded.</value>
    public IReadOnlyList<string> Exclude { get; init; } = [];

    /// <summary>Gets the filter by ordered rules for paths, sizes, times, and storage classes.</summary>
    /// <value>The default is <see langword="null"/>: only <see cref="Include"/> and <see cref="Exclude"/> select.</value>
    public ObjectFilter? Filter { get; init; }

    /// <summary>Gets the keys of the objects to download, copy, or move. The prefix is then not listed.</summary>
    /// <value>The default is <see langword="null"/>: all objects under the prefix.</value>
    /// <remarks>
    /// <para>
    /// The keys are whole keys in any order. They are read once, while objects are being transferred, so memory doesn't grow with their number. A key that isn't
    /// under the prefix, or that doesn't exist, is a failure of its object. A key that follows itself is ignored, and other duplicates are transferred again. An
    /// exception that the list throws ends the transfer.
    /// </para>
    /// <para>
    /// A list doesn't have to contain sizes, so the progress has no total size, and <see cref="Filter"/> can't select by size, time, or storage class. If one key
    /// needs a directory where another one is a file, the one that is written later fails. Keys can't be set for an upload. With <see cref="DeleteSource"/>, a key
    /// whose object was moved before is a failure, because the object doesn't exist anymore.
    /// </para>
    /// </remarks>
    public IAsyncEnumerable<ObjectKey>? Keys { get; init; }

    /// <summary>Gets the time whose objects are downloaded, copied, or the source of a synchronization, in a bucket that keeps versions.</summary>
    /// <value>The default is <see langword="null"/>: the current objects.</value>
    /// <remarks>
    /// <para>
    /// The versions of the source are listed, and each object is read in the version that it had; see <see cref="ListObjectsOptions.AsOf"/>. The time can't be set for
    /// an upload, together with <see cref="Keys"/> or <see cref="DeleteSource"/>, or for a job that synchronizes.
    /// </para>
    /// <para>
    /// A copy to the prefix of the source restores what was there: older versions become the current ones, and objects whose version is still the current one are
    /// skipped. What was created since stays.
    /// </para>
    /// </remarks>
    public DateTimeOffset? AsOf { get; init; }

    /// <summary>Gets a value that indicates whether the transfer continues after an object has failed.</summary>
    /// <value>The default is <see cref="FailurePolicy.Abort"/>.</value>
    public FailurePolicy OnFailure { get; init; }

    /// <summary>
    /// Gets the maximum number of objects to transfer concurrently. Their requests share <see cref="TransferClientOptions.MaxConcurrency"/> with all other transfers.
    /// </summary>
    /// <value>
    /// The default is <see langword="null"/>: as many as the link needs and <see cref="TransferClientOptions.MaxConcurrency"/> allows. Range: 1 to 1024.
    /// </value>
    public int? MaxConcurrentObjects { get; init; }

    /// <summary>Gets a value that indicates whether targets that already exist are skipped: files of a download, and objects of an upload or copy.</summary>
    /// <value><see langword="true"/> to skip targets that already exist; <see langword="false"/> to replace them. The default is <see langword="false"/>.</value>
    /// <remarks>
    /// Objects that are created during the transfer are not replaced either, if the store supports that; see <see cref="UploadOptions.Overwrite"/>. The first
    /// object of an upload is sent twice, to find out whether the store rejects the second request.
    /// </remarks>
    public bool SkipExisting { get; init; }

    /// <summary>Gets a value that indicates whether the source of each object is deleted after its copy was verified, so that it is moved.</summary>
    /// <value><see langword="true"/> to move; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    /// <remarks>
    /// An object is deleted only if it still has the ETag that was copied, and a file only if it hasn't changed. If a copy isn't verified, or its source can't be
    /// deleted, both remain, and the object is a failure. Skipped objects aren't deleted, and neither are directories. An upload must skip symbolic links. Downloaded
    /// files are flushed to disk.
    /// </remarks>
    public bool DeleteSource { get; init; }

    /// <summary>Gets a value that indicates whether the transfer only determines what it would do, and reports that to <see cref="ObjectEnded"/>.</summary>
    /// <value><see langword="true"/> to transfer nothing; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DryRun { get; init; }

    /// <summary>Gets a value that indicates whether an upload follows symbolic links. Downloads never follow them.</summary>
    /// <value>The default is <see cref="SymbolicLinks.Follow"/>.</value>
    public SymbolicLinks SymbolicLinks { get; init; }

    /// <summary>Gets a value that indicates whether files and directories whose names begin with a dot are transferred.</summary>
    /// <value><see langword="true"/> to transfer them; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    public bool IncludeHidden { get; init; } = true;

    /// <summary>
    /// Gets a value that indicates whether an upload creates an empty object named <c>folder/</c> for each empty directory. Downloads always create directories for
    /// such objects.
    /// </summary>
    /// <value><see langword="true"/> to upload empty directories; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
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

    /// <summary>Gets what happens to archived objects of a download, a copy, or a move.</summary>
    /// <value>The default is <see cref="ArchivedObjects.Fail"/>.</value>
    /// <remarks>
    /// The storage class in the listing shows most archived objects, so no request reads them. Those in the archive tiers of <c>INTELLIGENT_TIERING</c>, and those of a
    /// list of keys, are found when the store refuses to read them.
    /// </remarks>
    public ArchivedObjects Archived { get; init; }

    /// <summary>Gets the number of days for which restored copies can be read, with <see cref="ArchivedObjects.Restore"/>.</summary>
    /// <value>The default is 7. Range: 1 to 36,500.</value>
    public int RestoreDays { get; init; } = RestoreOptions.DefaultDays;

    /// <summary>Gets the options of each download.</summary>
    /// <value>The default is <see langword="null"/>: the default options.</value>
    /// <remarks>
    /// Options for a single object must not be set: <see cref="ObjectReadOptions.Hint"/>, <see cref="DownloadOptions.Range"/>,
    /// <see cref="ObjectAccessOptions.VersionId"/>, <see cref="DownloadOptions.Handle"/>, and the conditions. <see cref="SkipExisting"/> replaces
    /// <see cref="DownloadOptions.Overwrite"/>.
    /// </remarks>
    public DownloadOptions? Download { get; init; }

    /// <summary>Gets the options of each upload.</summary>
    /// <value>The default is <see langword="null"/>: the default options.</value>
    /// <remarks>
    /// Options for a single object must not be set: <see cref="UploadOptions.IfMatch"/>, <see cref="UploadOptions.Handle"/>, and <see cref="UploadOptions.Length"/>.
    /// <see cref="SkipExisting"/> replaces <see cref="UploadOptions.Overwrite"/>.
    /// </remarks>
    public UploadOptions? Upload { get; init; }

    /// <summary>Gets the options of each copy.</summary>
    /// <value>The default is <see langword="null"/>: the default options.</value>
    /// <remarks>
    /// Options for a single object must not be set: <see cref="CopyOptions.SourceVersionId"/> and <see cref="CopyOptions.Handle"/>. <see cref="SkipExisting"/>
    /// replaces <see cref="CopyOptions.Overwrite"/>.
    /// </remarks>
    public CopyOptions? Copy { get; init; }

    /// <summary>Gets the rate limits of all objects of this transfer together. The limits of the client apply as well.</summary>
    /// <value>The default is <see langword="null"/>: only the limits of the client apply. Copies within the store are not limited.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>Gets the events of the whole transfer. Their progress includes all objects, and their key is the prefix.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    /// <remarks>
    /// The events of each object are <see cref="ObjectReadOptions.Events"/>, <see cref="UploadOptions.Events"/>, <see cref="CopyOptions.Events"/>, and
    /// <see cref="TransferClientOptions.Events"/> of the client.
    /// </remarks>
    public TransferEvents? Events { get; init; }

    /// <summary>
    /// Gets a callback that receives the outcome of each object; in a synchronization, except for what is the same on both sides. Calls do not overlap. The transfer
    /// waits for each call, so a slow callback delays it.
    /// </summary>
    /// <value>The default is <see langword="null"/>. Exceptions that the callback throws are logged and otherwise ignored.</value>
    public Action<Outcome>? ObjectEnded { get; init; }

    /// <summary>Gets the handle that monitors and controls the transfer of all objects together: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. A handle can be used for one transfer only.</value>
    public TransferHandle? Handle { get; init; }
}
