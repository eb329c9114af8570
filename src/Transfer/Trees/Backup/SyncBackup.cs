namespace Transfer.S3;

/// <summary>Where a synchronization keeps what it would replace or delete at its target.</summary>
/// <remarks>
/// <para>
/// Each file or object keeps its path relative to the target. It is moved there before its replacement gets its name, or before it is deleted. If that fails, it stays as
/// it is, and counts as failed. Nothing in a backup is ever replaced: if the name is taken by other content, the next backup is <c>name.~1~</c>, then
/// <c>name.~2~</c>, and so on, up to 99.
/// </para>
/// <para>
/// The backup must not overlap the source. It can be below the target only if <see cref="SyncOptions.Directory"/> excludes that folder and
/// <see cref="SyncOptions.DeleteExcluded"/> isn't set.
/// </para>
/// </remarks>
public sealed record SyncBackup
{
    private SyncBackup()
    {
    }

    /// <summary>Gets the directory of the backup; <see langword="null"/> if it is a prefix.</summary>
    public string? Directory { get; private init; }

    /// <summary>Gets the bucket of the backup; <see langword="null"/> if it is a directory.</summary>
    public string? Bucket { get; private init; }

    /// <summary>Gets the prefix of the backup; <see langword="null"/> if it is a directory.</summary>
    public string? Prefix { get; private init; }

    /// <summary>Creates the backup of a synchronization to a directory.</summary>
    /// <param name="directory">The directory, which is created when it is needed. On the file system of the target, a backup takes neither time nor space. On another one, files are copied.</param>
    /// <returns>The backup.</returns>
    /// <exception cref="ArgumentException">Thrown when the path is empty.</exception>
    public static SyncBackup ToDirectory(string directory)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(directory);
        return new SyncBackup { Directory = directory };
    }

    /// <summary>Creates the backup of a synchronization to a store. Objects are copied inside the store of the target.</summary>
    /// <param name="bucket">The bucket, which can be another one of the same store.</param>
    /// <param name="prefix">The prefix. Like that of a target, it is the name of a folder: <c>old</c> and <c>old/</c> are the same.</param>
    /// <returns>The backup.</returns>
    /// <exception cref="ArgumentException">Thrown when the bucket is empty.</exception>
    public static SyncBackup ToPrefix(string bucket, string prefix)
    {
        OptionGuard.Bucket(bucket);
        ArgumentNullException.ThrowIfNull(prefix);
        return new SyncBackup { Bucket = bucket, Prefix = prefix };
    }
}
