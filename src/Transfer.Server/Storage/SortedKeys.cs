namespace Transfer.Server.Storage;

/// <summary>A bucket's keys in listing order. Not synchronised.</summary>
/// <remarks>A plain sorted list: adding in the middle of a million keys moves 4 MiB, and keys mostly come in order.</remarks>
internal sealed class SortedKeys
{
    private readonly List<string> _keys = [];

    public int Count => _keys.Count;

    public string this[int index] => _keys[index];

    public void Add(string key)
    {
        int index = _keys.BinarySearch(key, Utf8Order.Instance);
        if (index < 0)
        {
            _keys.Insert(~index, key);
        }
    }

    public void Remove(string key)
    {
        int index = _keys.BinarySearch(key, Utf8Order.Instance);
        if (index >= 0)
        {
            _keys.RemoveAt(index);
        }
    }

    /// <summary>The index of the first key that is not before <paramref name="text"/>.</summary>
    public int IndexOfFirstFrom(string text)
    {
        int index = _keys.BinarySearch(text, Utf8Order.Instance);
        return index < 0 ? ~index : index;
    }

    /// <summary>The index of the first key behind <paramref name="text"/>.</summary>
    public int IndexOfFirstAfter(string text)
    {
        int index = _keys.BinarySearch(text, Utf8Order.Instance);
        return index < 0 ? ~index : index + 1;
    }

    /// <summary>From an index on, the index of the first key that does not begin with the prefix. Keys with a prefix stand together.</summary>
    public int IndexAfterPrefix(string prefix, int from)
    {
        int low = from;
        int high = _keys.Count;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (_keys[middle].StartsWith(prefix, StringComparison.Ordinal))
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }
}
