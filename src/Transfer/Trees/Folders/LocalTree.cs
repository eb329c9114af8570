using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>Enumerates the files under a directory on demand. Only the directories on the current path are in memory.</summary>
/// <param name="root">The directory.</param>
/// <param name="links">Whether links are followed.</param>
/// <param name="readsHidden">Whether names that begin with a dot are returned.</param>
/// <param name="prunes">Returns whether a directory, whose path ends in a slash, isn't opened; null to open all.</param>
/// <param name="own">What the program writes itself; null if there is nothing.</param>
internal sealed class LocalTree(string root, SymbolicLinks links = SymbolicLinks.Follow, bool readsHidden = true, Func<string, bool>? prunes = null, OwnEntries? own = null)
{
    public IEnumerable<LocalFile> Walk()
    {
        using SourceFolder folder = SourceFolder.Open(root, links == SymbolicLinks.Follow);
        foreach (LocalFile file in Walk(folder, string.Empty, null))
        {
            yield return file;
        }
    }

    private IEnumerable<LocalFile> Walk(SourceFolder folder, string prefix, DirectoryCycleDetector? above)
    {
        DirectoryCycleDetector here = new(folder.Path, above);
        bool isEmpty = true;
        using FolderReader reader = new(folder, links, readsHidden, own);
        while (reader.TryNext(out FolderEntry entry))
        {
            string path = Path.Combine(folder.Path, entry.Name);
            string name = prefix + entry.Name;
            if (entry.LeftOut != LeftOut.None)
            {
                yield return new LocalFile(path, name, 0) { LeftOut = entry.LeftOut };
                continue;
            }

            LinkTarget target = entry.IsLink ? here.Resolve(path) : new LinkTarget(entry.IsFolder, entry.Length, LastModified: entry.LastModified);
            isEmpty &= target.IsMissing;
            if (target.IsFolder && prunes?.Invoke(name + "/") == true)
            {
                continue;
            }

            if (target.Error is not null || !target.IsFolder)
            {
                yield return new LocalFile(path, name, target.Length, target.Error) { LastModified = target.LastModified, LeftOut = target.IsMissing ? LeftOut.DanglingLink : LeftOut.None };
                continue;
            }

            using SourceFolder child = folder.OpenChild(entry.Name);
            foreach (LocalFile file in Walk(child, name + "/", here))
            {
                yield return file;
            }
        }

        if (reader.Error is not null || (isEmpty && prefix.Length > 0))
        {
            yield return new LocalFile(folder.Path, prefix, 0, reader.Error);
        }
    }
}
