using System.Runtime.ExceptionServices;
using System.Threading.Channels;
using Transfer.Concurrency;
using Transfer.Observability;

namespace Transfer.Directories;

/// <summary>
/// Processes many items concurrently. Large and small items have separate queues, so that neither waits for the other: a large item fills the link with its own
/// parts, and a small item ends before a large one has started.
/// </summary>
/// <param name="queue">The queue that limits the requests.</param>
/// <param name="direction">The direction in which the items are transferred.</param>
/// <param name="concurrency">The maximum number of small items to process concurrently.</param>
/// <param name="isFixed">Whether exactly this number is used.</param>
/// <param name="isLarge">Returns whether an item is large.</param>
/// <param name="workAsync">Processes one item. An exception stops all items.</param>
/// <param name="limits">The rate limits of all items together; null if they don't limit the number of items.</param>
/// <param name="whole">Counts the time that small items wait; null if it isn't needed.</param>
internal sealed class ObjectWorkQueue<T>(
    RequestQueue queue,
    RequestDirection direction,
    int concurrency,
    bool isFixed,
    Func<T, bool> isLarge,
    Func<T, CancellationToken, Task> workAsync,
    RateLimits? limits = null,
    TransferReporter? whole = null)
{
    /// <summary>The number of small items that use the disk or wait for a slot, in addition to a quarter of those that have a slot.</summary>
    private const int SmallBeside = 8;

    private const int LargeAtOnce = 2;

    /// <summary>The maximum number of found items that wait in each queue. They take a few MiB, and the total of smaller directories is known early.</summary>
    private const int Ahead = 10_000;

    private readonly Channel<T> _small = Channel.CreateBounded<T>(new BoundedChannelOptions(Ahead) { SingleWriter = true });
    private readonly Channel<T> _large = Channel.CreateBounded<T>(new BoundedChannelOptions(Ahead) { SingleWriter = true });
    private readonly TaskCompletionSource _allEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private CancellationTokenSource? _stop;
    private Exception? _first;
    private TransferCanceledException? _uncleaned;
    private int _running = 1; // the enumeration counts as one
    private int _smallWorkers;

    private int SmallAtOnce => Math.Min((limits ?? RateLimits.None).MostRequests, isFixed ? concurrency : Math.Min(concurrency, (queue.LimitOf(direction) * 5 / 4) + SmallBeside));

    /// <summary>Processes all items.</summary>
    /// <param name="items">The items, in any order.</param>
    /// <param name="walked">Called when the last item was found.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task RunAsync(IAsyncEnumerable<T> items, Action walked, CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _stop = stop;
        await RunAsync(() => FeedAsync(items, walked, stop.Token)).ConfigureAwait(false);
        await _allEnded.Task.ConfigureAwait(false);
        if (_uncleaned is { CleanupError: var cleanup } uncleaned)
        {
            // The caller must receive the cleanup error of an item, regardless of the first error.
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

                // At least one item waited during that time. Each worker adds its share of it.
                waited?.AddTime(isFixed ? TransferTimeKind.ChosenSlot : TransferTimeKind.Slot, waited.ElapsedSince(since) / Volatile.Read(ref _smallWorkers));
                if (lane == _small && lane.Reader.CanCount && lane.Reader.Count > 0)
                {
                    StartSmall(); // each response gives more information about the link
                }
            }
        }
    }

    /// <summary>Starts a worker for small items if the link needs one more.</summary>
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
#pragma warning disable CA1031 // the first error is thrown when all have ended, and not the cancellations that it causes
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
