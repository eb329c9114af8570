using Transfer.Buffers;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Buffers;

public sealed class MemoryBudgetTests
{
    private readonly MemoryBudget _budget = new(100);

    [Fact]
    public void TryReserve_UpToTheCapacity_ThenNot()
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
    public void TryReserve_ReadAheadAndFloors_LeaveAnEighth()
    {
        Assert.True(_budget.TryReserve(MemoryUse.ReadAhead, 36));
        Assert.False(_budget.TryReserve(MemoryUse.ReadAhead, 1));
        Assert.True(_budget.TryReserve(MemoryUse.Floor, 50));
        Assert.False(_budget.TryReserve(MemoryUse.Floor, 1));
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 14));
        Assert.Equal((36, 50), (_budget.LimitOf(MemoryUse.ReadAhead), _budget.LimitOf(MemoryUse.Floor)));
    }

    [Fact]
    public async Task ReserveAsync_Spent_GrantedInTheOrderOfAsking()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        Task large = Ask(MemoryUse.Transient, 80);
        Task small = Ask(MemoryUse.Transient, 10);

        _budget.Release(MemoryUse.Transient, 20);
        Assert.False(small.IsCompleted); // it would fit, and must not overtake
        Assert.False(_budget.TryReserve(MemoryUse.Transient, 5));
        _budget.Release(MemoryUse.Transient, 60);
        await large.Within();
        Assert.False(small.IsCompleted);
        _budget.Release(MemoryUse.Transient, 20);

        await small.Within();
        Assert.Equal(90, _budget.ReservedBytes);
    }

    [Fact]
    public async Task ReserveAsync_FirstInLineCancelled_TheNextOneNeedsLessAndIsGranted()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 90));
        using CancellationTokenSource cancel = new();
        Task large = Ask(MemoryUse.Transient, 50, cancel.Token);
        Task small = Ask(MemoryUse.Transient, 10);
        Assert.False(small.IsCompleted);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => large.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        await small.Within();
        Assert.Equal(100, _budget.ReservedBytes);
    }

    [Fact]
    public async Task ReserveAsync_CancelledBefore_TakesNothing()
    {
        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => Ask(MemoryUse.Transient, 1, new CancellationToken(canceled: true)).Within());

        Assert.True(error.CancellationToken.IsCancellationRequested);
        Assert.Equal(0, _budget.ReservedBytes);
    }

    [Theory]
    [InlineData((int)MemoryUse.Transient, 101)]
    [InlineData((int)MemoryUse.ReadAhead, 51)]
    [InlineData((int)MemoryUse.Floor, 51)]
    public async Task ReserveAsync_MoreThanCanEverBeGranted_Error(int use, long bytes)
    {
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(() => Ask((MemoryUse)use, bytes).Within());

        Assert.Contains($"{bytes} B", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, _budget.ReservedBytes);
    }

    [Fact]
    public async Task ReserveAsync_ReadAheadHeldUpByItsOwnLimit_OthersPassIt()
    {
        Assert.True(_budget.TryReserve(MemoryUse.ReadAhead, 36));
        Task ahead = Ask(MemoryUse.ReadAhead, 10);

        // At once: the reader that would have to release something first may have stopped for good.
        await Ask(MemoryUse.Transient, 20).Within();
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 20));
        Assert.False(_budget.TryReserve(MemoryUse.ReadAhead, 1));

        Assert.False(ahead.IsCompleted);
        _budget.Release(MemoryUse.ReadAhead, 36);
        await ahead.Within();
    }

    [Fact]
    public async Task ReserveAsync_FloorBehindReadAhead_GoesFirst()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 90));
        Task ahead = Ask(MemoryUse.ReadAhead, 20);
        await Ask(MemoryUse.Floor, 10).Within();
        Task floor = Ask(MemoryUse.Floor, 15);

        _budget.Release(MemoryUse.Transient, 20);

        await floor.Within();
        Assert.False(ahead.IsCompleted);
    }

    [Fact]
    public async Task ReserveAsync_TwoFloorsWait_GrantedInTheOrderOfAsking()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        Task first = Ask(MemoryUse.Floor, 20);
        Task second = Ask(MemoryUse.Floor, 20);

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

        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(() => Ask(MemoryUse.Floor, 20).Within());

        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReserveAsync_WaitingFloorsFillTheLimit_ErrorInsteadOfAWaitThatEndsWithAnOpenStream()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        Task first = Ask(MemoryUse.Floor, 40);

        await Assert.ThrowsAsync<InvalidOperationException>(() => Ask(MemoryUse.Floor, 40).Within());

        Task behind = Ask(MemoryUse.Transient, 60);
        _budget.Release(MemoryUse.Transient, 100);
        await first.Within();
        await behind.Within(); // nothing stands in its way
    }

    [Fact]
    public async Task ReserveAsync_WaitingFloorCancelled_ItsPlaceIsFree()
    {
        Assert.True(_budget.TryReserve(MemoryUse.Transient, 100));
        using CancellationTokenSource cancel = new();
        Task first = Ask(MemoryUse.Floor, 40, cancel.Token);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.Within());

        Task second = Ask(MemoryUse.Floor, 40);
        _budget.Release(MemoryUse.Transient, 100);

        await second.Within();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task ReserveAsync_GrantRacesCancel_CreditIsNeitherLostNorMade(int seed)
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
                together.SignalAndWait(Deadline.Limit);
                Thread.SpinWait(spin);
                cancel.Cancel();
            });
            together.SignalAndWait(Deadline.Limit);
            Thread.SpinWait(25);
            budget.Release(MemoryUse.Transient, 10);
            await cancelling.Within();
            await ((Task)waiting).ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default).Within();

            Assert.Equal(waiting.IsCompletedSuccessfully ? 10 : 0, budget.ReservedBytes);
        }
    }

    private Task Ask(MemoryUse use, long bytes, CancellationToken cancellationToken = default) => _budget.ReserveAsync(use, bytes, cancellationToken).AsTask();
}
