using Transfer.S3.Files;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Enumerates the files under a directory in the order in which a store lists their keys, so that it can be compared with a listing without keeping either.
/// Directories are included, before their content, as the key <c>folder/</c>. This key is also their position among their siblings: <c>a!</c> comes before
/// <c>a/</c>, and <c>ab</c> after it.
/// </summary>
/// <param name="root">The directory.</param>
/// <param name="links">Whether links are followed.</param>
/// <param name="readsHidden">Whether names that begin with a dot are returned.</param>
/// <param name="window">The number of names of one directory to sort at the same time.</param>
/// <param name="prunes">Returns whether a directory, whose path ends in a slash, isn't opened; null to open all.</param>
/// <param name="tellsLinks">Whether links that are skipped are returned, so that it is known that they exist.</param>
/// <param name="ignoresHidden">Whether a directory is empty if it only has hidden entries.</param>
/// <param name="own">What the program writes itself; null if there is nothing.</param>
internal sealed class SortedFileTree(
    string root, SymbolicLinks links = SymbolicLinks.Follow, bool readsHidden = true, int window = SortedFileTree.Window, Func<string, bool>? prunes = null, bool tellsLinks = false, bool ignoresHidden = false, OwnEntries? own = null)
{
    /// <summary>
    /// The number of names to sort at the same time. A larger directory is read again for the next names, because that costs less than the memory.
    /// </summary>
    private const int Window = 250_000;

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
        string? after = null;
        do
        {
            (List<Item> items, Exception? error, bool isAll) = Read(folder, here, after);
            if (error is not null || (after is null && prefix.Length > 0))
            {
                bool isEmpty = error is null && isAll && items.TrueForAll(item => item.LeftOut != LeftOut.None || (ignoresHidden && item.Key.StartsWith('.')));
                yield return new LocalFile(folder.Path, prefix, 0, error) { IsEmptyFolder = isEmpty };
            }

            foreach (Item item in items)
            {
                if (item.IsFolder && prunes?.Invoke(prefix + item.Key) == true)
                {
                    continue;
                }

                string name = item.IsFolder ? item.Key[..^1] : item.Key;
                if (!item.IsFolder || item.Error is not null)
                {
                    yield return new LocalFile(Path.Combine(folder.Path, name), prefix + item.Key, item.Length, item.Error) { LastModified = item.LastModified, Identity = item.Identity, LeftOut = item.LeftOut };
                    continue;
                }

                using SourceFolder child = folder.OpenChild(name);
                foreach (LocalFile file in Walk(child, prefix + item.Key, here))
                {
                    yield return file;
                }
            }

            after = isAll ? null : items[^1].Key;
        }
        while (after is not null);
    }

    /// <summary>
    /// Reads the first names after another one. If the directory can't be read to its end, there are none, because it isn't known which names are missing.
    /// </summary>
    private (List<Item> Items, Exception? Error, bool IsAll) Read(SourceFolder folder, DirectoryCycleDetector here, string? after)
    {
        List<Item> items = [];
        string? last = null;
        using FolderReader reader = new(folder, links, readsHidden, own, tellsLinks);
        while (reader.TryNext(out FolderEntry entry))
        {
            Item item = ToItem(folder.Path, here, entry);
            if ((after is not null && KeyOrder.Instance.Compare(item.Key, after) <= 0) || (last is not null && KeyOrder.Instance.Compare(item.Key, last) > 0))
            {
                continue;
            }

            items.Add(item);
            if (items.Count == 2 * window)
            {
                last = Cut();
            }
        }

        if (reader.Error is not null)
        {
            return ([], reader.Error, true);
        }

        last = items.Count > window ? Cut() : last;
        items.Sort(Item.ByKey);
        return (items, null, last is null);

        string Cut()
        {
            items.Sort(Item.ByKey);
            items.RemoveRange(window, items.Count - window);
            return items[^1].Key;
        }
    }

    private static Item ToItem(string folder, DirectoryCycleDetector here, FolderEntry entry)
    {
        if (entry.LeftOut != LeftOut.None)
        {
            return new Item(entry.Name, 0, null, default) { LeftOut = entry.LeftOut };
        }

        LinkTarget target = entry.IsLink ? here.Resolve(Path.Combine(folder, entry.Name)) : new LinkTarget(entry.IsFolder, entry.Length, LastModified: entry.LastModified);
        return new Item(target.IsFolder ? entry.Name + "/" : entry.Name, target.Length, target.Error, target.LastModified) { Identity = entry.Identity, LeftOut = target.IsMissing ? LeftOut.DanglingLink : LeftOut.None };
    }

    private sealed record Item(string Key, long Length, Exception? Error, DateTimeOffset LastModified)
    {
        public LeftOut LeftOut { get; init; }

        public FileIdentity? Identity { get; init; }

        public static readonly Comparison<Item> ByKey = static (x, y) => KeyOrder.Instance.Compare(x.Key, y.Key);

        public bool IsFolder => Key.EndsWith('/');
    }
}
