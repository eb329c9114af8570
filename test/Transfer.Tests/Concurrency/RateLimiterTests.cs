using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

/// <summary>The token bucket, on a clock that the test advances.</summary>
public sealed class RateLimiterTests
{
    private readonly SteppedClock _time = new();

    [Fact]
    public async Task NoLimit_NeverWaits()
    {
        RateLimiter limiter = new(_time);

        Assert.True(limiter.TryTake(int.MaxValue));
        await limiter.TakeAsync(int.MaxValue, CancellationToken.None).Within();
        Assert.EachEqual((null, long.MaxValue), (limiter.BytesPerSecond, limiter.PieceBytes));
    }

    [Fact]
    public void Burst_Is100Milliseconds_AndNoMoreAfterAPause()
    {
        RateLimiter limiter = New(10_000);

        for (int i = 0; i < 3; i++)
        {
            Assert.True(limiter.TryTake(999));
            Assert.True(limiter.TryTake(1));
            Assert.False(limiter.TryTake(1));
            _time.Advance(TimeSpan.FromHours(i + 1));
        }

        Assert.True(limiter.TryTake(500));
        _time.Advance(TimeSpan.FromMilliseconds(20));
        Assert.True(limiter.TryTake(700));
        Assert.False(limiter.TryTake(1));
        Assert.Equal(1000, limiter.PieceBytes);
    }

    [Theory]
    [InlineData(1024, 1)]
    [InlineData(1024, 20_000)]
    [InlineData(10_000, 7_001)]
    [InlineData(1_000_000, 999)]
    [InlineData(1L << 30, 64 * 1024)]
    [InlineData(1L << 40, 80 * 1024)]
    public async Task Rate_OverTime_IsExact(long rate, int piece)
    {
        RateLimiter limiter = New(rate);
        _time.SkipDelaysBelow = TimeSpan.FromDays(1);
        long total = 0;
        for (int i = 0; i < 2_000; i++, total += piece)
        {
            await limiter.TakeAsync(piece, CancellationToken.None).Within();
        }

        // Each wait ends on a millisecond boundary at the latest, but this loses nothing.
        double earliest = Math.Max(0, (total / (double)rate) - 0.1);
        Assert.InRange(Now.TotalSeconds, earliest - 1e-6, earliest + 0.0011);
    }

    [Fact]
    public async Task Waiters_AreServedInOrder()
    {
        RateLimiter limiter = New(1000); // a turn is 100 bytes
        Assert.True(limiter.TryTake(100));
        Task first = limiter.TakeAsync(100, CancellationToken.None).AsTask();
        Task small = limiter.TakeAsync(1, CancellationToken.None).AsTask();
        Task last = limiter.TakeAsync(99, CancellationToken.None).AsTask();

        _time.Advance(TimeSpan.FromMilliseconds(99));
        Assert.False(limiter.TryTake(1));
        Assert.False(first.IsCompleted || small.IsCompleted || last.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await first.Within();
        Assert.False(small.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await small.Within();
        Assert.False(last.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(99));

        await last.Within();
        Assert.Equal(0, limiter.Waiting);
    }

    [Fact]
    public async Task Canceled_TakesNothing_AndLeavesTheQueue()
    {
        RateLimiter limiter = New(1000);
        using CancellationTokenSource cancel = new();
        Task first = limiter.TakeAsync(10_000, cancel.Token).AsTask();
        Task second = limiter.TakeAsync(300, CancellationToken.None).AsTask();
        _time.Advance(TimeSpan.FromMilliseconds(250));

        await cancel.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.Within());
        Assert.Equal(cancel.Token, e.CancellationToken);
        await second.Within(); // uses what the first one returned: the burst and 250 bytes
        Assert.True(limiter.TryTake(50));
        Assert.False(limiter.TryTake(1));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => limiter.TakeAsync(1, cancel.Token).Within());
        Assert.EachEqual((0, 0), (limiter.Waiting, _time.ArmedTimers));
    }

    [Fact]
    public async Task Canceled_BehindTheFirst_ChangesNothingForIt()
    {
        RateLimiter limiter = New(1000);
        using CancellationTokenSource cancel = new();
        Task first = limiter.TakeAsync(200, CancellationToken.None).AsTask();
        Task second = limiter.TakeAsync(200, cancel.Token).AsTask();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second.Within());
        _time.Advance(TimeSpan.FromMilliseconds(99));
        Assert.False(first.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await first.Within();
    }

    [Fact]
    public void Returned_CanBeTakenAgain_ButNoMoreThanTheBurst()
    {
        RateLimiter limiter = New(1000);
        Assert.True(limiter.TryTake(100));

        limiter.Return(40);
        Assert.True(limiter.TryTake(40));
        limiter.Return(5000);

        Assert.True(limiter.TryTake(100));
        Assert.False(limiter.TryTake(1));
    }

    /// <summary>
    /// Any sequence of takes, cancellations, returns, and changes grants no more than was earned, and serves every waiter eventually.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task AnyOrder_OfCalls_KeepsTheRate(int seed)
    {
        Random random = new(seed);
        RateLimiter limiter = New(1_000_000);
        double earned = 100_000;
        long rate = 1_000_000;
        List<(Task Wait, int Bytes, CancellationTokenSource Cancel)> waits = [];
        long taken = 0;
        for (int i = 0; i < 2_000; i++)
        {
            switch (random.Next(10))
            {
                case < 5:
                    CancellationTokenSource cancel = new();
                    int bytes = random.Next(1, 300_000);
                    waits.Add((limiter.TakeAsync(bytes, cancel.Token).AsTask(), bytes, cancel));
                    break;
                case < 7 when waits.Count > 0:
                    await waits[random.Next(waits.Count)].Cancel.CancelAsync();
                    break;
                case 7:
                    rate = random.Next(1024, 10_000_000);
                    limiter.BytesPerSecond = rate;
                    break;
                default:
                    TimeSpan time = TimeSpan.FromMilliseconds(random.Next(200));
                    _time.Advance(time);
                    earned += rate * time.TotalSeconds;
                    break;
            }

            taken += Settle();
            Assert.True(taken <= earned + 1, $"step {i}: {taken} bytes were taken, but only {earned} were earned");
        }

        while (limiter.Waiting > 0)
        {
            _time.Advance(TimeSpan.FromSeconds(10));
        }

        await Task.WhenAll(waits.Select(one => one.Wait)).ContinueWith(static _ => { }, TaskScheduler.Default).Within();
        Assert.All(waits, one => Assert.True(one.Wait.IsCompleted));
        waits.ForEach(static one => one.Cancel.Dispose());

        long Settle()
        {
            long done = waits.Where(static one => one.Wait.IsCompletedSuccessfully).Sum(static one => (long)one.Bytes);
            waits.Where(static one => one.Wait.IsCompleted).ToList().ForEach(static one => one.Cancel.Dispose());
            waits.RemoveAll(static one => one.Wait.IsCompleted);
            return done;
        }
    }

    [Fact]
    public void Take_TokensAreAvailable_AllocatesNothing()
    {
        RateLimiter limited = New(1L << 40);
        RateLimit limit = new(_time) { DownloadBytesPerSecond = 1L << 40 };
        RateLimits both = RateLimits.OfClient(limit, RequestDirection.Download).With(new RateLimit(_time) { TotalBytesPerSecond = 1L << 40 }, RequestDirection.Download);
        using CancellationTokenSource cancel = new();
        Take();

        long before = GC.GetAllocatedBytesForCurrentThread();
        Take();

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Take()
        {
            for (int i = 0; i < 100; i++)
            {
                ValueTask taken = limited.TakeAsync(1, cancel.Token);
                Assert.True(taken.IsCompletedSuccessfully);
                Assert.True(both.TryTake(both.GetPiece(1), out _));
                Assert.True(RateLimits.None.TryTake(1, out _));
            }
        }
    }

    [Fact]
    public void TwoLimits_BothApply_AndEachDirectionKeepsItsShare()
    {
        RateLimit limit = new(_time) { TotalBytesPerSecond = 10_000, DownloadBytesPerSecond = 4_000 };
        RateLimits down = RateLimits.OfClient(limit, RequestDirection.Download);
        RateLimits up = RateLimits.OfClient(limit, RequestDirection.Upload);
        Assert.EachEqual((400, 1000), (down.GetPiece(10_000), up.GetPiece(10_000)));

        (int downloaded, int uploaded) = (0, 0);
        for (int i = 0; i <= 100; i++)
        {
            downloaded += TakeAll(down);
            uploaded += TakeAll(up);
            _time.Advance(TimeSpan.FromMilliseconds(10));
        }

        Assert.EachEqual((4_000 + 400, 10_000 + 1_000 - 4_400), (downloaded, uploaded));

        static int TakeAll(RateLimits limits)
        {
            int taken = 0;
            while (limits.TryTake(10, out _))
            {
                taken += 10;
            }

            return taken;
        }
    }

    [Fact]
    public async Task SameInstance_UsedTwice_CountsOnce()
    {
        RateLimit limit = new(_time) { TotalBytesPerSecond = 10_000 };
        RateLimits limits = RateLimits.OfClient(limit, RequestDirection.Upload).With(limit, RequestDirection.Upload);

        Assert.True(limits.TryTake(1_000, out _));
        Task wait = limits.WaitAsync(100, 0, CancellationToken.None).AsTask();
        _time.Advance(TimeSpan.FromMilliseconds(10));

        await wait.Within();
        Assert.False(limits.IsOwn(0));
    }

    [Fact]
    public async Task Canceled_InTheSecondLimit_TakesNothingFromTheFirst()
    {
        RateLimit limit = new(_time) { TotalBytesPerSecond = 1_024, UploadBytesPerSecond = 100_000 };
        RateLimits up = RateLimits.OfClient(limit, RequestDirection.Upload);
        using CancellationTokenSource cancel = new();
        Task wait = up.WaitAsync(10_000, 0, cancel.Token).AsTask();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait.Within());
        Assert.True(limit.GetLimiters(RequestDirection.Upload)[0].TryTake(10_000));
        Assert.True(limit.GetLimiters(RequestDirection.Upload)[1].TryTake(102));
    }

    [Theory]
    [InlineData(1024, 1)]
    [InlineData(128 * 1024, 2)]
    [InlineData(10 * 1024 * 1024, 160)]
    public void LowRate_NeedsFewRequests(long rate, int requests)
    {
        RateLimit limit = new(_time) { TotalBytesPerSecond = 1L << 40, DownloadBytesPerSecond = rate };

        Assert.Equal(requests, RateLimits.OfClient(limit, RequestDirection.Download).MostRequests);
        Assert.True(RateLimits.OfClient(limit, RequestDirection.Upload).MostRequests > 1024);
        Assert.Equal(int.MaxValue, RateLimits.None.MostRequests);
    }

    [Theory]
    [InlineData(1023)]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData((1L << 40) + 1)]
    public void RateLimit_OutOfRange_ErrorNamesTheAcceptedRange(long value)
    {
        RateLimit limit = new();
        Action[] sets = [() => limit.TotalBytesPerSecond = value, () => limit.DownloadBytesPerSecond = value, () => limit.UploadBytesPerSecond = value];

        Assert.All(sets, set =>
        {
            ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(set);
            Assert.Contains($"BytesPerSecond is {value} bytes; it must be from 1 KiB to 1 TiB.", e.Message, StringComparison.Ordinal);
        });
        Assert.EachEqual((null, null, null), (limit.TotalBytesPerSecond, limit.DownloadBytesPerSecond, limit.UploadBytesPerSecond));
        limit.TotalBytesPerSecond = 1 << 10;
        limit.UploadBytesPerSecond = 1L << 40;
        Assert.EachEqual((1 << 10, null, 1L << 40), (limit.TotalBytesPerSecond, limit.DownloadBytesPerSecond, limit.UploadBytesPerSecond));
    }

    [Fact]
    public async Task PacedRequest_IsNotMeasured()
    {
        RequestQueue queue = new(1, _time);
        using RequestSlot slot = await queue.EnterAsync(new TransferFlow(RequestDirection.Upload), RequestCost.Lookup, false, CancellationToken.None).Within();

        slot.Paced(isOwn: false);
        slot.Complete(100);

        Assert.Equal(RequestOutcome.Unknown, slot.Outcome);
        slot.Reject();
        Assert.Equal(RequestOutcome.Rejected, slot.Outcome);
    }

    private TimeSpan Now => TimeSpan.FromTicks(_time.GetTimestamp());

    /// <summary>The pieces of the waiters were cut when the rate was higher. Someone who needs little doesn't wait for all of them.</summary>
    [Fact]
    public async Task RateIsLowered_WaitersTakeTurns()
    {
        RateLimiter limiter = New(1_000_000);
        Assert.True(limiter.TryTake(100_000));
        Task[] large = [.. Enumerable.Range(0, 4).Select(_ => limiter.TakeAsync(64 * 1024, CancellationToken.None).AsTask())];

        limiter.BytesPerSecond = 10_000; // a turn is 1,000 bytes
        Task small = limiter.TakeAsync(500, CancellationToken.None).AsTask();
        _time.Advance(TimeSpan.FromMilliseconds(440));
        Assert.False(small.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(10));
        await small.Within();
        Assert.DoesNotContain(large, static task => task.IsCompleted);

        // Nothing is lost: all bytes take as long as the rate says.
        _time.Advance(TimeSpan.FromSeconds((4 * 64 * 1024 / 10_000.0) - 0.5));
        Assert.Contains(large, static task => !task.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(0.6));
        await Task.WhenAll(large).Within();
    }

    private RateLimiter New(long rate) => new(_time) { BytesPerSecond = rate };
}
