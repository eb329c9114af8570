namespace Transfer.S3;

/// <summary>The options of a deletion of many objects.</summary>
/// <example>
/// <code>
/// DeleteDirectoryOptions options = new()
/// {
///     Include = ["*.log"],
///     Filter = new ObjectFilter { ModifiedBefore = DateTimeOffset.UtcNow.AddDays(-90) },
///     DryRun = true,
///     ObjectEnded = outcome => Console.WriteLine(outcome.Name),
/// };
/// await client.DeleteTreeAsync("bucket", "logs/", options);
/// </code>
/// </example>
public sealed record DeleteDirectoryOptions
{
    /// <summary>Gets the patterns of the objects to delete. For their syntax, see <see cref="TreeOptions.Include"/>.</summary>
    /// <value>The default is an empty list: everything is deleted.</value>
    public IReadOnlyList<string> Include { get; init; } = [];

    /// <summary>Gets the patterns of the objects to exclude from <see cref="Include"/>.</summary>
    /// <value>The default is an empty list: nothing is excluded.</value>
    public IReadOnlyList<string> Exclude { get; init; } = [];

    /// <summary>Gets the filter by ordered rules for paths, sizes, times, and storage classes.</summary>
    /// <value>The default is <see langword="null"/>: only <see cref="Include"/> and <see cref="Exclude"/> select.</value>
    public ObjectFilter? Filter { get; init; }

    /// <summary>Gets the keys of the objects to delete. The prefix is then not listed.</summary>
    /// <value>The default is <see langword="null"/>: all objects under the prefix.</value>
    /// <remarks>
    /// <para>
    /// The keys are whole keys in any order. They are read once, while objects are being deleted, so memory doesn't grow with their number. A key that isn't under
    /// the prefix is a failure of its object. A key that doesn't exist counts as deleted. A key that follows itself is ignored, and other duplicates are deleted
    /// again. An exception that the list throws ends the deletion.
    /// </para>
    /// <para>
    /// An object of which the list gives the <see cref="ObjectKey.ETag"/> is deleted only if it still has it. Omit the ETag to delete it in any
    /// state. With <see cref="OnlyIfUnchanged"/>, a key without an ETag is a failure.
    /// </para>
    /// <para>
    /// The prefix can be empty without <see cref="WholeBucket"/>. Keys can't be combined with <see cref="MaxDelete"/>, or with a <see cref="Filter"/> by size, time, or
    /// storage class.
    /// </para>
    /// </remarks>
    public IAsyncEnumerable<ObjectKey>? Keys { get; init; }

    /// <summary>Gets a value that indicates whether all versions and delete markers of the objects are deleted for good.</summary>
    /// <value>
    /// <see langword="true"/> to delete all versions; otherwise, <see langword="false"/>. The default is <see langword="false"/>: in a bucket with versions, a delete
    /// marker hides each object.
    /// </value>
    /// <remarks>
    /// Each version and delete marker counts as an object: in limits, results, and callbacks. Those that are written during the deletion may remain. A version never
    /// changes, so it can't be combined with <see cref="OnlyIfUnchanged"/>, and neither with <see cref="Keys"/>, which have no versions.
    /// </remarks>
    public bool Versions { get; init; }

    /// <summary>Gets a value that indicates whether an empty prefix is accepted, so that all objects of the bucket are deleted.</summary>
    /// <value>
    /// <see langword="true"/> to accept it; otherwise, <see langword="false"/>. The default is <see langword="false"/>: an empty prefix is an error, because it is
    /// often that of a variable without a value.
    /// </value>
    public bool WholeBucket { get; init; }

    /// <summary>
    /// Gets a value that indicates whether the prefix doesn't have to be a whole folder name: <c>logs</c> is then also the prefix of <c>logs-2025/a</c> and of
    /// <c>logs</c> itself.
    /// </summary>
    /// <value><see langword="true"/> to use the prefix as it is; <see langword="false"/> to use it as the name of a folder. The default is <see langword="false"/>.</value>
    /// <remarks>Patterns are then matched against the path relative to the folder that contains the last name of the prefix.</remarks>
    public bool AnyPrefix { get; init; }

    /// <summary>
    /// Gets a value that indicates whether each object is deleted only if it still has the ETag of the listing or of <see cref="Keys"/>, so that an object that is replaced
    /// in the meantime remains. It is then a failure.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to delete only what was listed; otherwise, <see langword="false"/>. The default is <see langword="false"/>. For the support of stores,
    /// see <see cref="DeleteOptions.IfMatch"/>.
    /// </value>
    public bool OnlyIfUnchanged { get; init; }

    /// <summary>Gets the maximum number of objects to delete, or their maximum share of the objects under the prefix.</summary>
    /// <value>The default is <see langword="null"/>: no limit.</value>
    /// <remarks>
    /// If more objects are selected, nothing is deleted, and a <see cref="TransferException"/> with <see cref="TransferError.DeletionLimit"/> is thrown. To find that out, the objects are listed twice, with
    /// the same amount of memory.
    /// </remarks>
    public DeletionLimit? MaxDelete { get; init; }

    /// <summary>Gets a value that indicates whether the deletion continues after an object could not be deleted.</summary>
    /// <value>The default is <see cref="FailurePolicy.Abort"/>.</value>
    public FailurePolicy OnFailure { get; init; }

    /// <summary>Gets the maximum number of requests to send concurrently, each of which deletes up to 1,000 objects.</summary>
    /// <value>
    /// The default is <see langword="null"/>: 16, or <see cref="TransferClientOptions.MaxConcurrency"/> if that is lower. Range: 1 to 1024.
    /// </value>
    public int? MaxConcurrency { get; init; }

    /// <summary>Gets a value that indicates whether the objects are only listed, and reported to <see cref="ObjectEnded"/>.</summary>
    /// <value><see langword="true"/> to delete nothing; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DryRun { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// requests with status 403.
    /// </value>
    public bool RequesterPays { get; init; }

    /// <summary>
    /// Gets a callback that receives the outcome of each object. Calls do not overlap. The deletion waits for each call, so a slow callback delays it.
    /// </summary>
    /// <value>The default is <see langword="null"/>. Exceptions that the callback throws are logged and otherwise ignored.</value>
    public Action<Outcome>? ObjectEnded { get; init; }
}
