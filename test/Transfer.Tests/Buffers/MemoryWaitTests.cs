using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

/// <summary>How a wait for memory ends if no memory becomes available.</summary>
public sealed class MemoryWaitTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);
    private readonly SteppedClock _time = new();
    private readonly MemoryBudget _budget;
    private bool _isIdle = true;

    public MemoryWaitTests() => _budget = new MemoryBudget(800, new MemoryWaitLimit(_time, Limit, () => _isIdle));

    [Theory]
    [InlineData((int)MemoryUse.Floor, 250, (int)MemoryUse.Unfinished)]
    [InlineData((int)MemoryUse.Transient, 500, (int)MemoryUse.Unfinished)]
    [InlineData((int)MemoryUse.Unfinished, 100, (int)MemoryUse.Unfinished)]
    [InlineData((int)MemoryUse.Transient, 500, (int)MemoryUse.Floor)]
    public async Task Wait_IdleCallersHoldTheMemory_ErrorNamesTheOptionAndTheHolders(int use, long bytes, int heldBy)
    {
        await _budget.ReserveAsync((MemoryUse)heldBy, 400, CancellationToken.None);
        _isIdle = false; // requests of other transfers can't free memory that callers hold
        Task waiting = _budget.ReserveAsync((MemoryUse)use, bytes, CancellationToken.None).AsTask();

        await AdvanceAsync();
        _budget.NoteRent(MemoryUse.Transient); // other transfers make progress, which doesn't help
        Assert.False(waiting.IsCompleted);
        await AdvanceAsync();

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => waiting.Within());
        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
        Assert.Contains(heldBy == (int)MemoryUse.Unfinished ? "open writers and source streams (400 B)" : "open streams (400 B)", error.Message, StringComparison.Ordinal);
        _budget.Release((MemoryUse)heldBy, 400);
        Assert.Equal(0, _budget.ReservedBytes);
        Assert.Equal(0, _time.ArmedTimers);
    }

    [Fact]
    public async Task Wait_CallerIsSlow_ContinuesWhileItMakesProgress()
    {
        await _budget.ReserveAsync(MemoryUse.Unfinished, 400, CancellationToken.None);
        Task waiting = _budget.ReserveAsync(MemoryUse.Unfinished, 100, CancellationToken.None).AsTask();
        for (int i = 0; i < 10; i++)
        {
            await AdvanceAsync();
            _budget.NoteRent(MemoryUse.Unfinished);
        }

        _budget.Convert(MemoryUse.Unfinished, MemoryUse.Transient, 400);

        await waiting.Within();
    }

    [Fact]
    public async Task Wait_TransfersHoldTheMemory_ContinuesWhileRequestsAreInFlight()
    {
        await _budget.ReserveAsync(MemoryUse.Transient, 800, CancellationToken.None);
        Task waiting = _budget.ReserveAsync(MemoryUse.Transient, 100, CancellationToken.None).AsTask();
        _isIdle = false;
        for (int i = 0; i < 10; i++)
        {
            await AdvanceAsync();
        }

        _isIdle = true;
        await AdvanceAsync();
        Assert.False(waiting.IsCompleted);
        await AdvanceAsync();

        await Assert.ThrowsAsync<MemoryLimitException>(() => waiting.Within());
    }

    [Fact]
    public async Task Wait_StreamHasItsFloor_DoesNotTimeOut()
    {
        await _budget.ReserveAsync(MemoryUse.Unfinished, 400, CancellationToken.None);
        MemoryShare other = _budget.Add(new FakeOwner { IsStarved = true }, unitBytes: 1);
        MemoryShare share = _budget.Add(new FakeOwner(), unitBytes: 1);
        FakeOwner.Fill(other);
        Task<long> waiting = FakeOwner.AskAsync(share, 10, CancellationToken.None);
        for (int i = 0; i < 10; i++)
        {
            await AdvanceAsync();
        }

        Assert.False(waiting.IsCompleted);
        _budget.ReleaseAhead(other, 10);
        Assert.Equal(10, await waiting.Within());
    }

    [Fact]
    public async Task Wait_ReaderIsStuckBehindWriters_Throws()
    {
        await _budget.ReserveAsync(MemoryUse.Unfinished, 400, CancellationToken.None);
        MemoryShare share = _budget.Add(new FakeOwner(), unitBytes: 1);
        FakeOwner.Fill(share);
        Task<long> waiting = FakeOwner.AskAsync(share, 10, CancellationToken.None);
        FakeOwner.SetStuck(share);
        await AdvanceAsync();
        Assert.False(waiting.IsCompleted);
        await AdvanceAsync();

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => waiting.Within());
        Assert.Contains("consumed none", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_SeveralReadersGotStuckBeforeAndAreAway_BorrowsAfterOneLook()
    {
        MemoryShare other = _budget.Add(new FakeOwner { IsStarved = true }, unitBytes: 1);
        FakeOwner.Fill(other);
        for (int i = 0; i < 3; i++)
        {
            MemoryShare away = _budget.Add(new FakeOwner(), unitBytes: 1);
            FakeOwner.SetStuck(away);
            FakeOwner.SetStuck(away, isStuck: false); // its caller has received data, and doesn't come back
        }

        MemoryShare share = _budget.Add(new FakeOwner(), unitBytes: 1);
        FakeOwner.SetStuck(share);
        Task<long> waiting = FakeOwner.AskAsync(share, 10, CancellationToken.None);
        Assert.False(waiting.IsCompleted);

        await AdvanceAsync();

        Assert.Equal(10, await waiting.Within());
    }

    [Fact]
    public async Task Wait_ReaderBecomesIdle_ReturnsMemoryThatAnotherUseNeeds()
    {
        FakeOwner owner = new() { IsStarved = true };
        MemoryShare share = _budget.Add(owner, unitBytes: 1);
        owner.GivesBack = mostBytes => FakeOwner.Shrink(share, mostBytes);
        FakeOwner.Fill(share);
        Task waiting = _budget.ReserveAsync(MemoryUse.Transient, 700, CancellationToken.None).AsTask();
        Assert.False(waiting.IsCompleted);
        owner.IsStarved = false;

        await AdvanceAsync();

        await waiting.Within();
    }

    private Task AdvanceAsync() => _time.AdvanceToTimerAsync(Limit / 2);
}
