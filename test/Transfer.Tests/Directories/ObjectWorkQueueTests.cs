using Transfer.S3.Concurrency;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Directories;

/// <summary>Processes many items concurrently, with separate workers for large ones.</summary>
public class ObjectWorkQueueTests
{
    private const int Large = 1000;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1000)]
    [InlineData(30_000)]
    public async Task EveryItem_IsProcessedOnce(int count)
    {
        int done = 0;
        long sum = 0;
        bool walked = false;
        ObjectWorkQueue<int> lanes = new(NewQueue(16), RequestDirection.Download, 16, isFixed: false, item => item % 7 == 0, (item, _) =>
        {
            Interlocked.Increment(ref done);
            Interlocked.Add(ref sum, item);
            return Task.CompletedTask;
        });

        await lanes.RunAsync(Numbers(count), () => walked = true, CancellationToken.None).Within();

        Assert.EachEqual((count, count * (count - 1L) / 2, true), (done, sum, walked));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task SmallAndLargeItems_DoNotWaitForEachOther(bool largeStand)
    {
        Gate gate = new();
        int passed = 0;
        ObjectWorkQueue<int> lanes = new(NewQueue(16), RequestDirection.Download, 8, isFixed: true, item => item >= Large, async (item, token) =>
        {
            if (item >= Large == largeStand)
            {
                await gate.PassAsync(token);
            }
            else if (Interlocked.Increment(ref passed) == 100)
            {
                gate.Open();
            }
        });

        // The blocked items come first, and there are more of them than workers.
        IEnumerable<int> standing = Enumerable.Range(largeStand ? Large : 0, 50);
        IEnumerable<int> going = Enumerable.Range(largeStand ? 0 : Large, 100);
        await lanes.RunAsync(standing.Concat(going).ToAsyncEnumerable(), () => { }, CancellationToken.None).Within();

        Assert.Equal(100, passed);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public async Task Concurrency_IsKept(int concurrency)
    {
        int now = 0;
        int most = 0;
        ObjectWorkQueue<int> lanes = new(NewQueue(16), RequestDirection.Download, concurrency, isFixed: true, _ => false, async (_, _) =>
        {
            int inside = Interlocked.Increment(ref now);
            InterlockedMax(ref most, inside);
            await Task.Yield();
            Interlocked.Decrement(ref now);
        });

        await lanes.RunAsync(Numbers(500), () => { }, CancellationToken.None).Within();

        Assert.InRange(most, 1, concurrency);
    }

    [Fact]
    public async Task Limit_Grows_MoreWorkersStart()
    {
        TaskCompletionSource all = new();
        int inside = 0;
        ObjectWorkQueue<int> lanes = new(NewQueue(16), RequestDirection.Download, 24, isFixed: false, _ => false, async (_, token) =>
        {
            if (Interlocked.Increment(ref inside) == 24)
            {
                all.SetResult();
            }

            await all.Task.WaitAsync(token);
        });

        await lanes.RunAsync(Numbers(24), () => { }, CancellationToken.None).Within();

        Assert.Equal(24, inside);
    }

    [Fact]
    public async Task Failure_StopsTheRestAndIsThrown()
    {
        int begun = 0;
        ObjectWorkQueue<int> lanes = new(NewQueue(16), RequestDirection.Download, 4, isFixed: true, _ => false, async (item, token) =>
        {
            Interlocked.Increment(ref begun);
            if (item == 10)
            {
                throw new InvalidOperationException("item 10");
            }

            if (item > 10)
            {
                await Task.Delay(Timeout.Infinite, token);
            }
        });

        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => lanes.RunAsync(Numbers(1000), () => { }, CancellationToken.None).Within());

        Assert.Equal("item 10", e.Message);
        Assert.InRange(begun, 1, 20);
    }

    [Fact]
    public async Task WalkFails_IsThrownAfterRunningItemsEnd()
    {
        int ended = 0;
        ObjectWorkQueue<int> lanes = new(NewQueue(16), RequestDirection.Download, 4, isFixed: true, _ => false, async (_, token) =>
        {
            try
            {
                await Task.Delay(Timeout.Infinite, token);
            }
            finally
            {
                Interlocked.Increment(ref ended);
            }
        });
        bool walked = false;

        await Assert.ThrowsAsync<InvalidDataException>(() => lanes.RunAsync(Broken(), () => walked = true, CancellationToken.None).Within());

        Assert.False(walked);
        Assert.InRange(ended, 0, 2);

        static async IAsyncEnumerable<int> Broken()
        {
            yield return 1;
            yield return 2;
            await Task.Yield();
            throw new InvalidDataException();
        }
    }

    [Fact]
    public async Task Cancellation_StopsProcessing()
    {
        using CancellationTokenSource stop = new();
        ObjectWorkQueue<int> lanes = new(NewQueue(16), RequestDirection.Download, 4, isFixed: true, _ => false, async (item, token) =>
        {
            if (item == 3)
            {
                await stop.CancelAsync();
            }

            await Task.Delay(Timeout.Infinite, token);
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => lanes.RunAsync(Numbers(100), () => { }, stop.Token).Within());
    }

    private static RequestQueue NewQueue(int limit) => new(limit, TimeProvider.System);

    private static IAsyncEnumerable<int> Numbers(int count) => Enumerable.Range(0, count).ToAsyncEnumerable();

    private static void InterlockedMax(ref int target, int value)
    {
        int seen = Volatile.Read(ref target);
        while (value > seen)
        {
            int before = Interlocked.CompareExchange(ref target, value, seen);
            if (before == seen)
            {
                return;
            }

            seen = before;
        }
    }
}
