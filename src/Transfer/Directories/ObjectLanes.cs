using System.Runtime.ExceptionServices;
using System.Threading.Channels;
using Transfer.Concurrency;
using Transfer.Observability;

namespace Transfer.Directories;

/// <summary>
/// Works on many items side by side. Large and small ones have lanes of their own, so that neither waits for the other: a large one has parts of its own to fill
/// the link, a small one is over before a large one has begun.
/// </summary>
/// <param name="queue">Limits the requests.</param>
/// <param name="direction">The direction in which the items are transferred.</param>
/// <param name="concurrency">Small ones under way at once, at the most.</param>
/// <param name="isFixed">Whether there are to be just as many.</param>
/// <param name="isLarge">Which lane an item takes.</param>
/// <param name="workAsync">Does one item. What it throws ends all.</param>
/// <param name="limits">The rate limits of all items together; null if their number is not limited by them.</param>
/// <param name="whole">Counts the time that small ones wait; null if nobody asks for it.</param>
internal sealed class ObjectLanes<T>(
    RequestQueue queue,
    RequestDirection direction,
    int concurrency,
    bool isFixed,
    Func<T, bool> isLarge,
    Func<T, CancellationToken, Task> workAsync,
    RateLimits? limits = null,
    TransferReporter? whole = null)
{
    /// <summary>Small ones that are at work on the disk, or wait for a slot: as many as a quarter of those that have one, and these.</summary>
    private const int SmallBeside = 8;

    private const int LargeAtOnce = 2;

    /// <summary>How far the walk may be ahead in each lane: a few MiB, and enough that trees of that size have a total early.</summary>
    private const int Ahead = 10_000;

    private readonly Channel<T> _small = Channel.CreateBounded<T>(new BoundedChannelOptions(Ahead) { SingleWriter = true });
    private readonly Channel<T> _large = Channel.CreateBounded<T>(new BoundedChannelOptions(Ahead) { SingleWriter = true });
    private readonly TaskCompletionSource _allEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private CancellationTokenSource? _stop;
    private Exception? _first;
    private TransferCanceledException? _uncleaned;
    private int _running = 1; // the walk counts as one
    private int _smallWorkers;

    private int SmallAtOnce => Math.Min((limits ?? RateLimits.None).MostRequests, isFixed ? concurrency : Math.Min(concurrency, (queue.LimitOf(direction) * 5 / 4) + SmallBeside));

    /// <summary>Works on all of them.</summary>
    /// <param name="items">The items, in whatever order they are found.</param>
    /// <param name="walked">Told when the last was found.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task RunAsync(IAsyncEnumerable<T> items, Action walked, CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _stop = stop;
        await RunAsync(() => FeedAsync(items, walked, stop.Token)).ConfigureAwait(false);
        await _allEnded.Task.ConfigureAwait(false);
        if (_uncleaned is { CleanupError: var cleanup } uncleaned)
        {
            // The caller must learn what one item left behind, whatever ended the whole run.
            (_first as TransferException)?.CleanupError ??= cleanup;
            _first = _first is OperationCanceledException || cancellationToken.IsCancellationRequested ? uncleaned : _first;
        }
        else
        {
            cancellationToken.ThrowIfCancellationRequested();
        }

        if (_first is { } first)
        {
            ExceptionDispatchInfo.Throw(first);
        }
    }

    private async Task FeedAsync(IAsyncEnumerable<T> items, Action walked, CancellationToken cancellationToken)
    {
        try
        {
            int largeWorkers = 0;
            await foreach (T item in items.WithCancellation(cancellationToken).ConfigureAwait(false))
            {
                if (!isLarge(item))
                {
                    StartSmall();
                    await _small.Writer.WriteAsync(item, cancellationToken).ConfigureAwait(false);
                    continue;
                }

                if (largeWorkers < Math.Min(LargeAtOnce, concurrency))
                {
                    largeWorkers++;
                    Start(_large);
                }

                await _large.Writer.WriteAsync(item, cancellationToken).ConfigureAwait(false);
            }

            walked();
        }
        finally
        {
            _small.Writer.Complete();
            _large.Writer.Complete();
        }
    }

    private async Task DrainAsync(Channel<T> lane, CancellationToken cancellationToken)
    {
        while (await lane.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
        {
            while (lane.Reader.TryRead(out T? item))
            {
                cancellationToken.ThrowIfCancellationRequested();
                TransferReporter? waited = lane == _small && lane.Reader.Count > 0 ? whole : null;
                long since = waited?.Now ?? 0;
                await workAsync(item, cancellationToken).ConfigureAwait(false);

                // At least one item waited meanwhile. Each worker adds its share of that time.
                waited?.AddTime(isFixed ? TransferTimeKind.ChosenSlot : TransferTimeKind.Slot, waited.ElapsedSince(since) / Volatile.Read(ref _smallWorkers));
                if (lane == _small && lane.Reader.CanCount && lane.Reader.Count > 0)
                {
                    StartSmall(); // the link is better known with every answer
                }
            }
        }
    }

    /// <summary>Adds a worker where the link needs one more.</summary>
    private void StartSmall()
    {
        int workers = Volatile.Read(ref _smallWorkers);
        if (workers < SmallAtOnce && Interlocked.CompareExchange(ref _smallWorkers, workers + 1, workers) == workers)
        {
            Start(_small);
        }
    }

    private void Start(Channel<T> lane)
    {
        Interlocked.Increment(ref _running);
        CancellationToken token = _stop!.Token;
        _ = Task.Run(() => RunAsync(() => DrainAsync(lane, token)), CancellationToken.None);
    }

    private async Task RunAsync(Func<Task> run)
    {
        try
        {
            await run().ConfigureAwait(false);
        }
#pragma warning disable CA1031 // the first is thrown when all have ended, and not the cancellations that come of it
        catch (Exception e)
#pragma warning restore CA1031
        {
            Interlocked.CompareExchange(ref _first, e, null);
            Interlocked.CompareExchange(ref _uncleaned, e as TransferCanceledException, null);
            await _stop!.CancelAsync().ConfigureAwait(false);
        }

        if (Interlocked.Decrement(ref _running) == 0)
        {
            _allEnded.SetResult();
        }
    }
}
