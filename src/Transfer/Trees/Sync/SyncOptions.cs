namespace Transfer.S3;

/// <summary>The options of a synchronization.</summary>
/// <remarks>
/// The selection applies to both sides. With <see cref="FailurePolicy.Abort"/>, a conflict ends the synchronization, too. Conditions of each transfer can't be set, because each is
/// bound to what was listed.
/// </remarks>
/// <example>
/// <code>
/// SyncOptions options = new()
/// {
///     Delete = true,
///     MaxDelete = DeletionLimit.Percent(5), // more are probably a mistake
///     Backup = Place.InBucket("bucket", "replaced/2026-11-28/"),
/// };
/// await client.SyncAsync(Place.InDirectory("/data"), Place.InBucket("bucket", "data/"), options);
/// </code>
/// </example>
public sealed record SyncOptions : TreeTransferOptions
{
    /// <summary>Gets how targets of the same size are compared with their sources.</summary>
    /// <value>The default is <see cref="SyncComparison.Auto"/>.</value>
    public SyncComparison Comparison { get; init; }

    /// <summary>Gets by how much two recorded times can differ with <see cref="SyncComparison.Time"/>.</summary>
    /// <value>The default is 1 second. Range: zero to 1 day.</value>
    public TimeSpan ModifyWindow { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Gets a value that indicates whether the state of the last run between the same two sides is used and kept, so that what is unchanged on both sides isn't compared
    /// again.
    /// </summary>
    /// <value><see langword="true"/> to use and keep it; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    /// <remarks>
    /// It is a file in <see cref="TransferClientOptions.StateDirectory"/>. <see cref="SyncComparison.Auto"/> uses it, and <see cref="SyncComparison.Auto"/> and
    /// <see cref="SyncComparison.Content"/> keep it. An object must still have its ETag and size. A file must still have its size, times, and inode number, which only
    /// Linux provides, so other systems keep state only of copies from store to store. A damaged file costs time only.
    /// </remarks>
    public bool UseState { get; init; } = true;

    /// <summary>Gets a value that indicates whether files and objects at the target are deleted that don't exist at the source.</summary>
    /// <value><see langword="true"/> to delete them; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    /// <remarks>
    /// They are deleted at the end: after both sides were listed to their ends, everything was copied, and <see cref="MaxDelete"/> was checked. A target stays if
    /// something with its name at the source could not be read or is excluded, or if it has changed since it was listed. Folders are deleted only if they are empty.
    /// </remarks>
    public bool Delete { get; init; }

    /// <summary>Gets a value that indicates whether <see cref="Delete"/> also deletes what the patterns leave out, whether or not it exists at the source.</summary>
    /// <value><see langword="true"/> to delete it; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DeleteExcluded { get; init; }

    /// <summary>Gets a value that indicates whether <see cref="Delete"/> deletes even if something failed. An incomplete listing always prevents deletions.</summary>
    /// <value><see langword="true"/> to delete nevertheless; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DeleteDespiteFailures { get; init; }

    /// <summary>Gets the number of files or objects to delete at most. If there are more, nothing is deleted, and a <see cref="TransferException"/> with <see cref="TransferError.DeletionLimit"/> is thrown.</summary>
    /// <value>The default is <see cref="DeletionLimit.Default"/>: half of the selected entries at the target, if there are 100 or more.</value>
    public DeletionLimit MaxDelete { get; init; } = DeletionLimit.Default;

    /// <summary>Gets where files or objects at the target are kept before they are replaced or deleted.</summary>
    /// <value>
    /// The default is <see langword="null"/>: they aren't kept. For a folder, it is a folder, which is created when it is needed: on the same file system, a backup takes
    /// neither time nor space. For a prefix, it is a prefix of any bucket of the same store.
    /// </value>
    /// <remarks>
    /// <para>
    /// Each file or object keeps its path relative to the target. It is moved there before its replacement gets its name, or before it is deleted. If that fails, it stays as
    /// it is, and counts as failed. Nothing in a backup is ever replaced: if the name is taken by other content, the next backup is <c>name.~1~</c>, then
    /// <c>name.~2~</c>, and so on, up to 99.
    /// </para>
    /// <para>
    /// The backup must not overlap the source. It can be below the target only if <see cref="Directory"/> excludes that folder and <see cref="DeleteExcluded"/> isn't set.
    /// </para>
    /// </remarks>
    public Place? Backup { get; init; }

    /// <summary>Gets when objects are published.</summary>
    /// <value>The default is <see cref="PublishMode.Each"/>: each when it was uploaded.</value>
    /// <remarks>
    /// <para>
    /// With <see cref="PublishMode.AllAtOnce"/>, the target must be in a store. Every object, however small, is a multipart upload, which takes three requests instead of one. When all
    /// are uploaded and no target has changed since it was listed, all are published, as many at the same time as the client allows, and then
    /// <see cref="Delete"/> takes effect. <see cref="DirectoryResult.PublishWindow"/> is the time in which readers could see old and new objects.
    /// </para>
    /// <para>
    /// If something fails or the call is canceled before the first object is published, all uploads are aborted, and the target is as it was. If the process is killed, the next
    /// call with the same target does that. From the first object on, the call goes forward, also after a cancellation; if the process is killed, the next call publishes
    /// the rest before it does anything else. What is needed for that is in <see cref="TransferClientOptions.StateDirectory"/>. Only one call at a time can publish to a target
    /// from there. Interrupted uploads aren't resumed.
    /// </para>
    /// </remarks>
    public PublishMode Publish { get; init; }

    /// <summary>Gets the patterns of the names that are published after all others, with <see cref="PublishMode.AllAtOnce"/>: what refers to the other objects.</summary>
    /// <value>The default is <see langword="null"/>: <c>*.html</c> and <c>*.htm</c>.</value>
    /// <example>A package repository publishes its index last: <c>["repomd.xml", "InRelease"]</c>.</example>
    public IReadOnlyList<string>? PublishLast { get; init; }

    /// <summary>
    /// Gets a value that indicates whether the source can be empty. Otherwise, a prefix without any object, and an empty source together with <see cref="Delete"/>, are
    /// refused, because a disk that isn't mounted and a mistyped prefix look the same.
    /// </summary>
    /// <value><see langword="true"/> to accept an empty source; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool AllowEmptySource { get; init; }
}
