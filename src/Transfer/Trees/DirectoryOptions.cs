namespace Transfer.S3;

/// <summary>The options of a copy or a move of many objects.</summary>
/// <example>
/// <code>
/// DirectoryOptions options = new() { SkipExisting = true, OnFailure = FailurePolicy.Continue };
/// DirectoryResult result = await client.DownloadDirectoryAsync("bucket", "photos/", "photos", options);
/// </code>
/// </example>
public sealed record DirectoryOptions : TreeTransferOptions
{
    /// <summary>Gets the keys of the objects to download, copy, or move. The prefix is then not listed.</summary>
    /// <value>The default is <see langword="null"/>: all objects under the prefix.</value>
    /// <remarks>
    /// <para>
    /// The keys are whole keys in any order. They are read once, while objects are being transferred, so memory doesn't grow with their number. A key that isn't
    /// under the prefix, or that doesn't exist, is a failure of its object. A key that follows itself is ignored, and other duplicates are transferred again. An
    /// exception that the list throws ends the transfer.
    /// </para>
    /// <para>
    /// A list doesn't have to contain sizes, so the progress has no total size, and <see cref="TreeOptions.Filter"/> can't select by size, time, or storage class. If one key
    /// needs a directory where another one is a file, the one that is written later fails. Keys can't be set for an upload. With <see cref="DeleteSource"/>, a key
    /// whose object was moved before is a failure, because the object doesn't exist anymore.
    /// </para>
    /// </remarks>
    public IAsyncEnumerable<ObjectKey>? Keys { get; init; }

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

    /// <summary>Gets a value that indicates whether the transfer only determines what it would do, and reports that to <see cref="TreeOptions.ObjectEnded"/>.</summary>
    /// <value><see langword="true"/> to transfer nothing; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DryRun { get; init; }

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
}
