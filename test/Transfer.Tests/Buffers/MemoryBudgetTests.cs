using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

public sealed class MemoryBudgetTests
{
    private readonly MemoryBudget _budget = new(100);

    [Fact]
    public async Task Floor_MakesAPartWaitForCallers_NextTransferContinues()
    {
        MemoryBudget budget = new(160);
        await budget.ReserveAsync(MemoryUse.Transient, 60, CancellationToken.None);
        await budget.ReserveAsync(MemoryUse.Floor, 30, CancellationToken.None);
        Task part = budget.ReserveAsync(MemoryUse.Unfinished, 84, CancellationToken.None).AsTask(); // waits for memory that transfers free without a caller's action
        Task behind = budget.ReserveAsync(MemoryUse.Transient, 10, CancellationToken.None).AsTask();
        Assert.False(part.IsCompleted || behind.IsCompleted);

        await budget.ReserveAsync(MemoryUse.Floor, 48, CancellationToken.None);

        await behind.Within();
        Assert.False(part.IsCompleted);
    }

    /// <summary>The streams of a caller are refused, because the caller may hold the others. Those of the library wait, and don't block the streams of callers.</summary>
    [Fact]
    public async Task PatientFloor_WaitsForOtherFloors_AndBlocksNobody()
    {
        await _budget.ReserveAsync(MemoryUse.Floor, 40, CancellationToken.None);
        Task first = _budget.ReserveAsync(MemoryUse.Floor, 20, CancellationToken.None, isPatient: true).AsTask();
        Task second = _budget.ReserveAsync(MemoryUse.Floor, 10, CancellationToken.None, isPatient: true).AsTask(); // it would fit, but is behind the first
        await _budget.ReserveAsync(MemoryUse.Transient, 10, CancellationToken.None);
        await _budget.ReserveAsync(MemoryUse.Floor, 10, CancellationToken.None); // a caller
        await Assert.ThrowsAsync<MemoryLimitException>(() => _budget.ReserveAsync(MemoryUse.Floor, 1, CancellationToken.None).AsTask());
        Assert.EachEqual((false, false, 2), (first.IsCompleted, second.IsCompleted, _budget.Waiters));

        _budget.Release(MemoryUse.Floor, 10);
        Assert.False(first.IsCompleted);
        _budget.Release(MemoryUse.Floor, 20);

        await first.Within();
        await second.Within();
        Assert.EachEqual((60L, 0), (_budget.ReservedBytes, _budget.Waiters));
    }

    [Fact]
    public async Task PatientFloor_CanceledOrClosed_Ends()
    {
        await _budget.ReserveAsync(MemoryUse.Floor, 50, CancellationToken.None);
        using CancellationTokenSource stop = new();
        Task canceled = _budget.ReserveAsync(MemoryUse.Floor, 20, stop.Token, isPatient: true).AsTask();
        Task closed = _budget.ReserveAsync(MemoryUse.Floor, 20, CancellationToken.None, isPatient: true).AsTask();

        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => canceled.Within());
        _budget.Close();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => closed.Within());
        Assert.Equal(0, _budget.Waiters);
    }

    [Fact]
    public void TryReserve_BeyondTheCapacity_ReturnsFalse()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 60));
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 40));
        Assert.False(_budget.TryReserve(MemoryUse.Transient, 1));
        _budget.Release(MemoryUse.Transient, 1);
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 1));
        Assert.Equal(100, _budget.ReservedBytes);
        Assert.Equal(100, _budget.PeakReservedBytes);
    }

    [Fact]
    public void TryReserve_MemoryThatOnlyCallersFree_LeavesAnEighthToOtherUses()
    {
        MemoryBudget budget = new(800);
        MemoryShare share = budget.Add(new FakeOwner(), unitBytes: 1);
        Assert.EachEqual((400L, 300L), (budget.GetLimit(MemoryUse.Floor), budget.GetLimit(MemoryUse.ReadAhead)));

        Assert.Equal(300, FakeOwner.Fill(share));
        Assert.True(budget.TryReserve(MemoryUse.Floor, 400));
        Assert.False(budget.TryReserve(MemoryUse.Floor, 1));
        Assert.False(budget.TryReserve(MemoryUse.Unfinished, 1));

        Assert.True(budget.TryReserve(MemoryUse.Transient, 100));
        Assert.False(budget.TryReserve(MemoryUse.Transient, 1));
    }

    [Fact]
    public void TryReserve_UnfinishedPartsAtTheirLimit_OtherUsesStillGetMemory()
    {
        MemoryBudget budget = new(800);
        MemoryShare share = budget.Add(new FakeOwner(), unitBytes: 1);

        Assert.True(budget.TryReserve(MemoryUse.Unfinished, 400));
        Assert.False(budget.TryReserve(MemoryUse.Unfinished, 1));

        Assert.Equal(100, FakeOwner.Fill(share));
        Assert.True(budget.TryReserve(MemoryUse.Floor, 200));
        Assert.False(budget.TryReserve(MemoryUse.Floor, 1));
        Assert.True(budget.TryReserve(MemoryUse.Transient, 100));
    }

    [Fact]
    public void TryReserve_UnfinishedPartsGrow_LeavesMemoryForAWholePart()
    {
        MemoryBudget budget = new(800);

        Assert.True(budget.TryReserve(MemoryUse.Unfinished, 300, leaveBytes: 100));
        Assert.False(budget.TryReserve(MemoryUse.Unfinished, 1, leaveBytes: 100));

        Assert.True(budget.TryReserve(MemoryUse.Unfinished, 100));
        budget.Release(MemoryUse.Unfinished, 400);
    }

    [Fact]
    public async Task ReserveAsync_UnfinishedPartLargerThanTheLimit_IsGrantedOnlyAlone()
    {
        Assert.False(_budget.TryReserve(MemoryUse.Unfinished, 10, leaveBytes: 90)); // it could never be completed beside another part
        await Reserve(MemoryUse.Unfinished, 100).Within();
        Task other = Reserve(MemoryUse.Unfinished, 100);
        Assert.False(other.IsCompleted);

        _budget.Convert(MemoryUse.Unfinished, MemoryUse.Transient, 100);
        Assert.False(other.IsCompleted);
        _budget.Release(MemoryUse.Transient, 100);

        await other.Within();
    }

    [Fact]
    public async Task ReserveAsync_OnlyCallersCanFreeMemory_OtherRequestsOvertake()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Unfinished, 50));
        Task large = Reserve(MemoryUse.Transient, 60);

        await Reserve(MemoryUse.Transient, 50).Within();
        _budget.Release(MemoryUse.Transient, 50);
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 40));
        Assert.False(large.IsCompleted);

        _budget.Release(MemoryUse.Unfinished, 50);
        await large.Within();
    }

    [Fact]
    public async Task ReserveAsync_BudgetIsUsedUp_GrantsInOrder()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        Task large = Reserve(MemoryUse.Transient, 80);
        Task small = Reserve(MemoryUse.Transient, 10);

        _budget.Release(MemoryUse.Transient, 20);
        Assert.False(small.IsCompleted); // it would fit, but must not overtake
        Assert.False(_budget.TryReserve(MemoryUse.Transient, 5));
        _budget.Release(MemoryUse.Transient, 60);
        await large.Within();
        Assert.False(small.IsCompleted);
        _budget.Release(MemoryUse.Transient, 20);

        await small.Within();
        Assert.Equal(90, _budget.ReservedBytes);
    }

    [Fact]
    public async Task ReserveAsync_FirstIsCanceled_GrantsTheNextSmallerRequest()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 90));
        using CancellationTokenSource cancel = new();
        Task large = Reserve(MemoryUse.Transient, 50, cancel.Token);
        Task small = Reserve(MemoryUse.Transient, 10);
        Assert.False(small.IsCompleted);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => large.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        await small.Within();
        Assert.Equal(100, _budget.ReservedBytes);
    }

    [Fact]
    public async Task ReserveAsync_AlreadyCanceled_TakesNothing()
    {
        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => Reserve(MemoryUse.Transient, 1, new CancellationToken(canceled: true)).Within());

        Assert.True(error.CancellationToken.IsCancellationRequested);
        Assert.Equal(0, _budget.ReservedBytes);
    }

    [Theory]
    [InlineData((int)MemoryUse.Transient, 101)]
    [InlineData((int)MemoryUse.Unfinished, 101)]
    [InlineData((int)MemoryUse.Floor, 51)]
    public async Task ReserveAsync_MoreThanTheCapacity_Throws(int use, long bytes)
    {
        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => Reserve((MemoryUse)use, bytes).Within());

        Assert.Contains($"{bytes} B", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, _budget.ReservedBytes);
    }

    [Fact]
    public async Task ReserveAsync_FloorBehindOthers_IsGrantedFirst()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 90));
        Task transient = Reserve(MemoryUse.Transient, 20);
        await Reserve(MemoryUse.Floor, 10).Within();
        Task floor = Reserve(MemoryUse.Floor, 15);

        _budget.Release(MemoryUse.Transient, 20);

        await floor.Within();
        Assert.False(transient.IsCompleted);
    }

    [Fact]
    public async Task Close_EndsCurrentAndLaterWaits()
    {
        MemoryShare share = _budget.Add(new FakeOwner(), unitBytes: 1);
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        Task[] waits = [Reserve(MemoryUse.Floor, 10), Reserve(MemoryUse.Unfinished, 10), Reserve(MemoryUse.Transient, 10), FakeOwner.AskAsync(share, 10, CancellationToken.None)];

        _budget.Close();

        waits = [.. waits, Reserve(MemoryUse.Transient, 10), Reserve(MemoryUse.Floor, 10), FakeOwner.AskAsync(share, 10, CancellationToken.None)];
        foreach (Task wait in waits)
        {
            ObjectDisposedException error = await Assert.ThrowsAsync<ObjectDisposedException>(() => wait.Within());
            Assert.Contains(nameof(TransferClient), error.ObjectName, StringComparison.Ordinal);
        }

        _budget.Release(MemoryUse.Transient, 100);
        Assert.Equal(0, _budget.ReservedBytes);
    }

    [Fact]
    public async Task ReserveAsync_TwoFloorsWait_GrantsInOrder()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        Task first = Reserve(MemoryUse.Floor, 20);
        Task second = Reserve(MemoryUse.Floor, 20);

        _budget.Release(MemoryUse.Transient, 20);

        await first.Within();
        Assert.False(second.IsCompleted);
        _budget.Release(MemoryUse.Transient, 20);
        await second.Within();
    }

    [Fact]
    public async Task ReserveAsync_FloorsFull_ErrorNamesTheOption()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Floor, 40));

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => Reserve(MemoryUse.Floor, 20).Within());

        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReserveAsync_WaitingFloorsFillTheLimit_ThrowsInsteadOfWaitingForAStreamToClose()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        Task first = Reserve(MemoryUse.Floor, 40);

        await Assert.ThrowsAsync<MemoryLimitException>(() => Reserve(MemoryUse.Floor, 40).Within());

        Task behind = Reserve(MemoryUse.Transient, 60);
        _budget.Release(MemoryUse.Transient, 100);
        await first.Within();
        await behind.Within(); // nothing blocks it
    }

    [Fact]
    public async Task ReserveAsync_WaitingFloorIsCanceled_FreesItsPlace()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        using CancellationTokenSource cancel = new();
        Task first = Reserve(MemoryUse.Floor, 40, cancel.Token);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.Within());

        Task second = Reserve(MemoryUse.Floor, 40);
        _budget.Release(MemoryUse.Transient, 100);

        await second.Within();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task ReserveAsync_GrantConcurrentWithCancellation_KeepsTheReservedBytesExact(int seed)
    {
        Random random = new(seed);
        for (int round = 0; round < 500; round++)
        {
            MemoryBudget budget = new(10);
            Assert.True(budget.TryReserve(MemoryUse.Transient, 10));
            using CancellationTokenSource cancel = new();
            Task waiting = budget.ReserveAsync(MemoryUse.Transient, 10, cancel.Token).AsTask();
            using Barrier together = new(2);
            int spin = random.Next(50);
            Task cancelling = Task.Run(() =>
            {
                together.SignalAndWait(Deadline.Longest);
                Thread.SpinWait(spin);
                cancel.Cancel();
            });
            together.SignalAndWait(Deadline.Longest);
            Thread.SpinWait(25);
            budget.Release(MemoryUse.Transient, 10);
            await cancelling.Within();
            await ((Task)waiting).ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default).Within();

            Assert.Equal(waiting.IsCompletedSuccessfully ? 10 : 0, budget.ReservedBytes);
        }
    }

    private Task Reserve(MemoryUse use, long bytes, CancellationToken cancellationToken = default) => _budget.ReserveAsync(use, bytes, cancellationToken).AsTask();
}
