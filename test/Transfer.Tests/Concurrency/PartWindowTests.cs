using Transfer.Concurrency;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Concurrency;

public sealed class PartWindowTests
{
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public void Size_NumberWasChosen_IsThatManyRequestsAndAPartBeingRead()
    {
        using PartWindow window = new(NewQueue(100), new TransferFlow(RequestDirection.Download), 5, isFixed: true);

        Assert.Equal(5, CountEntered(window));

        // The one that was fetched waits for its reader, and another is fetched meanwhile.
        window.Fetched();
        Assert.Equal(1, CountEntered(window));
        window.Fetched();
        Assert.Equal(0, CountEntered(window));
        window.Leave();
        Assert.Equal(1, CountEntered(window));
    }

    [Theory]
    [InlineData(8, 256, 10)]
    [InlineData(8, 4, 4)]
    [InlineData(1, 256, 3)]
    public void Size_IsTheLimitAndAFewThatWait(int limit, int concurrency, int expected)
    {
        using PartWindow window = new(NewQueue(limit), new TransferFlow(RequestDirection.Download), concurrency, isFixed: false);

        Assert.Equal(expected, CountEntered(window));
    }

    [Fact]
    public async Task Limit_Grows_WhoWaitsIsWoken()
    {
        RequestQueue queue = NewQueue(4);
        using PartWindow window = new(queue, new TransferFlow(RequestDirection.Download), 256, isFixed: false);
        Assert.Equal(6, CountEntered(window));
        Task seventh = window.EnterAsync(CancellationToken.None).AsTask();
        Assert.False(seventh.IsCompleted);

        await GrowAsync(queue, 4);

        await seventh.Within();
        Assert.Equal(3, CountEntered(window));
    }

    [Fact]
    public async Task Disposed_IsNotWokenAnyMore()
    {
        RequestQueue queue = NewQueue(4);
        PartWindow window = new(queue, new TransferFlow(RequestDirection.Download), 256, isFixed: false);
        CountEntered(window);
        using CancellationTokenSource stop = new();
        Task waiting = window.EnterAsync(stop.Token).AsTask();

        window.Dispose();
        await GrowAsync(queue, 4);

        Assert.False(waiting.IsCompleted);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    [Theory]
    [InlineData(5, 48, 8)]
    [InlineData(5, 47, 4)]
    [InlineData(64, 96, 1)]
    [InlineData(1000, 96, 1)]
    [InlineData(1, 1024, 512)]
    public void RangeBytes_FitIntoMemory(int concurrency, int memoryMiB, int expectedMiB)
    {
        using PartWindow window = new(NewQueue(1000), new TransferFlow(RequestDirection.Download), concurrency, isFixed: true, memoryMiB * Sizes.MiB);

        Assert.Equal(expectedMiB * Sizes.MiB, window.RangeBytes);
    }

    [Fact]
    public void RangeBytes_WhileTheLimitDoubles_AreSmall()
    {
        using PartWindow window = new(NewQueue(8), new TransferFlow(RequestDirection.Download), 256, isFixed: false, 1024 * Sizes.MiB);

        Assert.Equal(2 * Sizes.MiB, window.RangeBytes);
    }

    [Fact]
    public void RangeBytes_MemoryIsNotLimited_AreParts()
    {
        using PartWindow window = new(NewQueue(8), new TransferFlow(RequestDirection.Download), 256, isFixed: false, partBytes: 8 * Sizes.MiB);

        Assert.Equal(long.MaxValue, window.RangeBytes);
    }

    [Theory]
    [InlineData(10, 10, 1, 63)] // 10 ms of 100 MiB/s: smaller ranges wouldn't fit into less memory
    [InlineData(20, 10, 2, 31)]
    [InlineData(50, 10, 4, 15)]
    [InlineData(500, 10, null, 7)] // whole parts of 8 MiB
    public async Task Size_LatencyDominates_LargeRangesInsteadOfMany(int latencyMs, int dataMs, int? expectedMiB, int expectedParts)
    {
        RequestQueue queue = NewQueue(250);
        using PartWindow window = new(queue, new TransferFlow(RequestDirection.Download), 256, isFixed: false, 64 * Sizes.MiB, 8 * Sizes.MiB);
        TransferFlow flow = new(RequestDirection.Download);
        RequestSlot[] slots = new RequestSlot[8];
        for (int i = 0; i < slots.Length; i++)
        {
            slots[i] = await queue.EnterAsync(flow, RequestCost.Part(Sizes.MiB), isRetry: false, CancellationToken.None);
        }

        _time.Advance(TimeSpan.FromMilliseconds(latencyMs));
        Array.ForEach(slots, slot => slot.FirstByte());
        _time.Advance(TimeSpan.FromMilliseconds(dataMs));
        foreach (RequestSlot slot in slots)
        {
            slot.Complete(Sizes.MiB);
            slot.Dispose();
        }

        _time.Advance(TimeSpan.FromMilliseconds(100));
        for (int i = 0; i < 4; i++)
        {
            (await queue.EnterAsync(flow, RequestCost.Part(Sizes.MiB), isRetry: false, CancellationToken.None)).Dispose();
        }

        Assert.Equal(expectedParts, window.Size);
        Assert.Equal(expectedMiB * Sizes.MiB ?? long.MaxValue, window.RangeBytes);
    }

    private static int CountEntered(PartWindow window)
    {
        int entered = 0;
        while (window.TryEnter())
        {
            entered++;
        }

        return entered;
    }

    private RequestQueue NewQueue(int limit) => new(1000, _time, () => new ConcurrencyController(1, limit, 1000));

    /// <summary>Lets as many requests complete as double the limit.</summary>
    private async Task GrowAsync(RequestQueue queue, int requests)
    {
        TransferFlow flow = new(RequestDirection.Download);
        List<Task<RequestSlot>> slots = [];
        for (int i = 0; i < 2 * requests; i++)
        {
            slots.Add(queue.EnterAsync(flow, RequestCost.Part(Sizes.MiB), isRetry: false, CancellationToken.None).AsTask());
        }

        _time.Advance(TimeSpan.FromMilliseconds(60));
        for (int i = 0; i < requests; i++)
        {
            RequestSlot slot = await slots[i];
            slot.Complete(Sizes.MiB);
            slot.Dispose();
        }

        Assert.Equal(2 * requests, queue.LimitOf(RequestDirection.Download));
    }
}
