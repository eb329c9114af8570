using System.Text;

namespace Transfer.S3.Cli.Commands;

/// <summary>
/// Sums objects by prefix. A listing is in the order of its keys, so only the prefixes of the latest key are open, and memory doesn't grow with the listing.
/// </summary>
/// <param name="root">The length of the part of all keys that is no group.</param>
/// <param name="depth">How many levels of prefixes below the root are summed.</param>
/// <param name="onEnd">Called with each prefix after its last object, a prefix after those in it.</param>
internal sealed class PrefixTotals(int root, int depth, Action<string, long, long> onEnd)
{
    private readonly List<Total> _open = [];
    private byte[] _latest = [];

    /// <exception cref="TransferException">Thrown when the keys aren't in order.</exception>
    public void Add(string key, long bytes)
    {
        if (depth == 0)
        {
            return;
        }

        CheckOrder(key);
        int kept = 0;
        while (kept < _open.Count && key.StartsWith(_open[kept].Prefix, StringComparison.Ordinal))
        {
            kept++;
        }

        End(kept);
        while (_open.Count < depth && key.IndexOf('/', _open.Count == 0 ? root : _open[^1].Prefix.Length) is >= 0 and int slash)
        {
            _open.Add(new Total(key[..(slash + 1)]));
        }

        foreach (Total total in _open)
        {
            total.Objects++;
            total.Bytes += bytes;
        }
    }

    /// <summary>Ends all prefixes.</summary>
    public void End() => End(0);

    private void End(int kept)
    {
        while (_open.Count > kept)
        {
            Total total = _open[^1];
            _open.RemoveAt(_open.Count - 1);
            onEnd(total.Prefix, total.Objects, total.Bytes);
        }
    }

    /// <summary>Checks the order of S3, which is that of the UTF-8 bytes. Directory buckets have none.</summary>
    private void CheckOrder(string key)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(key);
        if (bytes.AsSpan().SequenceCompareTo(_latest) < 0)
        {
            throw new TransferException("the store does not list keys in order, so they can't be summed by prefix; omit --depth");
        }

        _latest = bytes;
    }

    private sealed class Total(string prefix)
    {
        public string Prefix => prefix;

        public long Objects { get; set; }

        public long Bytes { get; set; }
    }
}
