using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

public sealed class AsyncSignalTests
{
    private readonly AsyncSignal _signal = new();

    [Fact]
    public async Task WaitAsync_AlreadySet_CompletesOnce()
    {
        _signal.Set();
        _signal.Set();

        Assert.True(_signal.WaitAsync(CancellationToken.None).AsTask().IsCompletedSuccessfully);

        Task second = _signal.WaitAsync(CancellationToken.None).AsTask();
        Assert.False(second.IsCompleted);
        Assert.True(_signal.HasWaiter);
        _signal.Set();
        await second.Within();
        Assert.False(_signal.HasWaiter);
    }

    [Fact]
    public async Task WaitAsync_Canceled_ThrowsWithTheTokenAndCanBeUsedAgain()
    {
        using CancellationTokenSource cancel = new();
        Task waiting = _signal.WaitAsync(cancel.Token).AsTask();

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        Task again = _signal.WaitAsync(CancellationToken.None).AsTask();
        _signal.Set();
        await again.Within();
    }

    [Fact]
    public void WaitAsync_AlreadyCanceled_LeavesNoWaiter()
    {
        Assert.True(_signal.WaitAsync(new CancellationToken(canceled: true)).AsTask().IsCanceled);

        Assert.False(_signal.HasWaiter);
    }

    [Fact]
    public async Task WaitAsync_Second_Throws()
    {
        Task waiting = _signal.WaitAsync(CancellationToken.None).AsTask();

        Assert.Throws<InvalidOperationException>(() => { _ = _signal.WaitAsync(CancellationToken.None).AsTask(); });

        _signal.Set();
        await waiting.Within();
    }

    [Fact]
    public async Task Set_ConcurrentWithWait_NoSignalIsLost()
    {
        const int items = 50_000;
        int produced = 0;
        Task producer = Task.Run(() =>
        {
            for (int i = 0; i < items; i++)
            {
                Interlocked.Increment(ref produced);
                _signal.Set();
            }
        });
        int seen = 0;
        while (seen < items)
        {
            int now = Volatile.Read(ref produced);
            if (now == seen)
            {
                await _signal.WaitAsync(CancellationToken.None).Within();
            }

            seen = now;
        }

        await producer.Within();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Set_ConcurrentWithCancellation_HasOneOutcomeAndRemainsUsable(int seed)
    {
        Random random = new(seed);
        for (int round = 0; round < 2000; round++)
        {
            using CancellationTokenSource cancel = new();
            Task waiting = _signal.WaitAsync(cancel.Token).AsTask();
            int spin = random.Next(40);
            Task cancelling = Task.Run(() =>
            {
                Thread.SpinWait(spin);
                cancel.Cancel();
            });
            Thread.SpinWait(random.Next(40));
            _signal.Set();
            await cancelling.Within();
            try
            {
                await waiting.Within();
            }
            catch (OperationCanceledException)
            {
                // The wait was canceled, so the signal remains set.
                Assert.True(_signal.WaitAsync(CancellationToken.None).AsTask().IsCompletedSuccessfully);
            }

            Assert.False(_signal.HasWaiter);
        }
    }
}
