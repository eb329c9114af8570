using System.Buffers;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Buffers;

public sealed class ChunkPoolTests : TransferTest
{
    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(15, 1)]
    [InlineData(16, 1)]
    [InlineData(17, 2)]
    [InlineData(5L * 1024 * 1024 * 1024, 335_544_320)]
    public void ChunksFor_Bytes_RoundsUpToAtLeastOne(long bytes, int chunks) => Assert.Equal(chunks, NewPool().ChunksFor(bytes));

    [Fact]
    public void RentedBytes_RentAndReturn_CountsRentedBytesAndKeepsThePeak()
    {
        ChunkPool pool = NewPool();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 3, revolving: true)!;
        Chunk[] chunks = [.. Enumerable.Range(0, 3).Select(_ => Rent(lease))];
        Assert.Equal(48, pool.RentedBytes);
        Assert.Equal(3, Arrays.Outstanding);

        chunks[0].Dispose();
        chunks[1].Dispose();
        Chunk again = Rent(lease);

        Assert.Equal(32, pool.RentedBytes);
        Assert.Equal(48, pool.PeakRentedBytes);
        Assert.Contains("2 chunks", pool.DescribeRented(), StringComparison.Ordinal);
        again.Dispose();
        chunks[2].Dispose();
        Assert.Equal(0, pool.RentedBytes);
    }

    [Fact]
    public void Rent_ReusedWrapper_StartsEmpty()
    {
        ChunkPool pool = NewPool();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 2, revolving: true)!;
        Chunk first = Rent(lease);
        Chunk second = Rent(lease);
        first.Append(new byte[16]);
        second.Append(new byte[3]);
        first.Link(null);
        second.Link(first);
        first.Dispose();
        second.Dispose();

        foreach (Chunk chunk in new[] { Rent(lease), Rent(lease) })
        {
            Assert.Equal(0, chunk.Length);
            Assert.Equal(16, chunk.Free.Length);
            Assert.Null(chunk.Next);
            Assert.Null(chunk.NextInQueue);
            Assert.Equal(0, chunk.RunningIndex);
            chunk.Dispose();
        }
    }

    [Fact]
    public void Rent_NoPoolGiven_UsesTheSharedOne()
    {
        ChunkPool pool = new(16, new MemoryBudget(1024));
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 1)!;
        using Chunk chunk = Rent(lease);

        Assert.Equal(0, Arrays.Rents);
        Assert.Equal(16, chunk.Free.Length);
        Assert.NotNull(ArrayPool<byte>.Shared);
    }

    [Fact]
    public async Task LeaseAsync_BudgetIsUsedUp_WaitsForMemory()
    {
        ChunkPool pool = NewPool(capacityBytes: 64);
        ChunkLease all = pool.TryLease(MemoryUse.Transient, 4)!;
        Assert.Null(pool.TryLease(MemoryUse.Transient, 1));
        Task<ChunkLease> waiting = pool.LeaseAsync(MemoryUse.Transient, 1, revolving: false, CancellationToken.None).AsTask();
        Assert.False(waiting.IsCompleted);

        all.Dispose();

        using ChunkLease granted = await waiting.Within();
        Assert.Equal(16, pool.Budget.ReservedBytes);
    }

    private static Chunk Rent(ChunkLease lease) => lease.TryRent(out Chunk? chunk) ? chunk : throw new InvalidOperationException("The lease has no chunk left.");
}
