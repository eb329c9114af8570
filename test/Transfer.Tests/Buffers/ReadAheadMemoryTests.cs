using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

/// <summary>How the read-ahead memory of a budget is divided between streams: 300 of 800 bytes, in chunks of one byte.</summary>
public sealed class ReadAheadMemoryTests
{
    private const long Limit = 300;
    private readonly MemoryBudget _budget = new(800);

    [Fact]
    public void RequestAhead_OneStream_GetsAllMemoryInPieces()
    {
        (MemoryShare share, _) = Open();

        Assert.Equal(76, FakeOwner.TryReserve(share, 200)); // a quarter, and a chunk that can be handed over early
        Assert.Equal(10, FakeOwner.TryReserve(share, 10));
        Assert.Equal(Limit - 86, Fill(share) - 86);
        Assert.Equal(0, FakeOwner.TryReserve(share, 10));
    }

    [Fact]
    public void RequestAhead_SeveralStreams_PiecesShrinkWithTheShare()
    {
        (MemoryShare first, _) = Open();
        (MemoryShare second, _) = Open();
        Assert.Equal(76, FakeOwner.TryReserve(first, 200));

        Assert.Equal(38, FakeOwner.TryReserve(second, 200));
    }

    [Fact]
    public void RequestAhead_OthersNeedNoMore_UsesTheirUnusedShare()
    {
        for (int i = 0; i < 10; i++)
        {
            (MemoryShare small, _) = Open();
            Assert.Equal(2, FakeOwner.TryReserve(small, 2));
            _budget.Withdraw(small);
        }

        (MemoryShare share, _) = Open();

        Assert.Equal(((Limit - 20) / 4) + 1, FakeOwner.TryReserve(share, 200));
    }

    [Fact]
    public void TryReserveAhead_StreamNeedsNoMore_DoesNotCountAmongThoseThatShare()
    {
        (MemoryShare ending, _) = Open();
        Assert.Equal(2, FakeOwner.TryReserve(ending, 2));
        _budget.Withdraw(ending);
        (MemoryShare share, _) = Open();

        Assert.True(_budget.TryReserveAhead(ending));

        Assert.Equal(3, ending.HeldBytes);
        Assert.Equal(((Limit - 3) / 4) + 1, FakeOwner.TryReserve(share, 200));
        _budget.ReleaseAhead(ending, 3);
        Assert.Equal((Limit / 4) + 1, FakeOwner.TryReserve(share, 200));
    }

    [Fact]
    public async Task ReleaseAhead_SeveralWait_GrantsStarvedReadersThenSmallestHolders()
    {
        (MemoryShare rich, _) = Open();
        (MemoryShare poor, _) = Open();
        (MemoryShare starved, FakeOwner owner) = Open();
        Assert.Equal(30, Take(starved, 30));
        Assert.Equal(10, Take(poor, 10));
        Fill(rich);
        owner.IsStarved = true;
        Task<long> third = FakeOwner.AskAsync(rich, 20, CancellationToken.None);
        Task<long> second = FakeOwner.AskAsync(poor, 20, CancellationToken.None);
        Task<long> first = FakeOwner.AskAsync(starved, 20, CancellationToken.None);

        _budget.ReleaseAhead(rich, 20);
        Assert.Equal(20, await first.Within());
        Assert.False(second.IsCompleted);
        _budget.ReleaseAhead(rich, 20);
        Assert.Equal(20, await second.Within());
        Assert.False(third.IsCompleted);
        _budget.ReleaseAhead(rich, 20);
        Assert.Equal(20, await third.Within());
    }

    [Fact]
    public async Task Reconsider_StarvedWhileWaiting_GoesBeforeStreamsThatAreNotStarved()
    {
        (MemoryShare rich, _) = Open();
        (MemoryShare poor, _) = Open();
        (MemoryShare later, FakeOwner owner) = Open();
        Take(later, 30);
        Fill(rich);
        Task<long> waits = FakeOwner.AskAsync(poor, 5, CancellationToken.None);
        Task<long> starves = FakeOwner.AskAsync(later, 5, CancellationToken.None);

        owner.IsStarved = true;
        _budget.Reconsider(later);
        _budget.ReleaseAhead(rich, 5);

        Assert.Equal(5, await starves.Within());
        Assert.False(waits.IsCompleted);
    }

    [Fact]
    public void RequestAhead_IdleStreamExceedsItsShare_ReturnsOnlyTheExcess()
    {
        (MemoryShare idle, FakeOwner idleOwner) = Open();
        idleOwner.GivesBack = mostBytes => FakeOwner.Shrink(idle, mostBytes);
        Assert.Equal(Limit, Fill(idle));
        (MemoryShare active, _) = Open();

        Assert.Equal(0, FakeOwner.TryReserve(active, 100)); // at the first request, it is unknown which streams are idle
        Assert.Equal(0, idleOwner.Asked);

        Assert.Equal(Limit / 2, Fill(active));
        Assert.Equal(Limit / 2, idle.HeldBytes);

        Assert.Equal(0, FakeOwner.TryReserve(active, 100)); // it already holds its share
        Assert.Equal(Limit / 2, idle.HeldBytes);
    }

    [Fact]
    public void RequestAhead_OtherReaderIsActive_TakesNothingFromIt()
    {
        (MemoryShare other, FakeOwner owner) = Open();
        Fill(other);
        (MemoryShare active, _) = Open();
        Assert.Equal(0, FakeOwner.TryReserve(active, 10));
        owner.IsStarved = true;
        Assert.Equal(0, FakeOwner.TryReserve(active, 10));
        Assert.Equal(0, FakeOwner.TryReserve(active, 10));
        owner.IsStarved = false;
        for (int i = 0; i < 10; i++)
        {
            // Each byte that the other stream consumes is granted to the stream that holds less.
            _budget.ReleaseAhead(other, 1);
            Assert.Equal(1, FakeOwner.TryReserve(active, 1));
            Assert.Equal(0, FakeOwner.TryReserve(active, 1));
        }

        Assert.Equal(0, owner.Asked);
    }

    [Fact]
    public void ReleaseAhead_AfterMemoryWasTaken_RaisesTheLimitByTheConsumedBytes()
    {
        (MemoryShare idle, FakeOwner idleOwner) = Open();
        idleOwner.GivesBack = mostBytes => FakeOwner.Shrink(idle, mostBytes);
        Fill(idle);
        (MemoryShare active, _) = Open();
        FakeOwner.TryReserve(active, 10);
        Fill(active);
        _budget.ReleaseAhead(active, active.HeldBytes);
        active.Dispose();

        // All memory is free, but the data that was taken from the slow reader is not fetched again immediately.
        Assert.Equal(0, FakeOwner.TryReserve(idle, 10));
        _budget.ReleaseAhead(idle, 10);
        Assert.Equal((Limit / 2) + 10, Fill(idle));
        Assert.Equal((Limit / 2) + 10, _budget.ReservedBytes);
    }

    [Fact]
    public async Task RequestAhead_AtTheLimit_WaitsUntilTheReaderConsumes()
    {
        (MemoryShare idle, FakeOwner idleOwner) = Open();
        idleOwner.GivesBack = mostBytes => FakeOwner.Shrink(idle, mostBytes);
        Fill(idle);
        (MemoryShare active, _) = Open();
        FakeOwner.TryReserve(active, 10);
        Fill(active);
        _budget.ReleaseAhead(active, active.HeldBytes);
        Task<long> waits = FakeOwner.AskAsync(idle, 10, CancellationToken.None);
        Assert.False(waits.IsCompleted);
        Assert.Equal(10, FakeOwner.TryReserve(active, 10)); // nothing blocks it

        _budget.ReleaseAhead(idle, 1);

        Assert.Equal(2, await waits.Within());
    }

    [Fact]
    public async Task RequestAhead_StuckReaders_GrantsAllToTheOneStuckLongest()
    {
        (MemoryShare first, _) = Open();
        (MemoryShare second, _) = Open();
        (MemoryShare third, _) = Open();
        Fill(third);
        Task<long> secondWaits = FakeOwner.AskAsync(second, 2, CancellationToken.None);
        Task<long> firstWaits = FakeOwner.AskAsync(first, 2, CancellationToken.None);
        while (_budget.TryReserve(MemoryUse.Floor, 1)) // leaves no memory for stuck readers either
        {
        }

        FakeOwner.SetStuck(first);
        FakeOwner.SetStuck(second);
        _budget.ReleaseAhead(third, 2);
        Assert.Equal(2, await firstWaits.Within());

        firstWaits = FakeOwner.AskAsync(first, 2, CancellationToken.None); // still not enough
        _budget.ReleaseAhead(third, 2);

        Assert.Equal(2, await firstWaits.Within());
        Assert.False(secondWaits.IsCompleted);
    }

    [Fact]
    public async Task SetStuck_ReadersHoldAllReadAhead_BorrowsFromTheFloors()
    {
        (MemoryShare other, FakeOwner owner) = Open();
        owner.IsStarved = true;
        Fill(other);
        (MemoryShare stuck, _) = Open();
        Task<long> waits = FakeOwner.AskAsync(stuck, 50, CancellationToken.None);
        Assert.False(waits.IsCompleted);

        FakeOwner.SetStuck(stuck);

        Assert.InRange(await waits.Within(), 1, 50);
    }

    [Fact]
    public async Task SetStuck_ReaderContinues_OnlyTheNextWaitIsStuck()
    {
        (MemoryShare other, FakeOwner owner) = Open();
        owner.IsStarved = true;
        Fill(other);
        (MemoryShare share, _) = Open();
        Task<long> waits = FakeOwner.AskAsync(share, 50, CancellationToken.None);

        FakeOwner.SetStuck(share, isStuck: false); // the wait ended before a thread that had examined the stream reported that it is stuck

        Assert.False(share.IsStuck);
        Assert.False(waits.IsCompleted);
        FakeOwner.SetStuck(share);
        Assert.InRange(await waits.Within(), 1, 50);
    }

    [Fact]
    public async Task Remove_FirstOfTheStuckReaders_TheNextOneBorrows()
    {
        (MemoryShare other, FakeOwner owner) = Open();
        owner.IsStarved = true;
        Fill(other);
        (MemoryShare first, _) = Open();
        FakeOwner.SetStuck(first);
        (MemoryShare second, _) = Open();
        FakeOwner.SetStuck(second);
        Task<long> waits = FakeOwner.AskAsync(second, 50, CancellationToken.None);
        Assert.False(waits.IsCompleted);

        _budget.Remove(first);

        Assert.InRange(await waits.Within(), 1, 50);
    }

    [Fact]
    public async Task SetStuck_HoldsAllMemory_ErrorNamesTheOptionAndTheHeldBytes()
    {
        (MemoryShare share, _) = Open();
        Task<long> waits;
        FakeOwner.SetStuck(share);
        do
        {
            waits = FakeOwner.AskAsync(share, 50, CancellationToken.None);
        }
        while (waits.IsCompletedSuccessfully);

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => waits.Within());
        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
        Assert.Contains("500 B", error.Message, StringComparison.Ordinal); // all memory except the minimum of the floors and the reserved eighth
    }

    [Fact]
    public async Task ReserveAsync_IdleReadersHoldNeededMemory_TheyReturnIt()
    {
        (MemoryShare idle, FakeOwner owner) = Open();
        owner.GivesBack = mostBytes => FakeOwner.Shrink(idle, mostBytes);
        Fill(idle);

        await _budget.ReserveAsync(MemoryUse.Transient, 700, CancellationToken.None).AsTask().Within();

        Assert.Equal(100, idle.HeldBytes);
    }

    [Fact]
    public async Task RequestAhead_AnotherUseWaits_ReadersGetNoMoreUntilItIsServed()
    {
        (MemoryShare reading, FakeOwner owner) = Open();
        owner.IsStarved = true; // it keeps reading, so nothing is taken from it
        Fill(reading);
        Task waits = _budget.ReserveAsync(MemoryUse.Transient, 700, CancellationToken.None).AsTask();

        for (int i = 0; i < 200; i++)
        {
            Assert.False(waits.IsCompleted);
            Assert.Equal(0, FakeOwner.TryReserve(reading, 1));
            _budget.ReleaseAhead(reading, 1);
        }

        await waits.Within();
        _budget.Release(MemoryUse.Transient, 700);
        Assert.True(FakeOwner.TryReserve(reading, 1) > 0);
    }

    [Fact]
    public async Task RequestAhead_Canceled_LosesNothingAndServesTheNext()
    {
        (MemoryShare holds, _) = Open();
        (MemoryShare first, _) = Open();
        (MemoryShare second, _) = Open();
        Fill(holds);
        using CancellationTokenSource cancel = new();
        Task<long> cancelled = FakeOwner.AskAsync(first, 5, cancel.Token);
        Task<long> waits = FakeOwner.AskAsync(second, 5, CancellationToken.None);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        _budget.ReleaseAhead(holds, 5);
        Assert.Equal(5, await waits.Within());
        Assert.EachEqual((0L, 5L, Limit), (first.HeldBytes, second.HeldBytes, _budget.ReservedBytes));
    }

    [Fact]
    public void Remove_ClosedStream_ItsShareGoesToTheOthers()
    {
        (MemoryShare closed, _) = Open();
        (MemoryShare open, _) = Open();
        Take(closed, 10);
        closed.Dispose();
        closed.Dispose();
        _budget.ReleaseAhead(closed, 10);

        Assert.Equal(76, FakeOwner.TryReserve(open, 200));
    }

    private (MemoryShare Share, FakeOwner Owner) Open()
    {
        FakeOwner owner = new();
        return (_budget.Add(owner, unitBytes: 1), owner);
    }

    private static long Take(MemoryShare share, long bytes) => FakeOwner.Fill(share, bytes);

    private static long Fill(MemoryShare share) => FakeOwner.Fill(share);
}
