using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Requests;

namespace Transfer.S3.Ranges;

/// <summary>Decides which pages of an object are fetched for the reads of one stream, and fetches them into the cache.</summary>
/// <remarks>What is fetched beyond a read is decided by an <see cref="AccessPattern"/>. Any number of reads can run at the same time.</remarks>
/// <param name="run">The transfer.</param>
/// <param name="item">The object in the cache.</param>
/// <param name="length">The length of the object, in bytes.</param>
/// <param name="window">Limits the requests of the stream.</param>
/// <param name="partBytes">The maximum number of bytes in a request.</param>
/// <param name="tasks">The work of the stream, which ends together.</param>
/// <param name="maxAheadBytes">The maximum number of bytes to fetch beyond a read.</param>
internal sealed partial class ReadAhead(TransferRun run, CachedObject item, long length, PartWindow window, long partBytes, TaskGroup tasks, long maxAheadBytes)
{
    /// <summary>The number of bytes that one request transfers without additional time, until that is known.</summary>
    private const long DefaultFreeBytes = Sizes.MiB;

    private const long MaxFreeBytes = 4 * Sizes.MiB;

    private readonly Lock _gate = new();
    private readonly List<PageFill> _fills = [];
    private readonly AccessPattern _pattern = new(maxAheadBytes);
    private readonly AccessPattern _positional = new(maxAheadBytes);
    private AheadWindow _ahead;
    private TaskCompletionSource? _fillEnded;

    /// <summary>Fetches bytes: an offset, a length, the memory, who receives them, and the response if it has arrived.</summary>
    public required Func<long, long, ChunkLease, IPartWriter, RangeBody?, CancellationToken, Task> FetchAsync { get; init; }

    /// <summary>Gets what adds the content of a page to the checksums before a reader gets it; null if the reader doesn't verify.</summary>
    public Action<long, ReadOnlyMemory<byte>>? Sum { get; init; }

    /// <summary>Gets what is called when the reader probably reads to the end of the object.</summary>
    public required Action ReadsToEnd { get; init; }

    private PageCache Cache => run.Client.Pages;

    private int PageBytes => Cache.PageBytes;

    /// <summary>Gets the number of bytes that a connection transfers during the time to the first byte. Reading less costs the same.</summary>
    public static long GetFreeBytes(ClientContext client)
    {
        double known = client.Hedging.LatencyBytes ?? client.Queue.LatencyBytes(RequestDirection.Download);
        long bytes = known > 0 ? (long)known : DefaultFreeBytes;
        PageCache cache = client.Pages;
        return Math.Clamp(bytes, cache.PageBytes, Math.Max(cache.PageBytes, Math.Min(MaxFreeBytes, (long)cache.Capacity * cache.PageBytes / 4)));
    }

    /// <summary>Begins to fetch what a read needs, and what comes with it.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="count">The number of bytes to read, 1 or more.</param>
    /// <param name="isThere">Whether the first byte is already there or being fetched.</param>
    /// <param name="isPositional">Whether the read is independent of the others.</param>
    public void Plan(long offset, long count, bool isThere, bool isPositional)
    {
        ReadPlan plan;
        lock (_gate)
        {
            plan = (isPositional ? _positional : _pattern).Next(offset, count, isThere, GetFreeBytes(run.Client));
            if (_announced.FindEnd(offset / PageBytes) is > 0 and long end)
            {
                plan = plan.Within(offset, offset + count, end * PageBytes);
            }
        }

        Want(plan, offset + count, isPositional);
        ContinueQueued();
    }

    /// <summary>Begins to fetch all bytes from an offset to the end.</summary>
    public void PlanToEnd(long offset) => Want(AccessPattern.ToEnd(offset), offset + 1, isPositional: false);

    /// <summary>Begins to fetch a page that a reader waits for, unless it is there or being fetched, and what comes with it.</summary>
    /// <param name="page">The page.</param>
    /// <param name="end">The offset after the last byte that the reader needs.</param>
    /// <param name="isPositional">Whether the read is independent of the others.</param>
    public void FetchNow(long page, long end, bool isPositional)
    {
        long neededEnd = PageAfter(end);
        AheadWindow ahead;
        lock (_gate)
        {
            ahead = isPositional ? default : _ahead;
        }

        BeginFills(page, page, neededEnd, Math.Max(neededEnd, ahead.End), Math.Max(neededEnd, ahead.Limit), isPositional);
    }

    /// <summary>Reports that a copy has read all bytes before an offset, and reads on ahead.</summary>
    public void MoveTo(long offset)
    {
        lock (_gate)
        {
            _ahead.Position = offset / PageBytes;
        }

        ContinueAhead();
        ContinueQueued();
    }

    /// <summary>Begins to fetch pages that nobody else fetches.</summary>
    /// <param name="first">The first page.</param>
    /// <param name="pages">The number of pages.</param>
    /// <param name="lease">Their memory, which the fetch owns.</param>
    /// <param name="response">The response that contains them, which the fetch owns.</param>
    /// <param name="isPrefetch">Whether no reader needs the pages yet, because they are those of an announced range.</param>
    public void Receive(long first, int pages, ChunkLease lease, RangeBody response, bool isPrefetch)
        => Begin(first, pages, lease, isAhead: isPrefetch, isPositional: isPrefetch, response);

    /// <summary>Ends the fetches ahead, so that a copy can release its pages.</summary>
    /// <remarks>A fetch can still be in progress for pages that the copy has read from the floor meanwhile.</remarks>
    public async Task EndAheadAsync(CancellationToken cancellationToken)
    {
        long end = PageAfter(length);
        PageFill[] fills;
        lock (_gate)
        {
            _ahead = new AheadWindow(end, end, end, end);
            fills = [.. _fills.Where(static fill => !fill.IsPositional)];
        }

        fills = [.. fills.Where(static fill => fill.HasArrived || fill.CancelUnlessAwaited())];
        while (true)
        {
            Task ended;
            lock (_gate)
            {
                if (!_fills.Exists(fill => fills.Contains(fill)))
                {
                    return;
                }

                _fillEnded ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                ended = _fillEnded.Task;
            }

            await ended.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Cancels all fetches.</summary>
    public void Cancel()
    {
        PageFill[] fills;
        lock (_gate)
        {
            fills = [.. _fills];
        }

        Array.ForEach(fills, static fill => fill.Cancel());
    }

    /// <summary>Marks the pages ahead as no longer about to be read. All fetches have ended.</summary>
    public void Forget() => Cache.Forget(item, _ahead.Position, _ahead.Next);

    /// <summary>Gets the page after the last one that contains bytes before an offset.</summary>
    private long PageAfter(long offset) => (Math.Min(offset, length) + PageBytes - 1) / PageBytes;

    /// <summary>Begins to fetch what is wanted, and cancels what isn't wanted anymore.</summary>
    private void Want(ReadPlan plan, long neededEnd, bool isPositional)
    {
        long from = plan.From / PageBytes;
        long end = PageAfter(plan.End);
        long limit = PageAfter(plan.End + plan.Slack);
        long next = from;
        if (!isPositional)
        {
            AheadWindow former;
            PageFill[] unwanted = [];
            bool isAnnounced;
            lock (_gate)
            {
                former = _ahead;
                next = plan.IsJump ? from : Math.Max(from, _ahead.Next);
                _ahead = new AheadWindow(from, next, end, limit);
                isAnnounced = _announced.FindEnd(former.Position) > 0;
                if (plan.IsJump && _fills.Count > 0)
                {
                    unwanted = [.. _fills.Where(fill => !fill.IsPositional && !IsWanted(plan, fill))];
                }
            }

            if (plan.IsJump && !isAnnounced)
            {
                Cache.Forget(item, former.Position, former.Next);
            }

            Array.ForEach(unwanted, static fill => fill.CancelUnlessAwaited());
        }

        BeginFills(from, next, PageAfter(neededEnd), end, limit, isPositional);
        if (plan.End >= length && plan.End - plan.From >= AccessPattern.RunBytes)
        {
            ReadsToEnd();
        }

        long pages = Cache.Capacity / 2; // further ranges must not replace what is being read
        for (int i = 1; i <= plan.Ranges; i++)
        {
            long range = plan.From + (i * plan.Stride);
            (long first, long rangeEnd) = (range / PageBytes, PageAfter(range + (plan.End - plan.From)));
            pages -= rangeEnd - first;
            if (range >= 0 && range < length && pages >= 0)
            {
                BeginFills(first, first, first, rangeEnd, rangeEnd, isPositional);
            }
        }
    }

    private bool IsWanted(ReadPlan plan, PageFill fill)
    {
        for (int i = 0; i <= plan.Ranges; i++)
        {
            long shift = i * plan.Stride;
            if (fill.First < PageAfter(plan.End + shift) && fill.End > (plan.From + shift) / PageBytes)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Begins to fetch missing pages, as far as there are requests and memory for them.</summary>
    /// <param name="position">The page that is read now.</param>
    /// <param name="from">The first page that may be missing.</param>
    /// <param name="neededEnd">The page after the last one that a reader needs now.</param>
    /// <param name="end">The page after the last one that is wanted.</param>
    /// <param name="limit">The page after the last one that can be fetched with those that are wanted.</param>
    /// <param name="isPositional">Whether the read is independent of the others.</param>
    /// <param name="continues">Whether the reader moves on meanwhile, so that what was missing can be behind it.</param>
    private void BeginFills(long position, long from, long neededEnd, long end, long limit, bool isPositional, bool continues = false)
    {
        long objectEnd = PageAfter(length);
        end = Math.Min(end, objectEnd);
        long room = position + Math.Max(1, Cache.Capacity * 3L / 4); // the rest is for what was read
        while (!tasks.Stopping.IsCancellationRequested)
        {
            (long first, long count) = Cache.FindMissing(item, from, Math.Min(end, Math.Max(room, neededEnd)));
            NoteNext(position, first);
            bool isNeeded = first < neededEnd;
            if (count == 0 || (first != position && !(isNeeded && isPositional) && Fills >= window.Size) || (continues && !IsStillAhead(first)))
            {
                return;
            }

            long rest = (objectEnd - first) * PageBytes;
            if (!isNeeded)
            {
                // Short requests ahead aren't worthwhile: a little more is fetched, or nothing before there is room for it.
                long least = Math.Min(objectEnd - first, first + count < end ? GetPages(GetRange(rest, rest)) : GetFreeBytes(run.Client) / PageBytes);
                if (least > limit - first)
                {
                    // No more may be fetched. It is requested when it is half of what can be ahead of the reader, so that requests don't become ever shorter.
                    least = limit - first;
                    if (2 * least < limit - position)
                    {
                        return;
                    }
                }

                if (first + count < end && count < least)
                {
                    return;
                }

                count = Math.Max(count, least);
            }

            int pages = (int)Math.Clamp(GetPages(GetRange(count * PageBytes, rest)), 1, count);
            if (Cache.TryLease(pages, isNeeded) is not { } lease)
            {
                return;
            }

            int begun = Begin(first, Math.Min(pages, lease.Chunks), lease, isAhead: !isNeeded, isPositional, response: null, continues);
            from = first + begun;
            NoteNext(position, from);
        }
    }

    private long GetPages(long bytes) => bytes / PageBytes;

    private long GetRange(long bytes, long rest) => window.GetRange(Math.Min(bytes, partBytes), rest);

    /// <summary>Records that no page before <paramref name="next"/> is missing for the reader that reads ahead.</summary>
    private void NoteNext(long position, long next)
    {
        lock (_gate)
        {
            if (_ahead.Position == position)
            {
                _ahead.Next = Math.Max(_ahead.Next, next);
            }
        }
    }

    private int Fills
    {
        get
        {
            lock (_gate)
            {
                return _fills.Count;
            }
        }
    }

    /// <summary>Begins to fetch pages that nobody else fetches.</summary>
    /// <returns>The number of pages.</returns>
    private int Begin(long first, int pages, ChunkLease lease, bool isAhead, bool isPositional, RangeBody? response, bool continues = false, Prefetch? prefetch = null)
    {
        PageFill fill = new(Cache, item, this, Sum, first, isAhead) { IsPositional = isPositional, Prefetch = prefetch };
        bool begins;
        lock (_gate)
        {
            begins = (!continues || IsStillAhead(first)) && fill.TryBegin(pages) && !tasks.Stopping.IsCancellationRequested;
            if (begins)
            {
                _fills.Add(fill);
            }
        }

        if (!begins)
        {
            fill.Complete();
            lease.Dispose();
            response?.Dispose();
            return 0;
        }

        if (fill.Count < pages)
        {
            response?.Dispose(); // another reader fetches some of its pages
            response = null;
        }

        tasks.Add(RunAsync(fill, lease, response));
        return fill.Count;
    }

    private async Task RunAsync(PageFill fill, ChunkLease lease, RangeBody? response)
    {
        await default(PoolTurn);
        try
        {
            long offset = fill.First * PageBytes;
            await FetchAsync(offset, Math.Min(fill.End * PageBytes, length) - offset, lease, fill, response, fill.Token).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // whoever needs the pages throws it
        catch (Exception e)
#pragma warning restore CA1031
        {
            fill.Fail(e);
        }

        fill.Complete();
        lease.Dispose();
        TaskCompletionSource? ended;
        lock (_gate)
        {
            _fills.Remove(fill);
            if (fill is { Prefetch: { } prefetch, Error: not (null or OperationCanceledException) })
            {
                prefetch.Error ??= fill.Error;
                Clear(prefetch);
            }

            ended = _fillEnded;
            _fillEnded = null;
        }

        ended?.TrySetResult();
        if (fill.Error is null or OperationCanceledException)
        {
            ContinueAhead(); // after an error, the reader decides whether to try again
        }

        ContinueQueued();
    }

    /// <summary>Reads on ahead while the reader is busy.</summary>
    private void ContinueAhead()
    {
        AheadWindow ahead;
        lock (_gate)
        {
            ahead = _ahead;
        }

        BeginFills(ahead.Position, Math.Max(ahead.Position, ahead.Next), ahead.Position, ahead.End, ahead.Limit, isPositional: false, continues: true);
    }

    /// <summary>Returns whether a page is still in front of the reader. What is behind it was released, and must not be fetched again.</summary>
    private bool IsStillAhead(long page)
    {
        lock (_gate)
        {
            return page >= _ahead.Position && page < _ahead.End;
        }
    }

    /// <summary>What a reader that moves forward is about to read, in pages.</summary>
    /// <param name="position">The page that is read now.</param>
    /// <param name="next">The first page that may be missing.</param>
    /// <param name="end">The page after the last one that is wanted.</param>
    /// <param name="limit">The page after the last one that can be fetched with those that are wanted.</param>
    private struct AheadWindow(long position, long next, long end, long limit)
    {
        public long Position = position;
        public long Next = next;
        public readonly long End => end;
        public readonly long Limit => limit;
    }
}
