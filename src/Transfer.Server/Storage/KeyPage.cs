namespace Transfer.Server.Storage;

/// <summary>One page of a listing: keys and common prefixes in order, and where the next page begins.</summary>
/// <param name="Entries">Keys, and prefixes that stand for all keys below them.</param>
/// <param name="Next">The last entry when more follow; otherwise null.</param>
internal sealed record KeyPage(IReadOnlyList<KeyEntry> Entries, KeyEntry? Next)
{
    /// <summary>Takes a page.</summary>
    /// <param name="keys">All keys.</param>
    /// <param name="prefix">What keys must begin with.</param>
    /// <param name="delimiter">Groups keys up to its first occurrence behind the prefix; empty for none.</param>
    /// <param name="after">The page holds what comes behind this key; null for the first page.</param>
    /// <param name="afterGroup">The page holds what comes behind all keys with this prefix; null when the last page did not end with a group.</param>
    /// <param name="maximum">The most entries.</param>
    public static KeyPage Take(SortedKeys keys, string prefix, string delimiter, string? after, string? afterGroup, int maximum)
    {
        int index = keys.IndexOfFirstFrom(prefix);
        if (after is not null)
        {
            index = Math.Max(index, keys.IndexOfFirstAfter(after));
        }

        if (afterGroup is not null)
        {
            index = keys.IndexAfterPrefix(afterGroup, Math.Max(index, keys.IndexOfFirstFrom(afterGroup)));
        }

        var entries = new List<KeyEntry>();
        while (maximum > 0 && index < keys.Count && keys[index].StartsWith(prefix, StringComparison.Ordinal))
        {
            if (entries.Count == maximum)
            {
                return new KeyPage(entries, entries[^1]);
            }

            string key = keys[index];
            int cut = delimiter.Length == 0 ? -1 : key.IndexOf(delimiter, prefix.Length, StringComparison.Ordinal);
            if (cut < 0)
            {
                entries.Add(new KeyEntry(key, IsGroup: false));
                index++;
            }
            else
            {
                string group = key[..(cut + delimiter.Length)];
                entries.Add(new KeyEntry(group, IsGroup: true));
                index = keys.IndexAfterPrefix(group, index);
            }
        }

        return new KeyPage(entries, Next: null);
    }
}
