using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;

namespace Transfer.S3.Ranges;

/// <content>Decides which pages to fetch, and fetches them.</content>
internal sealed partial class SeekableReader
{
    /// <summary>Begins to fetch what is wanted, and cancels what isn't wanted anymore.</summary>
    private void Want(ReadPlan plan, long neededEnd, bool isPositional)
    {
        long from = plan.From / PageBytes;
        long end = PageAfter(plan.End);
        long next = from;
        if (!isPositional)
        {
            AheadWindow former;
            PageFill[] unwanted = [];
            lock (_gate)
            {
                former = _ahead;
                next = plan.IsJump ? from : Math.Max(from, _ahead.Next);
                _ahead = new AheadWindow(from, next, end);
                if (plan.IsJump && _fills.Count > 0)
                {
                    unwanted = [.. _fills.Where(fill => !fill.IsPositional && !IsWanted(plan, fill))];
                }
            }

            if (plan.IsJump)
            {
                Cache.Forget(_object!, former.Position, former.Next);
            }

            Array.ForEach(unwanted, static fill => fill.CancelUnlessAwaited());
        }

        BeginFills(from, next, PageAfter(neededEnd), end, isPositional);
        if (plan.End >= Length && plan.End - plan.From >= AccessPattern.RunBytes)
        {
            AskForChecksum();
        }

        for (int i = 1; i <= plan.Ranges; i++)
        {
            long range = plan.From + (i * plan.Stride);
            if (range >= 0 && range < Length)
            {
                BeginFills(range / PageBytes, range / PageBytes, range / PageBytes, PageAfter(range + (plan.End - plan.From)), isPositional);
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
    /// <param name="isPositional">Whether the read is independent of the others.</param>
    /// <param name="continues">Whether the reader moves on meanwhile, so that what was missing can be behind it.</param>
    private void BeginFills(long position, long from, long neededEnd, long end, bool isPositional, bool continues = false)
    {
        CachedObject item = _object!;
        long objectEnd = PageAfter(Length);
        end = Math.Min(end, objectEnd);
        long room = position + Math.Max(1, Cache.Capacity * 3L / 4); // the rest is for what was read
        while (!_tasks.Stopping.IsCancellationRequested)
        {
            (long first, long count) = Cache.FindMissing(item, from, Math.Min(end, Math.Max(room, neededEnd)));
            NoteNext(position, first);
            bool isNeeded = first < neededEnd;
            if (count == 0 || (first != position && !(isNeeded && isPositional) && Fills >= _window.Size) || (continues && !IsStillAhead(first)))
            {
                return;
            }

            long rest = (objectEnd - first) * PageBytes;
            if (!isNeeded)
            {
                // Short requests ahead aren't worthwhile: a little more is fetched, or nothing before there is room for it.
                long least = Math.Min(objectEnd - first, first + count < end ? GetPages(GetRange(rest, rest)) : FreeBytes / PageBytes);
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

            int begun = Begin(item, first, Math.Min(pages, lease.Chunks), lease, isAhead: !isNeeded, isPositional, response: null, continues);
            from = first + begun;
            NoteNext(position, from);
        }
    }

    private long GetPages(long bytes) => bytes / PageBytes;

    private long GetRange(long bytes, long rest) => _window.GetRange(Math.Min(bytes, _request.PartSizeBytes), rest);

    private long AheadEnd
    {
        get
        {
            lock (_gate)
            {
                return _ahead.End;
            }
        }
    }

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
    private int Begin(CachedObject item, long first, int pages, ChunkLease lease, bool isAhead, bool isPositional, RangeBody? response, bool continues = false)
    {
        PageFill fill = new(Cache, item, this, _sum, first, isAhead) { IsPositional = isPositional };
        bool begins;
        lock (_gate)
        {
            begins = (!continues || IsStillAhead(first)) && fill.TryBegin(pages) && !_tasks.Stopping.IsCancellationRequested;
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

        _tasks.Add(RunAsync(fill, lease, response));
        return fill.Count;
    }

    private async Task RunAsync(PageFill fill, ChunkLease lease, RangeBody? response)
    {
        await default(PoolTurn);
        try
        {
            long offset = fill.First * PageBytes;
            await FetchAsync(offset, Math.Min(fill.End * PageBytes, Length) - offset, lease, fill, response, fill.Token).ConfigureAwait(false);
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
            ended = _fillEnded;
            _fillEnded = null;
        }

        ended?.TrySetResult();
        if (fill.Error is null or OperationCanceledException)
        {
            ContinueAhead(); // after an error, the reader decides whether to try again
        }
    }

    /// <summary>Reads on ahead while the reader is busy.</summary>
    private void ContinueAhead()
    {
        AheadWindow ahead;
        lock (_gate)
        {
            ahead = _ahead;
        }

        BeginFills(ahead.Position, Math.Max(ahead.Position, ahead.Next), ahead.Position, ahead.End, isPositional: false, continues: true);
    }

    /// <summary>Returns whether a page is still in front of the reader. What is behind it was released, and must not be fetched again.</summary>
    private bool IsStillAhead(long page)
    {
        lock (_gate)
        {
            return page >= _ahead.Position && page < _ahead.End;
        }
    }

    /// <summary>Ends the fetches ahead and releases pages, so that a copy leaves no memory behind when it returns.</summary>
    /// <remarks>A fetch can still be in progress for pages that the copy has read from the floor meanwhile.</remarks>
    /// <param name="first">The first page that was copied.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    private async Task ReleaseBehindAsync(long first, CancellationToken cancellationToken)
    {
        long end = PageAfter(Length);
        PageFill[] fills;
        lock (_gate)
        {
            _ahead = new AheadWindow(end, end, end);
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
                    break;
                }

                _fillEnded ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                ended = _fillEnded.Task;
            }

            await ended.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        await _floor.ClearAsync(cancellationToken).ConfigureAwait(false);
        Cache.Release(_object!, first, end);
    }

    /// <summary>What a reader that moves forward is about to read, in pages.</summary>
    /// <param name="position">The page that is read now.</param>
    /// <param name="next">The first page that may be missing.</param>
    /// <param name="end">The page after the last one that is wanted.</param>
    private struct AheadWindow(long position, long next, long end)
    {
        public long Position = position;
        public long Next = next;
        public readonly long End => end;
    }
}
