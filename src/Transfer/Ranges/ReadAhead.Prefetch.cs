using System.Runtime.ExceptionServices;

namespace Transfer.S3.Ranges;

/// <content>Fetches ranges that the caller announces before it reads them.</content>
internal sealed partial class ReadAhead
{
    private readonly PageSet _announced = new();
    private readonly Queue<PrefetchRun> _queue = new();
    private long _queuedPages;
    private int _queued;

    /// <summary>What hinders the next request for announced ranges.</summary>
    private enum PrefetchState
    {
        /// <summary>Nothing. All was requested.</summary>
        Requested,

        /// <summary>As many requests as useful are in flight.</summary>
        Busy,

        /// <summary>The pages that weren't read yet take all memory that they can have.</summary>
        Full,
    }

    /// <summary>Fetches ranges, as far as memory allows. The rest is fetched while the reader releases what it has read.</summary>
    /// <param name="ranges">The ranges.</param>
    /// <param name="maxGapBytes">The maximum number of bytes to fetch between two of them.</param>
    /// <param name="cancellationToken">Cancels the requests that no reader waits for.</param>
    public async Task PrefetchAsync(PlacedRange[] ranges, long maxGapBytes, CancellationToken cancellationToken)
    {
        Prefetch prefetch = Announce(ranges, maxGapBytes);
        try
        {
            while (true)
            {
                cancellationToken.ThrowIfCancellationRequested(); // nothing more is requested when the stream is disposed
                PrefetchState state = BeginQueued();
                Task ended;
                lock (_gate)
                {
                    if (prefetch.Error is { } error)
                    {
                        ExceptionDispatchInfo.Throw(error);
                    }

                    if (!_fills.Exists(fill => prefetch.Pages.Overlaps(fill.First, fill.End)))
                    {
                        if (state == PrefetchState.Full || prefetch.Queued == 0)
                        {
                            return;
                        }

                        if (HasRoomForRequest)
                        {
                            continue; // another fetch has ended meanwhile
                        }
                    }

                    _fillEnded ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                    ended = _fillEnded.Task;
                }

                await ended.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        catch
        {
            Drop(prefetch);
            throw;
        }
    }

    private bool HasRoomForRequest => _fills.Count == 0 || _fills.Count < window.Size;

    /// <summary>Gets the maximum number of pages that nobody has read yet. The rest is for what was read.</summary>
    private long MostUnread => Math.Max(1, Cache.Capacity * 3L / 4);

    private Prefetch Announce(PlacedRange[] ranges, long maxGapBytes)
    {
        // Whole pages are fetched, so ranges that share one are neighbors.
        for (int i = 0; i < ranges.Length; i++)
        {
            long from = ranges[i].Offset / PageBytes * PageBytes;
            ranges[i] = ranges[i] with { Offset = from, Length = Math.Min(length, PageAfter(ranges[i].End) * PageBytes) - from };
        }

        Prefetch prefetch = new();
        long capacity = (long)Cache.Capacity * PageBytes;
        RangePlanner planner = RangePlanner.Create(run.Client, Math.Max(PageBytes, Math.Min(partBytes, capacity / 4)), maxGapBytes);
        List<PlannedBlock> blocks = planner.Plan(ranges);
        foreach (PlannedBlock block in blocks)
        {
            prefetch.Pages.Add(block.Offset / PageBytes, PageAfter(block.Offset + block.Length));
        }

        (long First, long End)[] former = [];
        lock (_gate)
        {
            long pages = prefetch.Pages.Runs.Sum(static run => run.End - run.First);
            if (Cache.UnreadPages + pages > MostUnread)
            {
                former = [.. _announced.Runs]; // what was announced before and never read doesn't stay in the way
            }

            foreach (PlannedBlock block in blocks)
            {
                (long first, long end) = (block.Offset / PageBytes, PageAfter(block.Offset + block.Length));
                _announced.Add(first, end);
                _queue.Enqueue(new PrefetchRun(prefetch, first, end));
                _queuedPages += end - first;
            }

            prefetch.Queued = blocks.Count;
            Volatile.Write(ref _queued, _queue.Count);
        }

        foreach ((long first, long end) in former)
        {
            Cache.Forget(item, first, end);
        }

        return prefetch;
    }

    /// <summary>Continues with the announced ranges when the reader has released memory.</summary>
    private void ContinueQueued()
    {
        if (Volatile.Read(ref _queued) > 0)
        {
            BeginQueued();
        }
    }

    private PrefetchState BeginQueued()
    {
        while (!tasks.Stopping.IsCancellationRequested)
        {
            PrefetchRun next;
            long fetching;
            long queued;
            lock (_gate)
            {
                if (_queue.Count == 0)
                {
                    return PrefetchState.Requested;
                }

                if (!HasRoomForRequest)
                {
                    return PrefetchState.Busy;
                }

                next = _queue.Peek();
                queued = _queuedPages;
                fetching = _fills.Sum(static fill => fill.IsAhead ? fill.Missing : 0L);
            }

            (long first, long count) = Cache.FindMissing(item, next.Next, next.End);
            if (count == 0)
            {
                Advance(next, next.End);
                continue;
            }

            long room = MostUnread - Cache.UnreadPages - fetching;
            long pages = Math.Clamp(GetPages(GetRange(count * PageBytes, Math.Max(count, queued) * PageBytes)), 1, count);
            long least = Math.Min(pages, Math.Max(1, GetFreeBytes(run.Client) / PageBytes)); // shorter requests aren't worthwhile
            if (room < least || Cache.TryLease((int)Math.Min(pages, room), isNeeded: false) is not { } lease)
            {
                return PrefetchState.Full;
            }

            int begun = Begin(first, lease.Chunks, lease, isAhead: true, isPositional: true, response: null, prefetch: next.Prefetch);
            Advance(next, first + begun);
        }

        return PrefetchState.Requested;
    }

    private void Advance(PrefetchRun run, long next)
    {
        lock (_gate)
        {
            if (next <= run.Next || !_queue.TryPeek(out PrefetchRun? head) || head != run)
            {
                return;
            }

            _queuedPages -= next - run.Next;
            run.Next = next;
            if (next == run.End)
            {
                _queue.Dequeue();
                run.Prefetch.Queued--;
                Volatile.Write(ref _queued, _queue.Count);
            }
        }
    }

    /// <summary>Forgets what a call has announced and wasn't requested, and cancels its requests that no reader waits for.</summary>
    private void Drop(Prefetch prefetch)
    {
        PageFill[] fills;
        lock (_gate)
        {
            Clear(prefetch);
            fills = [.. _fills.Where(fill => fill.Prefetch == prefetch)];
        }

        Array.ForEach(fills, static fill => fill.CancelUnlessAwaited());
    }

    private void Clear(Prefetch prefetch)
    {
        for (int i = _queue.Count; i > 0; i--)
        {
            PrefetchRun queued = _queue.Dequeue();
            if (queued.Prefetch != prefetch)
            {
                _queue.Enqueue(queued);
                continue;
            }

            _queuedPages -= queued.End - queued.Next;
        }

        prefetch.Queued = 0;
        Volatile.Write(ref _queued, _queue.Count);
    }
}
