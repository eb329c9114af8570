using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>A range of keys that is listed with requests of its own: from the key after <see cref="After"/> up to and including <see cref="Bound"/>.</summary>
/// <remarks>
/// A store can't be told where to end, so the last page usually goes beyond the bound. The first key there is kept (<see cref="Beyond"/>): the next range continues this
/// one only if its own listing begins with that key. Otherwise, this range takes the next one over and continues, as if they had never been divided. So the result is
/// that of one listing, also if a store ignores where to start or has an order of its own.
/// </remarks>
/// <param name="after">The key after which the range begins; null for the first key of the listing.</param>
internal sealed class KeyRange(string? after)
{
    private Page<ListedObject>? _page;
    private int _used;

    public string? After { get; } = after;

    /// <summary>Gets or sets the last key of the range; null for the end of the listing. Keys up to <see cref="Position"/> were already listed.</summary>
    public string? Bound { get; set; }

    /// <summary>Gets the key up to which the range was listed.</summary>
    public string? Position { get; private set; } = after;

    /// <summary>Gets the pages that arrived, each with whether its memory is reserved.</summary>
    public Queue<(ListedPage Page, bool IsReserved)> Pages { get; } = new();

    /// <summary>Gets or sets a value that indicates whether a request is in flight.</summary>
    public bool IsRequesting { get; set; }

    /// <summary>Gets or sets a value that indicates whether memory is reserved for the page of the request.</summary>
    public bool IsRequestReserved { get; set; }

    /// <summary>Gets or sets a value that indicates whether another range took this one over while a request was in flight.</summary>
    public bool IsAbandoned { get; set; }

    /// <summary>Gets a value that indicates whether all keys of the range have arrived.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>Gets the end of the last page, where the next one begins; null before the first page.</summary>
    public PageEnd? Next { get; private set; }

    /// <summary>Gets or sets the exception that ended the range.</summary>
    public Exception? Error { get; set; }

    /// <summary>Gets a value that indicates whether <see cref="First"/> is known.</summary>
    public bool IsBegun { get; private set; }

    /// <summary>Gets the first key of the listing from <see cref="After"/> on, even if it is beyond the bound; null if there is none.</summary>
    public string? First { get; private set; }

    /// <summary>Gets the first key beyond the bound of a complete range; null if the listing has ended.</summary>
    public string? Beyond { get; private set; }

    /// <summary>Gets the number of objects in the range that have arrived.</summary>
    public int Count { get; private set; }

    /// <summary>Gets or sets the correction with which the length of the range was estimated; null if it wasn't, or its pages have shown how long it is.</summary>
    public double? Step { get; set; }

    /// <summary>Accepts the next page.</summary>
    /// <returns>The part of the page that belongs to the range; null if there is none.</returns>
    public ListedPage? Accept(Page<ListedObject> page)
    {
        if (!IsBegun && (page.Items.Count > 0 || page.Next is null))
        {
            (IsBegun, First) = (true, page.Items.Count > 0 ? page.Items[0].Key : null);
        }

        (_page, _used, Next) = (page, 0, page.Next);
        return TakeFrom(page, After);
    }

    /// <summary>Takes over the range behind this one, which is complete, and continues where its last page has ended.</summary>
    /// <returns>The part of the last page that belongs to the range now; null if there is none.</returns>
    public ListedPage? TakeOver(KeyRange next)
    {
        string? former = Bound;
        Bound = next.Bound;
        Step = null;
        next.IsAbandoned = true;
        if (Beyond is null || _page is not { } page)
        {
            return null; // the listing has ended
        }

        (IsComplete, Beyond) = (false, null);
        return TakeFrom(page, former);
    }

    /// <summary>Forgets what has arrived, so that the range is listed from its beginning.</summary>
    public void Restart()
    {
        Pages.Clear();
        (_page, _used, Count, Next, Position) = (null, 0, 0, null, After);
        (IsBegun, First, IsComplete, Beyond) = (false, null, false, null);
    }

    private ListedPage? TakeFrom(Page<ListedObject> page, string? behind)
    {
        int end = page.Items.Count;
        if (Bound is { } bound)
        {
            // The pages of a range end with the first key beyond it, also if the store doesn't list in order.
            for (end = _used; end < page.Items.Count && KeyOrder.Instance.Compare(page.Items[end].Key, bound) <= 0; end++)
            {
            }
        }

        ListedObject[] outside = page.Outside.Count == 0 ? [] : [.. page.Outside.Where(item => IsIn(item.Key, behind))];
        IReadOnlyList<ListedObject> items = _used == 0 && end == page.Items.Count ? page.Items : [.. page.Items.Skip(_used).Take(end - _used)];
        _used = end;
        Count += items.Count;
        Position = items.Count > 0 ? items[^1].Key : Position;
        Beyond = end < page.Items.Count ? page.Items[end].Key : null;
        IsComplete = Beyond is not null || page.Next is null;
        return items.Count == 0 && outside.Length == 0 ? null : new ListedPage(items, outside, Bound is null && IsComplete);
    }

    private bool IsIn(string key, string? behind)
        => (behind is null || KeyOrder.Instance.Compare(key, behind) > 0) && (Bound is null || KeyOrder.Instance.Compare(key, Bound) <= 0);
}
