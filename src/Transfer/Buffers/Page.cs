namespace Transfer.S3.Buffers;

/// <summary>One chunk of a cached object. The lock of the <see cref="PageCache"/> guards all of its state.</summary>
internal sealed class Page
{
    public Page() => Node = new LinkedListNode<Page>(this);

    /// <summary>Gets or sets the object; null while the page isn't in use.</summary>
    public CachedObject? Owner { get; set; }

    /// <summary>Gets or sets the number of the page in its object.</summary>
    public long Index { get; set; }

    /// <summary>Gets or sets the data; null while it is being fetched or if it isn't.</summary>
    public Chunk? Chunk { get; set; }

    /// <summary>Gets or sets a value that indicates whether the data was added to the checksums that the readers of the object share.</summary>
    /// <remarks>Any reader that has pinned the page can set it after it has added the data.</remarks>
    public bool IsSummed { get; set; }

    /// <summary>Gets or sets who fetches the page; null if nobody does.</summary>
    public object? Filler { get; set; }

    /// <summary>Gets or sets the number of readers that use the page or wait for it. It isn't released before they are done.</summary>
    public int Pins { get; set; }

    /// <summary>Gets or sets a source that is completed when the page has arrived or is no longer fetched; null if nobody waits.</summary>
    public TaskCompletionSource? Changed { get; set; }

    /// <summary>Gets the place of the page in one of the lists of the cache, which determine what is released first.</summary>
    public LinkedListNode<Page> Node { get; }
}
