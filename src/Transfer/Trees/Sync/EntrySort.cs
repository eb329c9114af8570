using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Sorts entries by the bytes of their names. Memory doesn't grow with their number: when much has been added, it is sorted and written to a temporary file, and many
/// such files are merged into one.
/// </summary>
/// <param name="directory">The directory of the files; null for that of temporary files.</param>
/// <param name="maxBytes">The approximate memory of the entries that aren't in a file yet.</param>
internal sealed class EntrySort(string? directory, long maxBytes = 16 * Sizes.MiB) : IDisposable
{
    /// <summary>The number of files that are merged into one.</summary>
    private const int MaxMerged = 32;

    /// <summary>The memory of an entry without its texts.</summary>
    private const int EntryBytes = 160;

    /// <summary>The files of each level. A file of one level was merged from files of the level before it.</summary>
    private readonly List<List<EntrySpool>> _levels = [];
    private readonly List<TreeEntry> _waiting = [];
    private long _waitingBytes;

    /// <summary>Adds an entry.</summary>
    /// <exception cref="IOException">Thrown when a file can't be written.</exception>
    public void Add(TreeEntry entry)
    {
        _waiting.Add(entry);
        _waitingBytes += EntryBytes + (sizeof(char) * (entry.Name.Length + (entry.ETag?.Length ?? 0) + (entry.VersionId?.Length ?? 0)));
        if (_waitingBytes >= maxBytes)
        {
            SpoolWaiting();
        }
    }

    /// <summary>Reads all entries in order. Nothing can be added afterward.</summary>
    public IEnumerable<TreeEntry> Read()
    {
        Sort();
        return Merge([_waiting, .. _levels.SelectMany(static level => level).Select(static spool => spool.Read())]);
    }

    public void Dispose()
    {
        foreach (EntrySpool spool in _levels.SelectMany(static level => level))
        {
            spool.Dispose();
        }

        _levels.Clear();
    }

    private void Sort() => _waiting.Sort(static (x, y) => KeyOrder.Instance.Compare(x.Name, y.Name));

    private void SpoolWaiting()
    {
        Sort();
        Spool(_waiting, level: 0);
        _waiting.Clear();
        _waitingBytes = 0;
    }

    /// <summary>Writes sorted entries to a file of a level.</summary>
    private void Spool(IEnumerable<TreeEntry> sorted, int level)
    {
        if (level == _levels.Count)
        {
            _levels.Add([]);
        }

        EntrySpool spool = new(directory);
        List<EntrySpool> spools = _levels[level];
        spools.Add(spool);
        foreach (TreeEntry entry in sorted)
        {
            spool.Add(entry);
        }

        if (spools.Count < MaxMerged)
        {
            return;
        }

        Spool(Merge([.. spools.Select(static one => one.Read())]), level + 1);
        spools.ForEach(static one => one.Dispose());
        spools.Clear();
    }

    private static IEnumerable<TreeEntry> Merge(IReadOnlyList<IEnumerable<TreeEntry>> sorted) => SortedMerge.Merge(sorted, static entry => entry.Name);
}
