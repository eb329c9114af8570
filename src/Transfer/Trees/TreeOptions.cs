namespace Transfer.S3;

/// <summary>The options of an operation on many objects: what is selected, how many at a time, and who is told.</summary>
/// <example>
/// <code>
/// // Every operation on many objects selects them in the same way.
/// DirectoryOptions options = new()
/// {
///     Include = ["*.jpg", "raw/"],
///     Exclude = ["**/thumbnails/"],
///     Filter = new ObjectFilter { ModifiedSince = DateTimeOffset.UtcNow.AddDays(-1) },
///     MaxConcurrentObjects = 8,
/// };
/// await client.UploadDirectoryAsync("photos", "bucket", "photos/", options);
/// </code>
/// </example>
public abstract record TreeOptions
{
    /// <summary>Gets the patterns of the files or objects to select.</summary>
    /// <value>The default is an empty list: everything is selected.</value>
    /// <remarks>
    /// <para>
    /// Patterns are matched against the path relative to the directory or the prefix, with <c>/</c> as the separator. <c>*</c> matches any characters within a name,
    /// <c>?</c> one of them, and <c>**</c> any number of directories. No other characters are special, and the match is case-sensitive.
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

    /// <summary>Gets the time whose objects are the source, in a bucket that keeps versions.</summary>
    /// <value>The default is <see langword="null"/>: the current objects.</value>
    /// <remarks>
    /// The versions of the source are listed, and each object is read in the version that it had; see <see cref="ListObjectsOptions.AsOf"/>. The time can't be set if
    /// the source is a folder, for a job that synchronizes, or together with a list of keys or with <see cref="DirectoryOptions.DeleteSource"/>.
    /// </remarks>
    public DateTimeOffset? AsOf { get; init; }

    /// <summary>Gets a value that indicates whether files and objects are selected whose names begin with a dot, or that are in such a folder.</summary>
    /// <value><see langword="true"/> to select them; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    public bool IncludeHidden { get; init; } = true;

    /// <summary>
    /// Gets the maximum number of objects to process concurrently. Their requests share <see cref="TransferClientOptions.MaxConcurrency"/> with all other transfers.
    /// </summary>
    /// <value>
    /// The default is <see langword="null"/>: as many as the link needs and <see cref="TransferClientOptions.MaxConcurrency"/> allows. Range: 1 to 1024.
    /// </value>
    public int? MaxConcurrentObjects { get; init; }

    /// <summary>Gets the rate limits of all objects together. The limits of the client apply as well.</summary>
    /// <value>The default is <see langword="null"/>: only the limits of the client apply. Copies within the store aren't limited.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>
    /// Gets a callback that receives the outcome of each object, in no particular order; in a synchronization or a comparison, except for what is the same on both sides.
    /// Calls do not overlap. The operation waits for each call, so a slow callback delays it.
    /// </summary>
    /// <value>The default is <see langword="null"/>. Exceptions that the callback throws are logged and otherwise ignored.</value>
    public Action<Outcome>? ObjectEnded { get; init; }
}
