using Transfer.Wire;

namespace Transfer.Directories;

/// <summary>Decides where ranges of keys are divided, so that each part is about one page.</summary>
/// <remarks>
/// The last range has no end, so one page is taken off its beginning: as far ahead as the last pages that were returned suggest. The pages of these ranges show whether
/// that was too far. A range with a bound is bisected if it turns out to have several pages.
/// </remarks>
/// <param name="prefix">The prefix of all keys.</param>
internal sealed class RangeDivider(string prefix)
{
    /// <summary>The number of pages that a range should have, so that few ranges need a second request for a few keys.</summary>
    private const double PagesOfRange = 0.95;

    /// <summary>The number of remaining pages from which a range is divided.</summary>
    private const double LeastPages = 1.2;

    /// <summary>
    /// The number of pages from which a range tells how many remain. One page doesn't: if it is a folder of its own, its keys are close to each other, and the next folder
    /// seems to be far away.
    /// </summary>
    private const int EvidentPages = 2;

    /// <summary>The number of remaining pages if the keys tell nothing.</summary>
    private const double MostPages = 1 << 20;

    /// <summary>The number of pages whose distance is that of the following ones.</summary>
    private const int SamplePages = 8;

    /// <summary>One of so many keys is examined.</summary>
    private const int LearnEvery = 16;

    /// <summary>The largest correction of how far ahead a page ends.</summary>
    private const double MostStep = 16;

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

        double pages = _pageItems == 0 ? 0 : (double)range.Count / _pageItems;
        range.Remaining = range.IsComplete ? 0 : Math.Max(0, range.Remaining - 1);
        if (!range.IsComplete && pages < EvidentPages)
        {
            return;
        }

        if (range is { IsComplete: false, Bound: { } bound })
        {
            double done = (range.After ?? range.First) is { } begin && range.Position is { } position ? _keys.ShareBefore(position, begin, bound) : double.NaN;
            range.Remaining = done > 0 ? Math.Min(MostPages, (1 - done) / done * pages) : MostPages;
        }

        if (range.Step is { } step)
        {
            range.Step = null;
            double found = pages + range.Remaining;
            double factor = Math.Clamp(Math.Sqrt(PagesOfRange / Math.Max(found, 0.01)), 0.5, 2);
            _step = Math.Clamp(_step + (((step * factor) - _step) * Smoothing), 1 / MostStep, MostStep);
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
        if (range is not { IsComplete: false, Position: { } position })
        {
            return null;
        }

        return range.Bound is { } bound ? Bisect(range, position, bound) : Shorten(range, position);
    }

    private KeyRange? Bisect(KeyRange range, string position, string bound)
    {
        if (range.Remaining < LeastPages)
        {
            return null;
        }

        double pages = Math.Max(1, Math.Round(range.Remaining / 2)) * PagesOfRange;
        if (_keys.Ahead(position, position, bound, pages / range.Remaining) is not { } middle || KeyOrder.Instance.Compare(middle, bound) >= 0)
        {
            range.Remaining = 0;
            return null;
        }

        KeyRange second = new(middle) { Bound = bound, Remaining = range.Remaining - pages };
        (range.Bound, range.Remaining, range.Step) = (middle, pages, null);
        return second;
    }

    private KeyRange? Shorten(KeyRange range, string position)
    {
        if (_hasEnded || _returned.Count < 2 || _pageItems == 0)
        {
            return null;
        }

        // There are no keys between the last range with a bound and the key behind it.
        string from = KeyOrder.Instance.Compare(position, _farthest) < 0 ? _farthest! : position;
        (string start, int before) = _returned.Peek();
        double pages = (double)(_returned.Sum(static page => page.Count) - before) / _pageItems;
        if (_keys.Ahead(from, start, _returned.Last().Key, PagesOfRange * _step / pages) is not { } end)
        {
            return null;
        }

        (range.Bound, range.Remaining, range.Step) = (end, PagesOfRange, _step);
        return new KeyRange(end);
    }
}
