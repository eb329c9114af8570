using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

public sealed class PartWindowTests
{
    private readonly FakeTimeProvider _time = new(DateTimeOffset.MinValue); // whose timestamps are exact as doubles

    [Fact]
    public void Size_ConcurrencyIsFixed_IsThatManyRequestsAndAPartBeingRead()
    {
        using PartWindow window = new(NewQueue(100), new TransferFlow(RequestDirection.Download), 5, isFixed: true);

        Assert.Equal(5, CountEntered(window));

        // The fetched part waits for its reader while another one is fetched.
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
    public void Size_IsTheLimitAndAFewWaitingParts(int limit, int concurrency, int expected)
    {
        using PartWindow window = new(NewQueue(limit), new TransferFlow(RequestDirection.Download), concurrency, isFixed: false);

        Assert.Equal(expected, CountEntered(window));
    }

    [Theory]
    [InlineData(9, false, 18)]
    [InlineData(8, false, 26)]
    [InlineData(8, true, 16)]
    public async Task SetLeft_FewPartsAreLeft_AllBegin(int left, bool isFixed, int expected)
    {
        RequestQueue queue = new(1000, _time, () => new ConcurrencyController(1, 16, 16));
        using PartWindow window = new(queue, new TransferFlow(RequestDirection.Download), 16 + (isFixed ? 0 : 2), isFixed);
        await CompleteAsync(queue, 16);

        window.SetLeft(left);

        Assert.Equal(expected, CountEntered(window));
    }

    [Fact]
    public async Task Limit_Grows_WaitersAreSignaled()
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
    public async Task Dispose_LimitGrowsLater_IsNotSignaled()
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

    /// <summary>Each range costs a request and a latency. To a file, they need no memory, however many and however long they are.</summary>
    [Theory]
    [InlineData(4, 1024, false)]
    [InlineData(10, 1024, false)]
    [InlineData(4, long.MaxValue, true)]
    [InlineData(40, long.MaxValue, true)]
    public async Task RangeBytes_ToAFile_AreParts(int limit, long memoryMiB, bool areParts)
    {
        RequestQueue queue = new(1000, _time, () => new ConcurrencyController(4, limit, limit));
        long memory = memoryMiB == long.MaxValue ? memoryMiB : memoryMiB * Sizes.MiB;
        using PartWindow window = new(queue, new TransferFlow(RequestDirection.Download), 256, isFixed: false, memory, 8 * Sizes.MiB);
        await CompleteAsync(queue, limit);

        Assert.False(queue.IsStarting(RequestDirection.Download));
        Assert.Equal(areParts ? long.MaxValue : 4 * Sizes.MiB, window.RangeBytes);
    }

    /// <summary>Two connections to a fast store are enough, and more parts only take memory. While parts wait for the store, others must be sent.</summary>
    [Theory]
    [InlineData(1, 10, true, 3, 3)]
    [InlineData(1, 10, false, 4 + 1, 4 + 1)]
    [InlineData(1, 40, true, 3, 4 + 1)]
    [InlineData(10, 20, true, 5, 6)]
    [InlineData(20, 30, true, 6, 9)]
    [InlineData(20, 60, true, 6, 12 + 1)] // 5 MiB in 40 ms: two connections aren't enough
    [InlineData(40, 50, true, 9, 12 + 1)]
    public async Task Size_TwoConnectionsAreEnough_UploadsThatFillPartsInTurnHaveFew(int latencyMs, int partMs, bool fillsInTurn, int expectedAtFirst, int expected)
    {
        RequestQueue queue = new(1000, _time, () => new ConcurrencyController(4, 12, 12));
        TransferFlow flow = new(RequestDirection.Upload);
        using PartWindow window = new(queue, flow, 256, isFixed: false) { FillsInTurn = fillsInTurn };
        Assert.Equal(fillsInTurn ? 3 : 4 + 1, window.Size); // before the first response, the parts of an upload can only be filled
        queue.Responded(TimeSpan.FromMilliseconds(latencyMs));
        Assert.Equal(expectedAtFirst, window.Size);

        await SendPartsAsync(queue, flow, partMs);

        Assert.Equal(expected, CountEntered(window));
    }

    [Fact]
    public async Task Size_StoreWasFastOnce_UploadsThatFillPartsInTurnHaveAsManyAsOthers()
    {
        RequestQueue queue = new(1000, _time, () => new ConcurrencyController(4, 12, 12));
        TransferFlow flow = new(RequestDirection.Upload);
        using PartWindow window = new(queue, flow, 256, isFixed: false) { FillsInTurn = true };
        queue.Responded(TimeSpan.FromMilliseconds(1));
        await SendPartsAsync(queue, flow, partMs: 5);
        Assert.Equal(3, window.Size);

        await SendPartsAsync(queue, flow, partMs: 250);
        await SendPartsAsync(queue, flow, partMs: 250);

        Assert.InRange(window.Size, 4 + 1, 12 + 1);
    }

    /// <summary>A clock that is coarse or stands still says nothing about the rate. Something can always begin.</summary>
    [Fact]
    public async Task Size_PartsTakeNoTime_UploadsThatFillPartsInTurnHaveFew()
    {
        RequestQueue queue = new(1000, _time, () => new ConcurrencyController(4, 12, 12));
        TransferFlow flow = new(RequestDirection.Upload);
        using PartWindow window = new(queue, flow, 256, isFixed: false) { FillsInTurn = true };

        await SendPartsAsync(queue, flow, partMs: 0);
        _time.Advance(TimeSpan.FromMilliseconds(110)); // longer than a sample
        await SendPartsAsync(queue, flow, partMs: 0);

        Assert.Equal(3, window.Size);
    }

    private async Task SendPartsAsync(RequestQueue queue, TransferFlow flow, int partMs)
    {
        for (int round = 0; round < 6; round++)
        {
            RequestSlot[] slots = [.. await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => queue.EnterAsync(flow, RequestCost.Part(5 * Sizes.MiB), isRetry: false, CancellationToken.None).AsTask()))];
            _time.Advance(TimeSpan.FromMilliseconds(partMs));
            foreach (RequestSlot slot in slots)
            {
                slot.Complete(5 * Sizes.MiB);
                slot.Dispose();
            }
        }
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
    [InlineData(500, 10, 4, 15)] // not larger than the measured requests
    public async Task Size_LatencyDominates_UsesFewLargeRanges(int latencyMs, int dataMs, int expectedMiB, int expectedParts)
    {
        RequestQueue queue = NewQueue(250);
        using PartWindow window = new(queue, new TransferFlow(RequestDirection.Download), 256, isFixed: false, 64 * Sizes.MiB, 8 * Sizes.MiB);
        TransferFlow flow = new(RequestDirection.Download);
        RequestSlot[] slots = new RequestSlot[8];
        for (int i = 0; i < slots.Length; i++)
        {
            slots[i] = await queue.EnterAsync(flow, RequestCost.Part(4 * Sizes.MiB), isRetry: false, CancellationToken.None);
        }

        _time.Advance(TimeSpan.FromMilliseconds(latencyMs));
        Array.ForEach(slots, slot => slot.FirstByte());
        _time.Advance(TimeSpan.FromMilliseconds(4 * dataMs));
        foreach (RequestSlot slot in slots)
        {
            slot.Complete(4 * Sizes.MiB);
            slot.Dispose();
        }

        _time.Advance(TimeSpan.FromMilliseconds(100));
        for (int i = 0; i < 4; i++)
        {
            (await queue.EnterAsync(flow, RequestCost.Part(4 * Sizes.MiB), isRetry: false, CancellationToken.None)).Dispose();
        }

        Assert.Equal(expectedParts, window.Size);
        Assert.Equal(expectedMiB * Sizes.MiB, window.RangeBytes);
    }

    /// <summary>The window can grow while its ranges are in progress, so they are planned to use only three quarters of the memory.</summary>
    [Theory]
    [InlineData(60, 2)]
    [InlineData(94, 1)]
    public async Task RangeBytes_WindowIsMeasured_LeaveMemoryToGrow(int limit, int expectedMiB)
    {
        RequestQueue queue = new(limit, _time, () => new ConcurrencyController(1, limit, limit));
        using PartWindow window = new(queue, new TransferFlow(RequestDirection.Download), 256, isFixed: false, 256 * Sizes.MiB, 8 * Sizes.MiB);
        await CompleteAsync(queue, limit);

        Assert.False(queue.IsStarting(RequestDirection.Download));
        Assert.Equal(limit + 2, window.Size);
        Assert.Equal(expectedMiB * Sizes.MiB, window.RangeBytes);
    }

    [Theory]
    [InlineData(8, 80, 8)] // there is a whole part for each connection
    [InlineData(8, 70, 4)] // 7 MiB for each: the part is divided evenly
    [InlineData(8, 30, 3)]
    [InlineData(5, 30, 3)]
    [InlineData(8, 10, 2)] // smaller ranges would mostly wait for their first bytes
    [InlineData(2, 2, 2)]
    [InlineData(9, 200, 3)] // ranges of 4 MiB fit into memory
    public void RangeOf_LittleIsLeft_DividesTheRestByTheConnections(int partMiB, int restMiB, int expectedMiB)
    {
        using PartWindow window = new(NewQueue(10), new TransferFlow(RequestDirection.Download), 10, isFixed: true, partMiB == 9 ? 64 * Sizes.MiB : long.MaxValue, 8 * Sizes.MiB);

        Assert.Equal(expectedMiB * Sizes.MiB, window.GetRange(partMiB * Sizes.MiB, restMiB * Sizes.MiB));
    }

    /// <summary>The first range of an object of unknown size may be the whole object, so a second request would only cost the latency again.</summary>
    [Theory]
    [InlineData(128, 8)]
    [InlineData(32, 2)]
    public void RangeOf_RestIsNotKnown_IsAsLargeAsMemoryAllows(int memoryMiB, int expectedMiB)
    {
        using PartWindow window = new(NewQueue(10), new TransferFlow(RequestDirection.Download), 10, isFixed: false, memoryMiB * Sizes.MiB, 8 * Sizes.MiB);

        Assert.Equal(2 * Sizes.MiB, window.GetRange(8 * Sizes.MiB, 100 * Sizes.MiB));
        Assert.Equal(expectedMiB * Sizes.MiB, window.GetRange(8 * Sizes.MiB, long.MaxValue));
    }

    [Fact]
    public void RangeOf_PartSizeIsFixed_IsThePart()
    {
        using PartWindow window = new(NewQueue(10), new TransferFlow(RequestDirection.Download), 10, isFixed: true, partBytes: 8 * Sizes.MiB);

        Assert.Equal(8 * Sizes.MiB, window.GetRange(8 * Sizes.MiB, 8 * Sizes.MiB));
    }

    [Fact]
    public async Task RangeOf_OtherTransfersWaitForSlots_IsLarger()
    {
        RequestQueue queue = NewQueue(10);
        using PartWindow window = new(queue, new TransferFlow(RequestDirection.Download), 10, isFixed: true, long.MaxValue, 8 * Sizes.MiB);
        Assert.Equal(4 * Sizes.MiB, window.GetRange(8 * Sizes.MiB, 40 * Sizes.MiB));
        List<Task<RequestSlot>> others = [];
        for (int i = 0; i < 40; i++)
        {
            others.Add(queue.EnterAsync(new TransferFlow(RequestDirection.Download), RequestCost.Part(Sizes.MiB), isRetry: false, CancellationToken.None).AsTask());
        }

        Assert.Equal(8 * Sizes.MiB, window.GetRange(8 * Sizes.MiB, 40 * Sizes.MiB));
        foreach (Task<RequestSlot> other in others)
        {
            (await other.Within()).Dispose();
        }

        Assert.Equal(4 * Sizes.MiB, window.GetRange(8 * Sizes.MiB, 40 * Sizes.MiB));
    }

    [Theory]
    [InlineData(10, 1)]
    [InlineData(30, 3)] // a MiB takes 20 ms
    [InlineData(1000, 8)]
    public void RangeOf_LittleIsLeft_TakesTwiceTheLatency(int latencyMs, int expectedMiB)
    {
        HedgePolicy times = new(isEnabled: false, () => 0, _time);
        using PartWindow window = new(NewQueue(10), new TransferFlow(RequestDirection.Download), 10, isFixed: true, long.MaxValue, 8 * Sizes.MiB, times: times);
        for (int i = 0; i < 16; i++)
        {
            times.Responded(TimeSpan.FromMilliseconds(latencyMs));
            times.Received(TimeSpan.FromMilliseconds(80), 4 * Sizes.MiB);
        }

        Assert.Equal(expectedMiB * Sizes.MiB, window.GetRange(8 * Sizes.MiB, 8 * Sizes.MiB));
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

    /// <summary>Completes as many requests as are needed to double the limit.</summary>
    private async Task GrowAsync(RequestQueue queue, int requests)
    {
        await CompleteAsync(queue, requests);
        Assert.Equal(2 * requests, queue.GetLimit(RequestDirection.Download));
    }

    private async Task CompleteAsync(RequestQueue queue, int requests)
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
    }
}
