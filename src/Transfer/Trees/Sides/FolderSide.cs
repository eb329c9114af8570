using System.Runtime.CompilerServices;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>A folder, of which files are read or written.</summary>
/// <param name="client">The client, whose state and other files of its own are left out.</param>
/// <param name="root">The path of the folder.</param>
/// <param name="other">The other side, which errors name.</param>
internal sealed class FolderSide(ClientContext client, string root, ObjectAddress other) : Side, IDisposable
{
    /// <summary>The number of entries that are read first, before any of them is used.</summary>
    private const int FirstAhead = 16;

    /// <summary>The maximum number of entries that are read while as many others are used: those of a page of a listing. They take less than 1 MiB.</summary>
    private const int MostAhead = 1000;

    private PathConflictDetector? _taken;
    private OwnEntries? _own;
    private (string? Name, bool IsThere, string? Clash) _lastFolder;

    public string Root => root;

    public override Place Place => field ??= Place.InDirectory(root);

    public override string Name => $"'{root}'";

    public override string Identity => root;

    /// <summary>Gets a value that indicates which links are followed.</summary>
    public SymbolicLinks Links { get; init; } = SymbolicLinks.Skip;

    /// <summary>Gets a value that indicates whether hidden entries are read.</summary>
    public bool ReadsHidden { get; init; } = true;

    /// <summary>Gets the directory below which no link is followed; null to follow links.</summary>
    public string? LinkRoot => Links == SymbolicLinks.Follow ? null : root;

    /// <summary>Gets a value that indicates whether special names are written.</summary>
    public bool AllowsSpecialNames { get; init; }

    /// <summary>Gets a value that indicates whether it is tried out that the file system distinguishes names that differ only by case. The folder is created for that.</summary>
    public bool TriesCase { get; init; }

    /// <summary>Gets a value that indicates whether a folder that doesn't exist is empty.</summary>
    public bool MayBeMissing { get; init; }

    /// <summary>Gets the folders that files are written to; null if the side is only read.</summary>
    public TargetTree? Tree { get; init; }

    /// <summary>Gets the backup of files that are replaced or deleted; null for none.</summary>
    public FileBackup? Backup { get; init; }

    private OwnEntries Own => _own ??= new OwnEntries(client.Settings);

    public override void CheckSource()
    {
        if (!Directory.Exists(root))
        {
            throw new TransferException($"'{root}' is not a directory. Specify a directory.") { Error = TransferError.SourceMissing, Bucket = other.Bucket, Key = other.Key };
        }
    }

    public override void CheckTarget()
    {
        if (File.Exists(root))
        {
            throw new TransferException($"'{root}' is a file. Specify a directory.") { Bucket = other.Bucket, Key = other.Key };
        }
    }

    /// <inheritdoc/>
    /// <remarks>More is read while what was read before is used.</remarks>
    public override async IAsyncEnumerable<TreeEntry> ReadAsync(SideReading reading, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (MayBeMissing && !Directory.Exists(root))
        {
            yield break;
        }

        LeftOutFiles leftOut = new(client.Logger);
        IEnumerable<LocalFile> tree = reading.IsOrdered
            ? new SortedFileTree(root, Links, ReadsHidden, prunes: reading.Filter.Prunes, tellsLinks: true, ignoresHidden: reading.IgnoresHidden, own: Own).Walk()
            : new LocalTree(root, Links, ReadsHidden, reading.Filter.Prunes, Own).Walk();
        using IEnumerator<LocalFile> files = tree.GetEnumerator();
        int most = FirstAhead;
        Task<List<TreeEntry>> coming = Task.Run(ReadNext, CancellationToken.None); // the caller must not wait for the disk
        try
        {
            while (await coming.ConfigureAwait(false) is { Count: > 0 } entries)
            {
                most = Math.Min(2 * most, MostAhead);
                coming = Task.Run(ReadNext, CancellationToken.None);
                foreach (TreeEntry entry in entries)
                {
                    yield return entry.Name.Length > 0 ? entry
                        : throw new TransferException($"'{root}' could not be read: {entry.Error!.Message}", entry.Error) { Bucket = other.Bucket, Key = other.Key };
                }
            }
        }
        finally
        {
            await ((Task)coming).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            leftOut.LogCount();
        }

        List<TreeEntry> ReadNext()
        {
            List<TreeEntry> entries = new(most);
            while (entries.Count < most && files.MoveNext())
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (reading.LogsLeftOut && files.Current.LeftOut != LeftOut.None && reading.Filter.Takes(files.Current.Name))
                {
                    leftOut.Note(files.Current.LeftOut, files.Current.Path);
                }

                entries.Add(ToEntry(files.Current, isEmpty: !reading.IsOrdered || files.Current.IsEmptyFolder));
            }

            return entries;
        }
    }

    /// <inheritdoc/>
    /// <remarks>A name that no file can have isn't looked for.</remarks>
    public override Task<TreeEntry?[]> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
        => Task.Run<TreeEntry?[]>(() => [.. names.Select(Find)], cancellationToken);

    /// <inheritdoc/>
    /// <remarks>A link is what it leads to, if links are followed.</remarks>
    public override Task<TreeEntry?> FindAgainAsync(TreeEntry entry, CancellationToken cancellationToken) => Task.FromResult(
        entry.IsFolder ? (Directory.Exists(entry.Path) ? entry : null)
            : StateOf(entry) is { } state ? entry with { Length = state.Length, LastWrite = state.LastWrite, State = state }
            : null);

    public override FileIdentity? StateOf(TreeEntry entry) => FileIdentity.At(entry.Path!, followsLinks: LinkRoot is null);

    public override SyncMark? MarkOf(TreeEntry entry) => SyncMark.OfFile(StateOf(entry));

    public override string? RefuseName(TreeEntry source, bool isThere)
        => Own.HasFiles && Own.Contains(Path.Combine(root, source.Name)) ? "this program writes the file itself"
            : (_taken ??= new PathConflictDetector(TriesCase && IsCaseBlind())).Take(source.Name) is { } taken && !isThere ? taken
            : !KeyPath.TrySplit(source.Name, OperatingSystem.IsWindows(), AllowsSpecialNames, out _, out string? reason) ? reason
            : source is { HasFolderName: true, Length: > 0 } ? $"its name ends in '/' like that of a folder, but it has {source.Length} bytes"
            : null;

    /// <summary>
    /// Finds what the listing didn't show under this name: a folder instead of a file or a file instead of a folder, or a name that the file system doesn't distinguish
    /// from this one.
    /// </summary>
    public override string? FindClash(TreeEntry source)
    {
        string folder = source.Name[..(source.Name.TrimEnd('/').LastIndexOf('/') + 1)];
        if (_lastFolder.Name != folder)
        {
            string? clash = FindClash(folder);
            _lastFolder = (folder, clash is null && Directory.Exists(Path.Combine(root, folder)), clash);
        }

        if (!_lastFolder.IsThere)
        {
            return _lastFolder.Clash; // what others create from now on is found when the file gets its name
        }

        FileInfo there = new(Path.Combine(root, source.Name.TrimEnd('/')));
        if (there.LinkTarget is not null)
        {
            return $"'{there.FullName}' is a symbolic link, which is neither followed nor replaced";
        }

        return Directory.Exists(there.FullName)
            ? source.HasFolderName ? null : "a folder has this name, and a path can't be both a file and a folder"
            : !there.Exists ? null
            : source.HasFolderName ? "a file has this name, and a path can't be both a file and a folder"
            : "a file exists whose name differs only by case or Unicode normalization, or that was created in the meantime";
    }

    public override async ValueTask<ObjectPresence?> LookAsync(string name, bool isCheap, bool createsFolders, CancellationToken cancellationToken)
    {
        bool exists = createsFolders
            ? await WriteAsync(name, static (folder, file) => Task.FromResult(Path.Exists(folder.GetPath(file)))).ConfigureAwait(false)
            : Path.Exists(Path.Combine(root, name));
        return exists ? ObjectPresence.Present : ObjectPresence.Absent;
    }

    public override (string Reason, bool CanHave) DescribeMissing(TreeEntry entry)
    {
        if (!KeyPath.TrySplit(entry.Name, OperatingSystem.IsWindows(), allowsSpecial: false, out _, out string? reason))
        {
            return ($"the key can't be a file: {reason}", CanHave: false);
        }

        string path = Path.Combine(root, entry.Name);
        string text = entry.HasFolderName
            ? entry.Length > 0 ? $"its name ends in '/' like that of a folder, but it has {entry.Length} bytes"
                : File.Exists(path[..^1]) ? "it represents a folder, but there is a file"
                : "there is no such directory"
            : Directory.Exists(path) ? "there is a directory instead of a file"
            : File.Exists(path) ? "the file has a name that differs by case or Unicode normalization, is excluded, or was created during the comparison"
            : "there is no such file";
        return (text, CanHave: true);
    }

    public override string DescribeDeleted() => "the file was deleted after its directory was read";

    /// <summary>Opens or creates the folder of a name, to write there. A name that ends in a slash is that of the folder.</summary>
    /// <param name="name">The name.</param>
    /// <param name="writeAsync">Receives the folder and the name of the file in it.</param>
    /// <exception cref="TransferException">Thrown when it could not be written.</exception>
    public async Task<T> WriteAsync<T>(string name, Func<LocalFolder, string, Task<T>> writeAsync)
    {
        int slash = name.LastIndexOf('/');
        string folderName = slash < 0 ? string.Empty : name[..slash];
        try
        {
            LocalFolder folder = Tree!.Enter(folderName);
            try
            {
                return await writeAsync(folder, name[(slash + 1)..]).ConfigureAwait(false);
            }
            finally
            {
                Tree.Leave(folderName);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            ObjectAddress address = other with { Key = other.Key + name };
            throw new TransferException($"{address} could not be written to '{Path.Combine(root, name)}': {e.Message}", e) { Bucket = address.Bucket, Key = address.Key };
        }
    }

    public override async Task DeleteAsync(IEnumerable<TreeEntry> targets, SourceReview? review, Action<TreeEntry, Exception?> ended, CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        using FileRemover remover = new(root, Backup);
        foreach (TreeEntry[] batch in targets.Chunk(SourceReview.BatchSize))
        {
            IReadOnlyList<TreeEntry> absent = review is null ? batch : await review.RunAsync(batch, ended, cancellationToken).ConfigureAwait(false);
            remover.Remove(absent, ended, cancellationToken);
        }

        remover.RemoveFolders();
    }

    public void Dispose()
    {
        Tree?.Dispose();
        Backup?.Dispose();
    }

    private static TreeEntry ToEntry(LocalFile file, bool isEmpty) => new(file.Name, file.Length)
    {
        Path = file.Path,
        LastWrite = file.LastModified?.UtcTicks ?? 0,
        State = file.Identity,
        Error = file.LeftOut == LeftOut.None ? file.Error : null,
        LeftOut = file.LeftOut,
        IsEmptyFolder = file.IsFolder && isEmpty,
    };

    /// <summary>Finds the file, the folder, or the link that has exactly this name.</summary>
    private TreeEntry? Find(string name)
    {
        if (!KeyPath.TrySplit(name, OperatingSystem.IsWindows(), allowsSpecial: true, out _, out _))
        {
            return null;
        }

        try
        {
            FileInfo there = new(Path.Combine(root, name.TrimEnd('/')));
            bool isLink = there.LinkTarget is not null && (LinkRoot is not null || !Path.Exists(there.FullName));
            return isLink ? new TreeEntry(name, 0) { Path = there.FullName, LeftOut = LeftOut.Link }
                : (name.EndsWith('/') ? !Directory.Exists(there.FullName) : !there.Exists) || !HasName(there) ? null
                : name.EndsWith('/') ? new TreeEntry(name, 0) { Path = there.FullName }
                : FileIdentity.At(there.FullName, followsLinks: LinkRoot is null) is { } state ? new TreeEntry(name, state.Length) { Path = there.FullName, LastWrite = state.LastWrite, State = state }
                : new TreeEntry(name, 0) { Path = there.FullName }; // a device or a pipe
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new TreeEntry(name, 0) { Error = e };
        }
    }

    /// <summary>Returns whether a name that was found is the real one. Many file systems find names that differ by case.</summary>
    private static bool HasName(FileInfo there)
        => OperatingSystem.IsLinux() || there.Directory!.EnumerateFileSystemInfos().Any(entry => entry.Name == there.Name);

    private bool IsCaseBlind()
    {
        try
        {
            return Tree!.IsCaseBlind();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"{other} could not be written to '{root}': {e.Message}", e) { Bucket = other.Bucket, Key = other.Key };
        }
    }

    /// <summary>Finds a file or a link in the place of a folder.</summary>
    private string? FindClash(string folder)
    {
        for (int slash = folder.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = folder.IndexOf('/', slash + 1))
        {
            FileInfo there = new(Path.Combine(root, folder[..slash]));
            if (there.LinkTarget is not null)
            {
                return $"'{there.FullName}' is a symbolic link, which is not followed";
            }

            if (there.Exists)
            {
                return $"'{folder[..slash]}' is a file, and a path can't be both a file and a folder";
            }

            if (!Directory.Exists(there.FullName))
            {
                return null;
            }
        }

        return null;
    }
}
