using Transfer.S3.Delete;
using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>
/// Deletes files that haven't changed since they were listed, and then the folders that are empty. Folders are opened one from the other without following links, so
/// nothing outside the root is deleted.
/// </summary>
/// <param name="root">The root, which exists.</param>
/// <param name="backup">Keeps each file before it is deleted; null if that isn't wanted.</param>
internal sealed class FileRemover(string root, FileBackup? backup) : IDisposable
{
    /// <summary>The open folders from the root to the last file.</summary>
    private readonly List<(string Name, LocalFolder Folder)> _open = [];

    /// <summary>The candidate folders above the current name, which are deleted when all names under them have passed.</summary>
    private readonly Stack<string> _folders = new();

    /// <summary>Deletes files. The folders that are above them or between them follow with the next names, or with <see cref="RemoveFolders"/>.</summary>
    /// <param name="targets">Targets that follow those of the call before, in order.</param>
    /// <param name="ended">Called for each file, with its error; null if it doesn't exist anymore.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public void Remove(IEnumerable<TreeEntry> targets, Action<TreeEntry, Exception?> ended, CancellationToken cancellationToken)
    {
        foreach (TreeEntry target in targets)
        {
            cancellationToken.ThrowIfCancellationRequested();
            RemoveFoldersBefore(target.Name);
            if (target.HasFolderName)
            {
                _folders.Push(target.Name);
            }
            else if (Remove(target, out TransferException? error))
            {
                ended(target, error);
            }
        }
    }

    /// <summary>Deletes the remaining folders, after the last file.</summary>
    public void RemoveFolders() => RemoveFoldersBefore(null);

    public void Dispose() => CloseFrom(0);

    /// <returns>False if the file was kept, because a running transfer uses it.</returns>
    private bool Remove(TreeEntry target, out TransferException? error)
    {
        error = null;
        try
        {
            int slash = target.Name.LastIndexOf('/');
            if (Enter(target.Name.AsSpan(0, slash + 1)) is { } folder)
            {
                string path = folder.GetPath(target.Name[(slash + 1)..]);
                if (LocalState.Exists(path) && HiddenFileName.IsMatch(target.Name.AsSpan(slash + 1)))
                {
                    return HiddenFileName.TryDelete(folder, target.Name[(slash + 1)..]);
                }

                if (LocalState.Exists(path))
                {
                    string shown = Path.Combine(root, target.Name);
                    LocalState.Check(path, shown, target); // what has changed gets no backup either, which takes its time
                    backup?.Keep(path, target);
                    FileDeleter.Delete(path, shown, LocalState.Get(target));
                }
            }
        }
        catch (TransferException e)
        {
            error = e;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            error = new TransferException($"'{Path.Combine(root, target.Name)}' could not be deleted: {e.Message}", e);
        }

        return true; // also if it doesn't exist anymore
    }

    private void RemoveFoldersBefore(string? next)
    {
        while (_folders.TryPeek(out string? folder) && next?.StartsWith(folder, StringComparison.Ordinal) != true)
        {
            _folders.Pop();
            int slash = folder.LastIndexOf('/', folder.Length - 2);
            try
            {
                if (Enter(folder.AsSpan(0, slash + 1)) is { } parent)
                {
                    string path = parent.GetPath(folder[(slash + 1)..^1]);
                    if (new DirectoryInfo(path) is { Exists: true, LinkTarget: null })
                    {
                        Directory.Delete(path, recursive: false);
                    }
                }
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // It isn't empty, or someone still uses it. Folders aren't compared, so that is no difference.
            }
        }
    }

    /// <summary>Opens the folder of a path that ends in a slash; null if it doesn't exist anymore.</summary>
    private LocalFolder? Enter(ReadOnlySpan<char> path)
    {
        if (_open.Count == 0)
        {
            _open.Add((string.Empty, LocalFolder.Open(root)));
        }

        int depth = 1;
        foreach (Range range in path.Split('/'))
        {
            ReadOnlySpan<char> name = path[range];
            if (name.IsEmpty)
            {
                break;
            }

            if (depth == _open.Count || !name.SequenceEqual(_open[depth].Name))
            {
                CloseFrom(depth);
                if (_open[^1].Folder.TryOpenChild(name.ToString()) is not { } child)
                {
                    return null;
                }

                _open.Add((name.ToString(), child));
            }

            depth++;
        }

        CloseFrom(depth);
        return _open[^1].Folder;
    }

    private void CloseFrom(int depth)
    {
        for (int i = _open.Count - 1; i >= depth; i--)
        {
            _open[i].Folder.Dispose();
            _open.RemoveAt(i);
        }
    }
}
