namespace Transfer.S3.Wire;

/// <summary>The end of a page, which is where the next one begins.</summary>
/// <param name="Marker">The marker of the next page.</param>
/// <param name="Last">The last place on this page and all before; null if all of them were empty.</param>
internal sealed record PageEnd(PageMarker Marker, PagePlace? Last)
{
    // Markers in a circle are found without remembering all of them: each is compared with one that is replaced after 1, 2, 4, ... pages (Brent's algorithm).
    private PageMarker _seen = Marker;
    private int _pages;
    private int _limit = 1;

    /// <summary>Gets the end of the next page; null if its marker was returned before.</summary>
    public PageEnd? Then(PageMarker marker, PagePlace? last)
    {
        if (marker == _seen || marker == Marker)
        {
            return null;
        }

        bool isLimit = _pages + 1 == _limit;
        return new PageEnd(marker, last)
        {
            _seen = isLimit ? marker : _seen,
            _pages = isLimit ? 0 : _pages + 1,
            _limit = isLimit ? _limit * 2 : _limit,
        };
    }
}
