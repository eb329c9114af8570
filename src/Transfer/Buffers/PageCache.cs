using System.Diagnostics.CodeAnalysis;

namespace Transfer.S3.Buffers;

/// <summary>
/// The data of objects that are read at any position, in pages of one chunk. All readers of the same state of an object share its pages, so each page is fetched
/// once as long as it fits.
/// </summary>
/// <remarks>
/// Pages are released in this order: those that were read, least recently used first; then those that a reader is about to read, the farthest first. A page that a
/// reader uses or waits for isn't released. One lock guards the cache, and no reader is woken and no data is copied under it.
/// </remarks>
internal sealed class PageCache : IReclaimableMemory, IDisposable
{
    /// <summary>The number of unused pages that are kept, without data. Their list stays off the large object heap.</summary>
    private const int MaxSparePages = 4096;

    private readonly Lock _gate = new();
    private readonly ChunkPool _pool;
    private readonly TimeProvider _time;
    private readonly Dictionary<object, CachedObject> _objects = [];
    private readonly LinkedList<Page> _used = new();
    private readonly LinkedList<Page> _ahead = new();
    private readonly Stack<Page> _spare = new();
    private bool _isDisposed;

    public PageCache(ChunkPool pool, TimeProvider time)
    {
        _pool = pool;
        _time = time;
        pool.Budget.Cache = this;
    }

    /// <summary>Gets the number of bytes in a page.</summary>
    public int PageBytes => _pool.ChunkSize;

    /// <summary>Gets the maximum number of pages.</summary>
    public int Capacity => (int)Math.Min(int.MaxValue, _pool.Budget.GetLimit(MemoryUse.Cache) / PageBytes);

    /// <summary>Gets the number of pages that were fetched ahead and that no reader has read yet.</summary>
    public int UnreadPages
    {
        get
        {
            lock (_gate)
            {
                return _ahead.Count;
            }
        }
    }

    /// <summary>Enters a reader of an object.</summary>
    /// <param name="key">Identifies the object and its state.</param>
    /// <param name="retention">The time for which pages are kept after the last reader has left.</param>
    /// <param name="share">Creates what the readers share beside the pages.</param>
    public CachedObject Enter(object key, TimeSpan retention, Func<object> share)
    {
        lock (_gate)
        {
            if (!_objects.TryGetValue(key, out CachedObject? found))
            {
                found = new CachedObject(this, key) { Shared = share() };
                _objects.Add(key, found);
            }

            found.Readers++;
            found.Retention = retention > found.Retention ? retention : found.Retention;
            found.Expiry?.Dispose();
            found.Expiry = null;
            return found;
        }
    }

    /// <summary>Removes a reader, which fetches and uses no page anymore. The pages are released with the last reader, or when their time is over.</summary>
    public void Leave(CachedObject item)
    {
        lock (_gate)
        {
            item.Readers--;
            if (item.Readers > 0)
            {
                return;
            }

            if (item.Retention > TimeSpan.Zero && !_isDisposed)
            {
                item.Expiry = _time.CreateTimer(static state => ((CachedObject)state!).Cache.Expire((CachedObject)state), item, item.Retention, Timeout.InfiniteTimeSpan);
            }
            else
            {
                Remove(item);
            }
        }
    }

    /// <summary>Forgets an object whose data is damaged. New readers fetch it again.</summary>
    public void Disown(CachedObject item)
    {
        lock (_gate)
        {
            item.Retention = TimeSpan.Zero;
            if (_objects.TryGetValue(item.Key, out CachedObject? found) && found == item)
            {
                _objects.Remove(item.Key);
            }
        }
    }

    /// <summary>Pins a page whose data is there. The caller unpins it after it has used the data.</summary>
    public bool TryPin(CachedObject item, long index, [NotNullWhen(true)] out Page? page)
    {
        lock (_gate)
        {
            if (!item.Pages.TryGet(index, out page) || page.Chunk is null)
            {
                page = null;
                return false;
            }

            page.Pins++;
            return true;
        }
    }

    /// <summary>Pins a page that is being fetched. Afterward, the caller checks whether the data is there, and unpins the page.</summary>
    /// <param name="item">The object.</param>
    /// <param name="index">The number of the page.</param>
    /// <param name="page">The pinned page.</param>
    /// <param name="changed">A task that completes when the data may be there.</param>
    /// <param name="filler">Who fetches the page; null if the data is there.</param>
    /// <returns>Whether the page is there or being fetched.</returns>
    public bool TryAwait(CachedObject item, long index, [NotNullWhen(true)] out Page? page, out Task changed, out object? filler)
    {
        lock (_gate)
        {
            changed = Task.CompletedTask;
            filler = null;
            if (!item.Pages.TryGet(index, out page) || page is { Chunk: null, Filler: null })
            {
                page = null;
                return false;
            }

            page.Pins++;
            filler = page.Filler;
            if (filler is not null)
            {
                page.Changed ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                changed = page.Changed.Task;
            }

            return true;
        }
    }

    /// <summary>Ends the use of a page, or the wait for it.</summary>
    public void Unpin(Page page, PageUse use)
    {
        lock (_gate)
        {
            page.Pins--;
            if (use != PageUse.None && page.Chunk is not null)
            {
                Move(page, _used);
            }

            if (page.Pins == 0)
            {
                if (use == PageUse.Last && page.Owner is { Readers: 1 })
                {
                    ReleaseData(page);
                }

                ReleaseIfUnused(page);
            }
        }

        GiveWaiters();
    }

    /// <summary>Gets the first run of pages that are neither there nor being fetched.</summary>
    /// <param name="item">The object.</param>
    /// <param name="from">The first page to look at.</param>
    /// <param name="end">The page after the last one to look at.</param>
    public (long First, long Count) FindMissing(CachedObject item, long from, long end)
    {
        lock (_gate)
        {
            while (from < end && IsThere(item, from))
            {
                from++;
            }

            long last = from;
            while (last < end && !IsThere(item, last))
            {
                last++;
            }

            return (from, last - from);
        }
    }

    /// <summary>Gets memory for pages, and releases other pages for it.</summary>
    /// <param name="pages">The number of pages.</param>
    /// <param name="isNeeded">Whether a reader waits for the first page, so that pages that others are about to read are released, too.</param>
    /// <returns>The memory; null if there is none. If a reader waits, it can be for fewer pages.</returns>
    public ChunkLease? TryLease(int pages, bool isNeeded)
    {
        while (true)
        {
            ChunkLease? lease = _pool.TryLease(MemoryUse.Cache, pages);
            if (lease is not null)
            {
                return lease;
            }

            bool released = Release(_pool.Budget.MissingForCache((long)pages * PageBytes), isNeeded);
            lease = released ? _pool.TryLease(MemoryUse.Cache, pages) : null;
            if (lease is not null || !isNeeded || pages == 1)
            {
                return lease;
            }

            pages = Math.Max(1, pages / 4);
        }
    }

    /// <summary>Registers the fetch of pages, except those that are there or being fetched.</summary>
    /// <returns>The number of pages from the first one that the fetch gets.</returns>
    public int Begin(CachedObject item, object filler, long first, int count)
    {
        lock (_gate)
        {
            int begun = 0;
            while (begun < count && !IsThere(item, first + begun))
            {
                if (!item.Pages.TryGet(first + begun, out Page? page))
                {
                    page = _spare.TryPop(out Page? spare) ? spare : new Page();
                    page.Owner = item;
                    page.Index = first + begun;
                    item.Pages.Add(page.Index, page);
                }

                page.Filler = filler;
                begun++;
            }

            return begun;
        }
    }

    /// <summary>Adds the data of a page. The cache owns the chunk from then on.</summary>
    /// <param name="item">The object.</param>
    /// <param name="filler">Who fetched the page.</param>
    /// <param name="index">The number of the page.</param>
    /// <param name="chunk">The data.</param>
    /// <param name="isAhead">Whether a reader is about to read the page.</param>
    /// <param name="isSummed">Whether the data was added to the checksums that the readers share.</param>
    public void Arrive(CachedObject item, object filler, long index, Chunk chunk, bool isAhead, bool isSummed)
    {
        TaskCompletionSource? changed;
        lock (_gate)
        {
            item.Pages.TryGet(index, out Page? page);
            page!.Filler = null; // a page that is being fetched isn't removed
            page.Chunk = chunk;
            page.IsSummed = isSummed;
            (isAhead ? _ahead : _used).AddLast(page.Node);
            changed = page.Changed;
            page.Changed = null;
        }

        changed?.TrySetResult();
        GiveWaiters();
    }

    /// <summary>Ends a fetch. Its pages that haven't arrived can be fetched by others.</summary>
    public void End(CachedObject item, object filler, long first, int count)
    {
        List<TaskCompletionSource>? waiting = null;
        lock (_gate)
        {
            for (long index = first; index < first + count; index++)
            {
                if (item.Pages.TryGet(index, out Page? page) && page.Filler == filler)
                {
                    page.Filler = null;
                    if (page.Changed is { } changed)
                    {
                        (waiting ??= []).Add(changed);
                        page.Changed = null;
                    }

                    ReleaseIfUnused(page);
                }
            }
        }

        waiting?.ForEach(static one => one.TrySetResult());
    }

    /// <summary>Returns whether a reader waits for one of the pages.</summary>
    public bool IsAwaited(CachedObject item, long first, int count)
    {
        lock (_gate)
        {
            for (long index = first; index < first + count; index++)
            {
                if (item.Pages.TryGet(index, out Page? page) && page.Pins > 0)
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>Marks pages as no longer about to be read. They are released first.</summary>
    public void Forget(CachedObject item, long from, long end)
    {
        lock (_gate)
        {
            for (long index = from; index < end; index++)
            {
                if (item.Pages.TryGet(index, out Page? page) && page.Node.List == _ahead)
                {
                    _ahead.Remove(page.Node);
                    _used.AddFirst(page.Node);
                }
            }
        }
    }

    /// <summary>Releases the pages of a range, unless they are used or another reader of the object could need them.</summary>
    public void Release(CachedObject item, long from, long end)
    {
        lock (_gate)
        {
            if (item.Readers > 1)
            {
                return;
            }

            foreach (Page page in item.Pages.All.Where(page => page.Index >= from && page.Index < end && page is { Pins: 0, Chunk: not null }).ToList())
            {
                ReleaseData(page);
                ReleaseIfUnused(page);
            }
        }
    }

    public bool Reclaim(long bytes) => Release(bytes, alsoAhead: true);

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            foreach (CachedObject item in _objects.Values.Where(item => item.Readers == 0).ToList())
            {
                Remove(item);
            }
        }
    }

    private static bool IsThere(CachedObject item, long index) => item.Pages.TryGet(index, out Page? page) && (page.Chunk is not null || page.Filler is not null);

    private void Expire(CachedObject item)
    {
        lock (_gate)
        {
            if (item is { Readers: 0, Expiry: not null })
            {
                Remove(item);
            }
        }
    }

    private void Remove(CachedObject item)
    {
        item.Expiry?.Dispose();
        item.Expiry = null;
        if (_objects.TryGetValue(item.Key, out CachedObject? found) && found == item)
        {
            _objects.Remove(item.Key);
        }

        foreach (Page page in item.Pages.All.ToList())
        {
            ReleaseData(page);
            ReleaseIfUnused(page);
        }
    }

    private static void Move(Page page, LinkedList<Page> list)
    {
        page.Node.List?.Remove(page.Node);
        list.AddLast(page.Node);
    }

    /// <summary>Releases pages, so that at least a number of bytes is free.</summary>
    /// <returns>Whether any page was released.</returns>
    private bool Release(long bytes, bool alsoAhead)
    {
        lock (_gate)
        {
            long missing = bytes;
            for (LinkedListNode<Page>? node = _used.First; node is not null && missing > 0;)
            {
                LinkedListNode<Page>? next = node.Next;
                missing -= TryRelease(node.Value);
                node = next;
            }

            for (LinkedListNode<Page>? node = alsoAhead ? _ahead.Last : null; node is not null && missing > 0;)
            {
                LinkedListNode<Page>? previous = node.Previous;
                missing -= TryRelease(node.Value);
                node = previous;
            }

            return missing < bytes;
        }
    }

    private long TryRelease(Page page)
    {
        if (page.Pins > 0)
        {
            return 0;
        }

        ReleaseData(page);
        ReleaseIfUnused(page);
        return PageBytes;
    }

    private static void ReleaseData(Page page)
    {
        page.Node.List?.Remove(page.Node);
        page.Chunk?.Dispose();
        page.Chunk = null;
        page.IsSummed = false;
    }

    private void ReleaseIfUnused(Page page)
    {
        if (page is { Pins: 0, Chunk: null, Filler: null, Owner: { } owner })
        {
            owner.Pages.Remove(page.Index);
            page.Owner = null;
            page.Changed = null;
            if (_spare.Count < MaxSparePages)
            {
                _spare.Push(page);
            }
        }
    }

    /// <summary>Releases pages if something waits for memory. While pages are fetched or used, they can't be released.</summary>
    private void GiveWaiters()
    {
        if (_pool.Budget.MissingBytes is > 0 and long missing)
        {
            Release(missing, alsoAhead: true);
        }
    }
}
