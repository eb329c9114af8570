using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Decides where ranges of keys are divided, so that each part has a few pages.</summary>
/// <remarks>
/// The last page of a range usually isn't full, so each range takes about half a request more than one listing would. Therefore, ranges have several pages, and are divided
/// again only if they turn out to be long. The last range has no end. Ranges are taken off its beginning: as far ahead as the last pages that were returned suggest.
/// </remarks>
/// <param name="prefix">The prefix of all keys.</param>
internal sealed class RangeDivider(string prefix)
{
    /// <summary>The number of pages that a range should have. It is a little less than a whole number, so that few ranges need another request for a few keys.</summary>
    private const double PagesOfRange = 5.8;

    /// <summary>The number of remaining pages up to which a range isn't divided.</summary>
    private const double LeastDivided = 1.5 * PagesOfRange;

    /// <summary>The number of pages from which a range tells how many follow.</summary>
    private const int EvidentPages = 2;

    /// <summary>The number of pages whose distance is that of the following ones.</summary>
    private const int SamplePages = 8;

    /// <summary>One of so many keys is examined.</summary>
    private const int LearnEvery = 16;

    /// <summary>The largest correction of how far ahead a range ends.</summary>
    private const double MostStep = 4;

    /// <summary>The weight of one range in the average of what ranges show.</summary>
    private const double Smoothing = 0.3;

    private readonly KeySpace _keys = new(prefix);
    private readonly Queue<(string Key, int Count)> _returned = new();
    private int _pageItems;
    private double _step = 1;
    private bool _hasEnded;
    private string? _farthest; // the farthest key that was seen behind the end of a range

    /// <summary>Counts a page of a range after the range has accepted it.</summary>
    public void Learn(KeyRange range, IReadOnlyList<ListedObject> items)
    {
        _pageItems = Math.Max(_pageItems, items.Count);
        _hasEnded |= range is { IsComplete: true, Beyond: null }; // there is nothing behind it
        for (int i = 0; i < items.Count; i += LearnEvery)
        {
            _keys.Learn(items[i].Key);
        }

        if (items.Count > 0)
        {
            _keys.Learn(items[^1].Key);
        }

        if (range.Beyond is { } beyond && KeyOrder.Instance.Compare(beyond, _farthest) > 0)
        {
            _farthest = beyond;
        }

        if (range.IsComplete)
        {
            LearnStep(range, GetPages(range));
        }
    }

    /// <summary>Counts a page that was returned.</summary>
    public void Return(IReadOnlyList<ListedObject> items)
    {
        if (items.Count > 0)
        {
            if (_returned.Count == 0)
            {
                _returned.Enqueue((items[0].Key, 0));
            }

            _returned.Enqueue((items[^1].Key, items.Count));
            if (_returned.Count > SamplePages + 1)
            {
                _returned.Dequeue();
            }
        }
    }

    /// <summary>Divides a range.</summary>
    /// <returns>The second part; null if the range isn't worth to be divided, or nothing is known about its keys.</returns>
    public KeyRange? TryDivide(KeyRange range)
    {
        if (range is not { IsComplete: false, Position: { } position } || (range.Bound is null ? AheadOfLast(position) : GetAhead(range, position, range.Bound)) is not { } end)
        {
            return null;
        }

        KeyRange second = new(end) { Bound = range.Bound };
        LearnStep(range, LeastDivided); // at least
        (range.Bound, range.Step) = (end, range.Bound is null ? _step : null);
        return second;
    }

    /// <summary>Gets the key at which the last range is divided.</summary>
    private string? AheadOfLast(string position)
    {
        if (_hasEnded || _returned.Count < 2)
        {
            return null;
        }

        // There are no keys between the last range with a bound and the key behind it.
        string from = KeyOrder.Instance.Compare(position, _farthest) < 0 ? _farthest! : position;
        (string start, int before) = _returned.Peek();
        double pages = (double)(_returned.Sum(static page => page.Count) - before) / _pageItems;
        return _keys.Ahead(from, start, _returned.Last().Key, PagesOfRange * _step / pages);
    }

    /// <summary>Gets the key at which a range with a bound is divided, as its own pages suggest.</summary>
    private string? GetAhead(KeyRange range, string position, string bound)
    {
        double pages = GetPages(range);
        if (pages < EvidentPages || range.First is not { } first)
        {
            return null;
        }

        // If each page is a folder, the keys of a page are close to each other, and the distance to the next folder counts one time less than there are pages.
        return KeyAhead(LeastDivided) is { } far && KeyOrder.Instance.Compare(far, bound) < 0 ? KeyAhead(PagesOfRange) : null;

        string? KeyAhead(double count) => _keys.Ahead(position, first, position, count / (pages - 1));
    }

    private double GetPages(KeyRange range) => _pageItems == 0 ? 0 : (double)range.Count / _pageItems;

    /// <summary>Corrects how far ahead ranges end. A range without keys is a gap, which tells nothing about others.</summary>
    private void LearnStep(KeyRange range, double pages)
    {
        if (range.Step is { } step && pages > 0)
        {
            double factor = Math.Clamp(Math.Sqrt(PagesOfRange / pages), 0.5, 2);
            _step = Math.Clamp(_step + (((step * factor) - _step) * Smoothing), 1 / MostStep, MostStep);
        }

        range.Step = null;
    }
}
