using System.Buffers;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Buffers;

public sealed class ChunkLeaseTests : TransferTest
{
    [Fact]
    public void TryRent_PlainLease_ReturnedChunkCannotBeRentedAgain()
    {
        ChunkPool pool = NewPool();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 2)!;
        Assert.True(lease.TryRent(out Chunk? chunk));

        chunk.Dispose();

        Assert.Equal(16, pool.Budget.ReservedBytes);
        Assert.True(lease.TryRent(out Chunk? second));
        Assert.False(lease.TryRent(out _));
        second.Dispose();
        Assert.Equal(0, pool.Budget.ReservedBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRent_RevolvingLease_ReturnedChunkCanBeRentedAgain(bool isMadeRevolving)
    {
        ChunkPool pool = NewPool();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 1, revolving: !isMadeRevolving)!;
        if (isMadeRevolving)
        {
            lease.Revolve();
        }

        for (int round = 0; round < 5; round++)
        {
            Assert.True(lease.TryRent(out Chunk? chunk));
            Assert.False(lease.TryRent(out _));
            chunk.Dispose();
            Assert.Equal(16, pool.Budget.ReservedBytes);
        }
    }

    /// <summary>The credit of a part is returned during a pause, and taken again afterward.</summary>
    [Fact]
    public async Task TryReturnCredit_RevolvingLease_IsReturnedOnlyWhileNoChunkIsRented()
    {
        ChunkPool pool = NewPool();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 2, revolving: true)!;
        Assert.True(lease.TryRent(out Chunk? chunk));
        Assert.False(lease.TryReturnCredit());
        chunk.Dispose();

        Assert.True(lease.TryReturnCredit());

        Assert.Equal(0, pool.Budget.ReservedBytes);
        Assert.False(lease.TryReturnCredit());
        await lease.TakeCreditAgainAsync(CancellationToken.None).AsTask().Within();
        Assert.Equal(32, pool.Budget.ReservedBytes);
        Assert.True(lease.TryRent(out chunk));
        chunk.Dispose();
        using ChunkLease plain = pool.TryLease(MemoryUse.Transient, 1)!;
        Assert.False(plain.TryReturnCredit());
    }

    /// <summary>The share counts the memory, so only its owner can return it.</summary>
    [Fact]
    public void TryReturnCredit_LeaseOfAShare_IsNotReturned()
    {
        ChunkPool pool = NewPool();
        using MemoryShare share = pool.Budget.Add(new FakeOwner(), 16);
        pool.RequestAhead(share, 1);
        using ChunkLease lease = pool.TakeGranted(share)!;
        lease.Revolve();

        Assert.False(lease.TryReturnCredit());
        Assert.Equal(16, share.HeldBytes);
    }

    /// <summary>The stream doesn't hold the memory anymore, but it isn't free before the fetch has returned its chunk.</summary>
    [Fact]
    public void GiveUp_ChunkIsRented_IsInTransitUntilItIsReturned()
    {
        ChunkPool pool = NewPool();
        using MemoryShare share = pool.Budget.Add(new FakeOwner(), 16);
        pool.RequestAhead(share, 2);
        using ChunkLease lease = pool.TakeGranted(share)!;
        Assert.True(lease.TryRent(out Chunk? chunk));

        lease.GiveUp();

        Assert.EachEqual((0L, 32L), (share.HeldBytes, pool.Budget.ReservedBytes));
        chunk.Dispose();
        lease.Dispose();
        Assert.Equal(0, pool.Budget.ReservedBytes);
    }

    [Fact]
    public async Task RentAsync_RevolvingLeaseIsEmpty_WaitsForAReturnedChunk()
    {
        using ChunkLease lease = NewPool().TryLease(MemoryUse.Transient, 1, revolving: true)!;
        Chunk first = await lease.RentAsync(CancellationToken.None).Within();
        Task<Chunk> second = lease.RentAsync(CancellationToken.None).AsTask();
        Assert.False(second.IsCompleted);

        first.Dispose();

        (await second.Within()).Dispose();
    }

    [Fact]
    public async Task RentAsync_CanceledWhileWaiting_ThrowsWithTheTokenAndLosesNothing()
    {
        using ChunkLease lease = NewPool().TryLease(MemoryUse.Transient, 1, revolving: true)!;
        using CancellationTokenSource cancel = new();
        Chunk first = await lease.RentAsync(CancellationToken.None).Within();
        Task<Chunk> second = lease.RentAsync(cancel.Token).AsTask();

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        first.Dispose();
        (await lease.RentAsync(CancellationToken.None).Within()).Dispose();
    }

    [Fact]
    public void TryGrow_BudgetHasRoom_OneMoreChunk()
    {
        ChunkPool pool = NewPool(capacityBytes: 32);
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 1)!;

        Assert.True(lease.TryGrow());
        Assert.False(lease.TryGrow());

        Assert.True(lease.TryRent(out Chunk? one));
        Assert.True(lease.TryRent(out Chunk? two));
        Assert.False(lease.TryRent(out _));
        one.Dispose();
        two.Dispose();
    }

    [Fact]
    public void TryGrow_RevolvingOrDisposed_TakesNothing()
    {
        ChunkPool pool = NewPool();
        ChunkLease revolving = pool.TryLease(MemoryUse.Transient, 1, revolving: true)!;
        Assert.False(revolving.TryGrow());
        revolving.Dispose();
        ChunkLease plain = pool.TryLease(MemoryUse.Transient, 1)!;
        plain.Dispose();

        Assert.False(plain.TryGrow());

        Assert.Equal(0, pool.Budget.ReservedBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Dispose_ChunksAreRented_ReleasesTheirMemoryWhenTheyAreReturned(bool revolving)
    {
        ChunkPool pool = NewPool();
        ChunkLease lease = pool.TryLease(MemoryUse.Transient, 3, revolving)!;
        Assert.True(lease.TryRent(out Chunk? chunk));

        lease.Dispose();
        lease.Dispose();

        Assert.Equal(16, pool.Budget.ReservedBytes);
        Assert.Throws<ObjectDisposedException>(() => lease.TryRent(out _));
        chunk.Dispose();
        Assert.Equal(0, pool.Budget.ReservedBytes);
    }

    [Fact]
    public async Task WhenChangedAsync_ChunksAreRented_CompletesWhenTheLastIsReturned()
    {
        using ChunkLease lease = NewPool().TryLease(MemoryUse.Floor, 2, revolving: true)!;
        Assert.True(IsIdle(lease));
        await WhenIdleAsync(lease, CancellationToken.None).Within();
        Assert.True(lease.TryRent(out Chunk? one));
        Assert.True(lease.TryRent(out Chunk? two));
        Task idle = WhenIdleAsync(lease, CancellationToken.None);

        one.Dispose();
        Assert.False(idle.IsCompleted);
        Assert.False(IsIdle(lease));
        two.Dispose();

        await idle.Within();
        Assert.True(IsIdle(lease));
    }

    [Fact]
    public async Task TryClaim_NothingRentedYet_IsNotIdleUntilReleased()
    {
        using ChunkLease lease = NewPool().TryLease(MemoryUse.Floor, 2, revolving: true)!;
        Assert.True(lease.TryClaim());
        Assert.False(IsIdle(lease));
        Assert.False(lease.TryClaim());
        Task idle = WhenIdleAsync(lease, CancellationToken.None);
        Assert.True(lease.TryRent(out Chunk? chunk));

        lease.Unclaim();
        Assert.False(idle.IsCompleted);
        Assert.False(lease.TryClaim());
        chunk.Dispose();

        await idle.Within();
        Assert.True(lease.TryClaim());
    }

    [Fact]
    public async Task WhenChangedAsync_Canceled_ThrowsWithTheToken()
    {
        using ChunkLease lease = NewPool().TryLease(MemoryUse.Floor, 1, revolving: true)!;
        Assert.True(lease.TryRent(out Chunk? chunk));
        using CancellationTokenSource cancel = new();
        Task idle = WhenIdleAsync(lease, cancel.Token);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => idle.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        chunk.Dispose();
    }

    [Fact]
    public void TryRent_PoolHasNoArrays_DoesNotLoseTheReservation()
    {
        FailingArrays arrays = new() { Fails = true };
        ChunkPool pool = new(16, new MemoryBudget(64), arrays);
        ChunkLease lease = pool.TryLease(MemoryUse.Transient, 2)!;
        for (int i = 0; i < 5; i++)
        {
            Assert.Throws<IOException>(() => lease.TryRent(out _));
        }

        arrays.Fails = false;
        Assert.True(lease.TryRent(out Chunk? first) & lease.TryRent(out Chunk? second));
        first!.Dispose();
        second!.Dispose();
        lease.Dispose();

        Assert.Equal(0, pool.Budget.ReservedBytes);
    }

    private static async Task WhenIdleAsync(ChunkLease lease, CancellationToken cancellationToken)
    {
        while (!IsIdle(lease))
        {
            await lease.WhenChangedAsync(cancellationToken);
        }
    }

    private static bool IsIdle(ChunkLease lease)
    {
        bool isIdle = lease.TryClaim();
        if (isIdle)
        {
            lease.Unclaim();
        }

        return isIdle;
    }

    private sealed class FailingArrays : ArrayPool<byte>
    {
        public bool Fails { get; set; }

        public override byte[] Rent(int minimumLength) => Fails ? throw new IOException() : new byte[minimumLength];

        public override void Return(byte[] array, bool clearArray = false)
        {
        }
    }
}
