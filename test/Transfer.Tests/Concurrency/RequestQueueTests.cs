#pragma warning disable VSTHRD002 // only results of completed tasks are used
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

public sealed class RequestQueueTests
{
    private readonly List<string> _order = [];
    private readonly List<RequestSlot> _slots = [];
    private readonly List<(string Name, Task<RequestSlot> Slot)> _pending = [];

    [Fact]
    public void SlotIsDisposedTwice_IsReleasedOnce()
    {
        RequestQueue queue = new(1, TimeProvider.System);
        Enter(queue, NewFlow(), "a", RequestCost.Lookup);
        Enter(queue, NewFlow(), "b", RequestCost.Lookup);
        Enter(queue, NewFlow(), "c", RequestCost.Lookup);

        RequestSlot slot = _slots[0];
        slot.Dispose();
        slot.Dispose();

        Collect();
        Assert.Equal(["a", "b"], _order);
        Assert.EachEqual((1, 1), (queue.InFlight, queue.Waiting));
    }

    [Fact]
    public void RateLimit_IsRemovedOrSet_AppliesToNextRequests()
    {
        RequestQueue queue = new(3, TimeProvider.System);
        TransferFlow flow = NewLimitedFlow(out RateLimit limit);
        for (int i = 0; i < 3; i++)
        {
            Enter(queue, flow, "limited", RequestCost.Part(1));
        }

        Assert.Equal(2, queue.InFlight);
        limit.DownloadBytesPerSecond = null;
        Enter(queue, flow, "unlimited", RequestCost.Part(1));
        Assert.Equal(["limited", "limited", "limited"], _order);

        limit.DownloadBytesPerSecond = 1024;
        _slots[2].Paced(isOwn: true);
        _slots[0].Dispose();
        Collect();
        Assert.Equal(2, queue.InFlight);
        _slots[1].Dispose();
        Collect();
        Assert.EachEqual((2, 0), (queue.InFlight, queue.Waiting));
    }

    /// <summary>The body of an upload can wait for a rate limit while the request ends, for example because the store has rejected it.</summary>
    [Fact]
    public async Task RequestEndsWhileItsDataWaits_SlotIsReleasedOnce()
    {
        RequestQueue queue = new(4, TimeProvider.System, () => new ConcurrencyController(4, 4, 4));
        TransferFlow flow = NewFlow();
        for (int i = 0; i < 2_000; i++)
        {
            RequestSlot slot = await queue.EnterAsync(flow, RequestCost.Part(1), isRetry: false, CancellationToken.None).AsTask().Within();
            await Task.WhenAll(Task.Run(() => slot.Paced(isOwn: true)), Task.Run(slot.Dispose)).Within();
            slot.Paced(isOwn: true);
            queue.Park(slot);

            Assert.EachEqual((0, 0), (queue.InFlight, flow.InFlight));
        }
    }

    /// <summary>A store that rejects small objects says nothing about parts.</summary>
    [Fact]
    public void SmallObjects_AreRejected_LimitOfPartsStays()
    {
        FakeTimeProvider time = new(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        RequestQueue queue = new(256, time, () => new ConcurrencyController(1, 16, 256));
        Enter(queue, NewFlow(), "part", RequestCost.Part(8 * Sizes.MiB));
        for (int i = 0; i < 16; i++)
        {
            Enter(queue, NewFlow(), "small", RequestCost.First(4096));
        }

        time.Advance(TimeSpan.FromSeconds(1));
        foreach (RequestSlot slot in _slots[1..])
        {
            slot.Reject();
            slot.Dispose();
        }

        Assert.Equal(16, queue.GetLimit(RequestDirection.Download));
        Assert.InRange(queue.GetSmallLimit(RequestDirection.Download), 1, 8);
    }

    /// <summary>A small object that is sent again because it was slow isn't a part.</summary>
    [Fact]
    public void SmallObject_IsSentAgain_CountsAsSmall()
    {
        RequestQueue queue = new(256, TimeProvider.System, () => new ConcurrencyController(4, 4, 256));
        Enter(queue, NewFlow(), "again", RequestCost.First(4096).ToHead());
        for (int i = 0; i < 100; i++)
        {
            Enter(queue, NewFlow(), "small", RequestCost.First(4096));
        }

        Assert.Equal(4, queue.InFlight);
    }

    [Fact]
    public void Classes_WithoutSlots_AreServedInOrder()
    {
        RequestQueue queue = new(1, TimeProvider.System);
        Enter(queue, NewFlow(), "first", RequestCost.Part(1));
        RequestSlot slot = _slots[0];
        _order.Clear();
        foreach (RequestClass one in (RequestClass[])[RequestClass.Part, RequestClass.Lookup, RequestClass.Small, RequestClass.Head, RequestClass.First])
        {
            Enter(queue, NewFlow(), one.ToString(), new RequestCost(one, 1));
        }

        Drain(slot);

        Assert.Equal(["Head", "Lookup", "Small", "First", "Part"], _order);
    }

    /// <summary>Parts that occupy their slots for long must not take the slots of small objects, which end soon.</summary>
    [Fact]
    public void Classes_ShareTheSlotsByWeight()
    {
        RequestQueue queue = new(10, TimeProvider.System);
        (TransferFlow large, TransferFlow small) = (NewFlow(), NewFlow());
        for (int i = 0; i < 20; i++)
        {
            Enter(queue, large, "part", RequestCost.Part(8 * Sizes.MiB));
        }

        for (int i = 0; i < 1000; i++)
        {
            Enter(queue, small, "small", RequestCost.First(1));
        }

        foreach (RequestSlot part in _slots.ToArray())
        {
            part.Dispose();
        }

        Collect();
        RequestSlot[] held = [.. _slots[10..]];
        Assert.EachEqual((2, 8), (held.Count(one => one.Flow == large), held.Count(one => one.Flow == small)));
        for (int i = 0; i < 500; i++)
        {
            Array.Find(held, one => one.Flow == small)!.Dispose();
            Collect();
            held = [.. held.Where(one => one.Flow != small || one != Array.Find(held, other => other.Flow == small)), .. _slots[^1..]];
        }

        Assert.Equal(2, held.Count(one => one.Flow == large));
    }

    [Fact]
    public void Transfers_OfTinyRequests_ShareByRequests()
    {
        RequestQueue queue = Full(out RequestSlot slot);
        (TransferFlow one, TransferFlow other) = (NewFlow(), NewFlow());
        for (int i = 0; i < 20; i++)
        {
            Enter(queue, one, "4 KiB", RequestCost.First(4 * Sizes.KiB));
            Enter(queue, other, "64 KiB", RequestCost.First(64 * Sizes.KiB));
        }

        Drain(slot, 20);

        Assert.Equal(10, _order.Count(name => name == "4 KiB"));
    }

    /// <summary>What other classes and the other direction were served must not count against a new transfer.</summary>
    [Theory]
    [InlineData(9)]
    [InlineData(900)]
    [InlineData(9_000)]
    public void NewTransfer_OtherLanesWereServedForLong_IsNext(int grants)
    {
        RequestQueue queue = Full(out RequestSlot slot);
        TransferFlow small = NewFlow();
        TransferFlow[] others = [NewFlow(), new TransferFlow(RequestDirection.Upload)];
        for (int i = 0; i < grants; i++)
        {
            Enter(queue, small, "small", RequestCost.First(1));
            Enter(queue, others[i % 2], "part", RequestCost.Part(8 * Sizes.MiB));
        }

        Drain(slot, grants);
        Enter(queue, NewFlow(), "new", RequestCost.First(1));
        _order.Clear();
        Drain(_slots[^1], 4);

        Assert.Contains("new", _order);
    }

    [Fact]
    public void Retry_GoesBeforeItsOwnTransfersQueue()
    {
        RequestQueue queue = Full(out RequestSlot slot);
        TransferFlow flow = NewFlow();
        Enter(queue, flow, "ahead 1", RequestCost.Part(1));
        Enter(queue, flow, "ahead 2", RequestCost.Part(1));
        Enter(queue, flow, "retry", RequestCost.Part(1), isRetry: true);

        Drain(slot);

        Assert.Equal(["retry", "ahead 1", "ahead 2"], _order);
    }

    [Fact]
    public void Total_Changes_RequestsInFlightStay()
    {
        RequestQueue queue = new(4, TimeProvider.System);
        AsyncSignal grew = new();
        queue.AddListener(grew);
        TransferFlow flow = NewFlow();
        for (int i = 0; i < 10; i++)
        {
            Enter(queue, flow, $"{i}", RequestCost.Part(1));
        }

        queue.Total = 2;
        _slots[0].Dispose();
        _slots[1].Dispose();
        Collect();
        Assert.EachEqual((2, 4), (queue.InFlight, _order.Count));

        queue.Total = 5;
        Collect();
        Assert.EachEqual((5, 7, 5), (queue.InFlight, _order.Count, queue.GetLimit(RequestDirection.Upload)));
        Assert.True(grew.WaitAsync(CancellationToken.None).AsTask().IsCompleted);
    }

    /// <summary>Uploads wait for the first response before more than a few of them begin.</summary>
    [Theory]
    [InlineData(1, 8, 4)]
    [InlineData(40, 12, 12)]
    public void Responded_ChoosesTheLimits(int milliseconds, int download, int upload)
    {
        FakeTimeProvider time = new();
        List<(RequestDirection Direction, int To)> changes = [];
        RequestQueue queue = new(100, time, () => new ConcurrencyController(4, 12, 100), (direction, change) => changes.Add((direction, change.To)));
        AsyncSignal grew = new();
        queue.AddListener(grew);
        for (int i = 0; i < 20; i++)
        {
            Enter(queue, NewFlow(RequestDirection.Upload), "up", RequestCost.Part(1));
        }

        Assert.Equal(12, queue.GetLimit(RequestDirection.Download));
        Assert.Equal(4, queue.InFlight);
        queue.Responded(TimeSpan.FromMilliseconds(milliseconds));

        Assert.Equal(download, queue.GetLimit(RequestDirection.Download));
        Assert.Equal(upload, queue.GetLimit(RequestDirection.Upload));
        Assert.Equal(upload, queue.InFlight);
        Assert.Equal(download == 8 ? (RequestDirection.Download, 8) : (RequestDirection.Upload, 12), Assert.Single(changes));
        Assert.Equal(upload == 12, grew.WaitAsync(CancellationToken.None).AsTask().IsCompleted);
    }

    /// <summary>Parts that begin at the same time end at the same time, so the link is full until the end.</summary>
    [Theory]
    [InlineData(true, true, 100, 24)]
    [InlineData(false, true, 100, 16)]
    [InlineData(true, false, 100, 16)]
    [InlineData(true, true, 20, 20)]
    public void LastParts_OfTheOnlyTransfer_ExceedTheLimit(bool isEnding, bool isSettled, int total, int expected)
    {
        FakeTimeProvider time = new(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        RequestQueue queue = isSettled ? Settled(time, total) : new RequestQueue(total, time, () => new ConcurrencyController(1, 16, 16));

        EnterLastParts(queue, isEnding);

        Assert.Equal(expected, queue.InFlight);
        _slots[0].Dispose();
        Assert.Equal(expected, queue.InFlight);
        Assert.Equal(16, queue.GetLimit(RequestDirection.Download));
    }

    [Fact]
    public void LastParts_AnotherTransferExists_StayWithinTheLimit()
    {
        FakeTimeProvider time = new(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        RequestQueue queue = Settled(time);
        Enter(queue, NewFlow(), "other", RequestCost.Part(Sizes.MiB));
        EnterLastParts(queue);

        _slots[1].Dispose();
        Collect();

        Assert.Equal(16, queue.InFlight);
    }

    [Fact]
    public void LastParts_AnotherTransferWaits_StayWithinTheLimit()
    {
        FakeTimeProvider time = new(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        RequestQueue queue = Settled(time);
        EnterLastParts(queue);
        Enter(queue, NewFlow(), "other", RequestCost.Part(Sizes.MiB));
        Assert.Equal(24, queue.InFlight);
        foreach (RequestSlot slot in _slots[..9])
        {
            slot.Dispose();
        }

        Collect();

        Assert.Equal(16, queue.InFlight);
    }

    /// <summary>The user configured the number.</summary>
    [Fact]
    public void LastParts_NumberIsFixed_StayWithinIt()
    {
        RequestQueue queue = new(16, TimeProvider.System);
        EnterLastParts(queue);

        _slots[0].Dispose();
        Collect();

        Assert.EachEqual((16, 0), (queue.InFlight, queue.ExtraAtEnd(RequestDirection.Download)));
    }

    /// <summary>Requests beyond the limit slow each other down. That is no reason to have fewer afterward, unless the store rejects them.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LastParts_OnlyRejectionsCount(bool isRejected)
    {
        FakeTimeProvider time = new(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
        RequestQueue queue = Settled(time);
        EnterLastParts(queue);

        _slots[0].Dispose();
        Collect();
        time.Advance(TimeSpan.FromMilliseconds(600));
        for (int i = _slots.Count; i-- > 1;)
        {
            time.Advance(TimeSpan.FromMilliseconds(20)); // a few rejections are tolerated, so they must be in one sample
            if (isRejected)
            {
                _slots[i].Reject();
            }
            else
            {
                _slots[i].Complete(Sizes.MiB);
            }

            _slots[i].Dispose();
        }

        Assert.Equal(isRejected ? 0 : 8, queue.ExtraAtEnd(RequestDirection.Download));
        Assert.Equal(isRejected, queue.GetState(RequestDirection.Download).IsHeld);
    }

    [Fact]
    public async Task Canceled_WhileItWaits_LeavesTheQueue()
    {
        RequestQueue queue = Full(out RequestSlot slot);
        using CancellationTokenSource stop = new();
        Task<RequestSlot> waiting = queue.EnterAsync(NewFlow(), RequestCost.Lookup, isRetry: false, stop.Token).AsTask();
        Enter(queue, NewFlow(), "other", RequestCost.Lookup);

        await stop.CancelAsync();

        OperationCanceledException canceled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(stop.Token, canceled.CancellationToken);
        Assert.Equal(1, queue.Waiting);
        slot.Dispose();
        Collect();
        Assert.Equal(["other"], _order);
    }

    [Fact]
    public async Task Canceled_BeforeItEnters_TakesNoSlot()
    {
        RequestQueue queue = new(1, TimeProvider.System);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await queue.EnterAsync(NewFlow(), RequestCost.Lookup, isRetry: false, new CancellationToken(canceled: true)));

        Assert.Equal(0, queue.InFlight);
    }

    /// <summary>Enters the last requests of a transfer.</summary>
    private void EnterLastParts(RequestQueue queue, bool isEnding = true)
    {
        TransferFlow flow = NewFlow();
        flow.IsEnding = isEnding;
        for (int i = 0; i < 40; i++)
        {
            Enter(queue, flow, $"{i}", RequestCost.Part(Sizes.MiB));
        }
    }

    /// <summary>Creates a queue with a limit of 16, and completes enough requests that the limit no longer doubles.</summary>
    private RequestQueue Settled(FakeTimeProvider time, int total = 100)
    {
        RequestQueue queue = new(total, time, () => new ConcurrencyController(1, 16, 16));
        TransferFlow flow = NewFlow();
        for (int i = 0; i < 2 * queue.GetLimit(RequestDirection.Download); i++)
        {
            Enter(queue, flow, "settle", RequestCost.Part(Sizes.MiB));
        }

        while (queue.InFlight > 0)
        {
            time.Advance(TimeSpan.FromMilliseconds(60));
            RequestSlot[] slots = [.. _slots];
            _slots.Clear();
            foreach (RequestSlot slot in slots)
            {
                slot.Complete(Sizes.MiB);
                slot.Dispose();
            }

            Collect();
        }

        _order.Clear();
        Assert.False(queue.IsStarting(RequestDirection.Download));
        return queue;
    }

    private static TransferFlow NewFlow(RequestDirection direction = RequestDirection.Download) => new(direction);

    private static TransferFlow NewLimitedFlow(out RateLimit limit)
    {
        limit = new RateLimit { DownloadBytesPerSecond = 1024 };
        return new TransferFlow(RequestDirection.Download, RateLimits.None.With(limit, RequestDirection.Download));
    }

    /// <summary>Creates a queue whose only slot is taken.</summary>
    private RequestQueue Full(out RequestSlot slot)
    {
        RequestQueue queue = new(1, TimeProvider.System);
        Enter(queue, NewFlow(), "first", RequestCost.Lookup);
        _order.Clear();
        slot = _slots[0];
        return queue;
    }

    /// <summary>Requests a slot, and records when it is granted.</summary>
    private void Enter(RequestQueue queue, TransferFlow flow, string name, RequestCost cost, bool isRetry = false)
    {
        Task<RequestSlot> slot = queue.EnterAsync(flow, cost, isRetry, CancellationToken.None).AsTask();
        _pending.Add((name, slot));
        Collect();
    }

    /// <summary>Records the requests that were granted a slot. The queue grants under the caller's stack, so the task is complete by then.</summary>
    private void Collect()
    {
        foreach ((string name, Task<RequestSlot> slot) in _pending.Where(one => one.Slot.IsCompletedSuccessfully).ToList())
        {
            _order.Add(name);
            _slots.Add(slot.Result);
        }

        _pending.RemoveAll(one => one.Slot.IsCompleted);
    }

    /// <summary>Releases the slot, then the slot of each request that gets it, one after another.</summary>
    private void Drain(RequestSlot slot, int count = int.MaxValue)
    {
        for (int i = 0; i < count && slot is not null; i++)
        {
            int before = _slots.Count;
            slot.Dispose();
            Collect();
            if (_slots.Count == before)
            {
                return;
            }

            slot = _slots[^1];
        }
    }
}
