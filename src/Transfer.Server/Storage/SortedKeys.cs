using System.Runtime.InteropServices;

namespace Transfer.S3.Server.Storage;

/// <summary>The keys of a bucket in listing order. Not thread-safe.</summary>
/// <remarks>A sorted list: an insertion in the middle of a million keys moves 4 MiB, but most keys arrive in order.</remarks>
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

    /// <summary>Removes many keys, and moves the others only once.</summary>
    public void Remove(IEnumerable<string> keys)
    {
        int[] indexes = [.. keys.Select(key => _keys.BinarySearch(key, Utf8Order.Instance)).Where(static index => index >= 0).Order()];
        int to = indexes.Length == 0 ? 0 : indexes[0];
        for (int i = 0; i < indexes.Length; i++)
        {
            int end = i + 1 < indexes.Length ? indexes[i + 1] : _keys.Count;
            CollectionsMarshal.AsSpan(_keys)[(indexes[i] + 1)..end].CopyTo(CollectionsMarshal.AsSpan(_keys)[to..]);
            to += end - indexes[i] - 1;
        }

        _keys.RemoveRange(_keys.Count - indexes.Length, indexes.Length);
    }

    /// <summary>Gets the index of the first key that isn't before <paramref name="text"/>.</summary>
    public int IndexOfFirstFrom(string text)
    {
        int index = _keys.BinarySearch(text, Utf8Order.Instance);
        return index < 0 ? ~index : index;
    }

    /// <summary>Gets the index of the first key after <paramref name="text"/>.</summary>
    public int IndexOfFirstAfter(string text)
    {
        int index = _keys.BinarySearch(text, Utf8Order.Instance);
        return index < 0 ? ~index : index + 1;
    }

    /// <summary>
    /// Gets the index, at or after <paramref name="from"/>, of the first key without the prefix. Keys with a common prefix are adjacent.
    /// </summary>
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
