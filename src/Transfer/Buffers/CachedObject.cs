namespace Transfer.S3.Buffers;

/// <summary>The cached pages of one state of an object. All of its readers share it.</summary>
internal sealed class CachedObject(PageCache cache, object key)
{
    public object Key => key;

    public PageCache Cache => cache;

    /// <summary>Gets the pages that are cached or being fetched. The lock of the cache guards it.</summary>
    public PageTable Pages { get; } = new();

    /// <summary>Gets or sets what the readers share beside the pages.</summary>
    public object? Shared { get; init; }

    /// <summary>Gets or sets the number of readers.</summary>
    public int Readers { get; set; }

    /// <summary>Gets or sets the time for which the pages are kept after the last reader has left.</summary>
    public TimeSpan Retention { get; set; }

    /// <summary>Gets or sets the timer that releases the pages; null while there are readers.</summary>
    public ITimer? Expiry { get; set; }
}
