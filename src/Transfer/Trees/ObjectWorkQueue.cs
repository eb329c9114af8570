using System.Runtime.ExceptionServices;
using System.Threading.Channels;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3.Trees;

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
/// <param name="ahead">The maximum number of found items that wait in each queue.</param>
internal sealed class ObjectWorkQueue<T>(
    RequestQueue queue,
    RequestDirection direction,
    int concurrency,
    bool isFixed,
    Func<T, bool> isLarge,
    Func<T, CancellationToken, Task> workAsync,
    RateLimits? limits = null,
    TransferReporter? whole = null,
    int ahead = ObjectWorkQueue.Ahead)
{
    /// <summary>The number of small items that use the disk or wait for a slot, in addition to a quarter of those that have a slot.</summary>
    private const int SmallBeside = 8;

    private const int LargeAtOnce = 2;

    private readonly Channel<T> _small = Channel.CreateBounded<T>(new BoundedChannelOptions(ahead) { SingleWriter = true });
    private readonly Channel<T> _large = Channel.CreateBounded<T>(new BoundedChannelOptions(ahead) { SingleWriter = true });
    private TransferCanceledException? _uncleaned;
    private int _smallWorkers;

    private int SmallAtOnce => Math.Min((limits ?? RateLimits.None).MostRequests, isFixed ? concurrency : Math.Min(concurrency, (queue.GetSmallLimit(direction) * 5 / 4) + SmallBeside));

    /// <summary>Processes all items.</summary>
    /// <param name="items">The items, in any order.</param>
    /// <param name="walked">Called when the last item was found.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task RunAsync(IAsyncEnumerable<T> items, Action walked, CancellationToken cancellationToken)
    {
        using TaskGroup workers = new(cancellationToken);
        workers.Add(FeedAsync(workers, items, walked));
        await workers.WhenEndedAsync().ConfigureAwait(false);
        if (_uncleaned is { CleanupError: var cleanup } uncleaned)
        {
            // The caller must receive the cleanup error of an item, regardless of the first error.
            (workers.Error as TransferException)?.CleanupError ??= cleanup;
            if (workers.Error is OperationCanceledException || cancellationToken.IsCancellationRequested)
            {
                ExceptionDispatchInfo.Throw(uncleaned);
            }
        }
        else
        {
            cancellationToken.ThrowIfCancellationRequested();
        }

        workers.ThrowIfFailed();
    }

    private async Task FeedAsync(TaskGroup workers, IAsyncEnumerable<T> items, Action walked)
    {
        CancellationToken stopping = workers.Stopping;
        try
        {
            int largeWorkers = 0;
            await foreach (T item in items.WithCancellation(stopping).ConfigureAwait(false))
            {
                if (!isLarge(item))
                {
                    StartSmall(workers);
                    await _small.Writer.WriteAsync(item, stopping).ConfigureAwait(false);
                    continue;
                }

                if (largeWorkers < Math.Min(LargeAtOnce, concurrency))
                {
                    largeWorkers++;
                    Start(workers, _large);
                }

                await _large.Writer.WriteAsync(item, stopping).ConfigureAwait(false);
            }

            walked();
        }
        finally
        {
            _small.Writer.Complete();
            _large.Writer.Complete();
        }
    }

    private async Task DrainAsync(TaskGroup workers, Channel<T> lane)
    {
        CancellationToken stopping = workers.Stopping;
        while (await lane.Reader.WaitToReadAsync(stopping).ConfigureAwait(false))
        {
            while (lane.Reader.TryRead(out T? item))
            {
                stopping.ThrowIfCancellationRequested();
                TransferReporter? waited = lane == _small && lane.Reader.Count > 0 ? whole : null;
                long since = waited?.Times.Now ?? 0;
                await WorkAsync(item, stopping).ConfigureAwait(false);

                // At least one item waited during that time. Each worker adds its share of it.
                waited?.Times.Add(isFixed ? TransferTimeKind.ChosenSlot : TransferTimeKind.Slot, waited.Times.ElapsedSince(since) / Volatile.Read(ref _smallWorkers));
                if (lane == _small && lane.Reader.CanCount && lane.Reader.Count > 0)
                {
                    StartSmall(workers); // each response gives more information about the link
                }
            }
        }
    }

    /// <summary>Starts a worker for small items if the link needs one more.</summary>
    private void StartSmall(TaskGroup workers)
    {
        int small = Volatile.Read(ref _smallWorkers);
        if (small < SmallAtOnce && Interlocked.CompareExchange(ref _smallWorkers, small + 1, small) == small)
        {
            Start(workers, _small);
        }
    }

    private void Start(TaskGroup workers, Channel<T> lane) => workers.Add(Task.Run(() => DrainAsync(workers, lane), CancellationToken.None));

    private async Task WorkAsync(T item, CancellationToken cancellationToken)
    {
        try
        {
            await workAsync(item, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferCanceledException e)
        {
            Interlocked.CompareExchange(ref _uncleaned, e, null);
            throw;
        }
    }
}

/// <summary>The defaults of <see cref="ObjectWorkQueue{T}"/>.</summary>
internal static class ObjectWorkQueue
{
    /// <summary>The maximum number of found items that wait in each queue. They take a few MiB, and the total of smaller directories is known early.</summary>
    public const int Ahead = 10_000;

    /// <summary>Creates a queue for items that one client transfers. The options, the settings, and the link determine how many at a time.</summary>
    /// <param name="whole">The transfer of all items.</param>
    /// <param name="options">The options of all items.</param>
    /// <param name="direction">The direction in which the items are transferred.</param>
    /// <param name="isLarge">Returns whether an item is large.</param>
    /// <param name="workAsync">Processes one item. An exception stops all items.</param>
    public static ObjectWorkQueue<T> Create<T>(
        TransferRun whole, TreeOptions options, RequestDirection direction, Func<T, bool> isLarge, Func<T, CancellationToken, Task> workAsync) => new(
            whole.Client.Queue,
            direction,
            options.MaxConcurrentObjects ?? whole.Client.Settings.MaxConcurrency,
            options.MaxConcurrentObjects is not null || whole.Client.Settings.IsConcurrencyGiven,
            isLarge,
            workAsync,
            whole.Reporter.Limits,
            whole.Reporter);
}
