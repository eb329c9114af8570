namespace Transfer.S3.Wire;

/// <summary>
/// One page of a list. A list in pages is complete, ends, and repeats nothing, or reading it fails: a page can't be created if there is a next page but no marker
/// for it, or if it doesn't continue the page before.
/// </summary>
internal sealed class Page<T>
{
    /// <param name="rule">What must hold for pages of this list.</param>
    /// <param name="prefix">The prefix of the keys that were requested.</param>
    /// <param name="listed">The items of the response.</param>
    /// <param name="isTruncated">Whether there is a next page.</param>
    /// <param name="marker">The marker of the next page, if the response has one.</param>
    /// <param name="before">The end of the page before; null for the first page.</param>
    /// <exception cref="WireException">Thrown when the list can't be read completely.</exception>
    public Page(PageRule<T> rule, string prefix, IReadOnlyList<T> listed, bool isTruncated, PageMarker? marker, PageEnd? before)
    {
        List<T> items = new(listed.Count);
        List<T>? outside = null;
        PagePlace? last = before?.Last;
        PagePlace? previous = last;
        foreach (T item in listed)
        {
            PagePlace place = rule.GetPlace(item);
            if (rule.GetSize?.Invoke(item) is > Sizes.MaxObject and var size)
            {
                throw new WireException(FailureKind.Final, $"the store returned a {rule.What} in which '{place}' has the impossible size {size}");
            }

            if (rule.IsOrdered && before?.Last is { } end && place.IsBefore(end))
            {
                throw NotInOrder(rule, place, end);
            }

            if (place == previous && !rule.CanShare)
            {
                continue; // some stores list an item again, also on the next page
            }

            previous = place;
            last = last is { } highest && place.IsBefore(highest) ? highest : place;
            if (place.Key.StartsWith(prefix, StringComparison.Ordinal))
            {
                items.Add(item);
            }
            else
            {
                (outside ??= []).Add(item);
            }
        }

        Items = items;
        Outside = outside ?? [];
        if (isTruncated)
        {
            Next = GetEnd(rule, marker, before, last);
            if (rule is { IsOrdered: true, CanShare: false } && listed.Count > 0 && last is { } again && again == before?.Last)
            {
                throw NotInOrder(rule, again, again);
            }
        }
    }

    /// <summary>Gets the items, in the order of the store.</summary>
    public IReadOnlyList<T> Items { get; }

    /// <summary>Gets items whose keys don't begin with the requested prefix. They were not requested, and their names relative to the prefix don't exist.</summary>
    public IReadOnlyList<T> Outside { get; }

    /// <summary>Gets the end of this page; null if it is the last one.</summary>
    public PageEnd? Next { get; }

    /// <summary>Gets the ETag of the object whose parts are listed; null if the response has none.</summary>
    public string? ETag { get; init; }

    /// <summary>Gets the time of the response by the clock of the store; null if it isn't known.</summary>
    public DateTimeOffset? StoreTime { get; init; }

    private static PageEnd GetEnd(PageRule<T> rule, PageMarker? marker, PageEnd? before, PagePlace? last)
        => marker is not { Token.Length: > 0 } ? throw new WireException(FailureKind.Final, $"the store returned an incomplete {rule.What} without a marker of its next page")
            : before is null ? new PageEnd(marker, last)
            : before.Then(marker, last) ?? throw Repeated(rule, string.Empty);

    private static WireException NotInOrder(PageRule<T> rule, PagePlace place, PagePlace end)
        => Repeated(rule, $", or does not list in order: '{place}' follows '{end}'");

    private static WireException Repeated(PageRule<T> rule, string alternative)
        => new(FailureKind.Final, $"the store returned the same page of the {rule.What} again{alternative}");
}
