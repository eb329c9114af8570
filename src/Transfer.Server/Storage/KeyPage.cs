namespace Transfer.S3.Server.Storage;

/// <summary>A page of a listing: keys and common prefixes in order, and the start of the next page.</summary>
/// <param name="Entries">The keys, and the prefixes that stand for all keys below them.</param>
/// <param name="Next">The last entry if more follow; otherwise, null.</param>
internal sealed record KeyPage(IReadOnlyList<KeyEntry> Entries, KeyEntry? Next)
{
    /// <summary>Takes a page.</summary>
    /// <param name="keys">All keys.</param>
    /// <param name="prefix">The prefix of the keys to include.</param>
    /// <param name="delimiter">The delimiter that groups keys by their text up to its first occurrence after the prefix; empty for no grouping.</param>
    /// <param name="after">The key after which the page begins; null for the first page.</param>
    /// <param name="afterGroup">The prefix of the group of keys after which the page begins; null if the previous page didn't end with a group.</param>
    /// <param name="maximum">The maximum number of entries.</param>
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
