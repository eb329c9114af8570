namespace Transfer.S3.Trees;

/// <summary>Compares how long a caller waits for pages with how long it uses them. The last pages count most: each counts half as much as the next one.</summary>
/// <param name="time">The clock.</param>
internal sealed class ListingPace(TimeProvider time)
{
    /// <summary>The number of pages after which a listing counts as slow or not.</summary>
    private const int LeastPages = 4;

    /// <summary>
    /// The time for which a caller waits for a page of a slow store. Pages of a faster one arrive about as fast as one processor reads them, so more requests at the same
    /// time bring little.
    /// </summary>
    private static readonly TimeSpan SlowPage = TimeSpan.FromMilliseconds(10);

    private TimeSpan _waited;
    private TimeSpan _used;
    private long _asked;
    private long _returned;
    private int _pages;

    /// <summary>Gets a value that indicates whether the listing is slower than its use.</summary>
    public bool IsSlow => _pages >= LeastPages && _waited >= 2 * SlowPage && _waited >= _used;

    /// <summary>Begins the wait for the next page.</summary>
    public void Ask()
    {
        _asked = time.GetTimestamp();
        _used = (_used / 2) + (_pages == 0 ? TimeSpan.Zero : time.GetElapsedTime(_returned, _asked));
    }

    /// <summary>Ends the wait.</summary>
    public void Return()
    {
        _returned = time.GetTimestamp();
        if (_pages++ > 0)
        {
            _waited = (_waited / 2) + time.GetElapsedTime(_asked, _returned); // every listing waits for its first page
        }
    }
}
