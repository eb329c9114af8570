using Transfer.Buffers;
using Transfer.Download;
using Transfer.Tests.Buffers;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Download;

public sealed class StreamMemoryTests : TransferTest
{
    private const int ChunkSize = 16;

    [Theory]
    [InlineData(1, 75)] // a quarter of the share
    [InlineData(10, 8)]
    [InlineData(100, 2)] // never less while there is as much
    public async Task AdmitAsync_ManyStreams_RangeUsesAllChunksOfItsLease(int streams, int chunks)
    {
        ChunkPool pool = NewPool(ChunkSize, 800 * ChunkSize);
        for (int i = 1; i < streams; i++)
        {
            pool.Budget.SetWants(pool.Budget.Add(new FakeOwner(), ChunkSize), true);
        }

        FakeOwner owner = new();
        using StreamMemory memory = new(pool, await StreamMemory.ReserveFloorAsync(pool, CancellationToken.None), owner, () => false, () => { });

        PartGrant grant = await memory.AdmitAsync(1 << 20, CancellationToken.None);

        Assert.Equal((chunks, (long)chunks * ChunkSize, false), (grant.Lease.Chunks, grant.Bytes, grant.IsFloor));
        grant.Release();
    }

    [Fact]
    public async Task AdmitAsync_PartOfOneChunk_HasAnotherOneForAStoreThatIgnoresTheRange()
    {
        ChunkPool pool = NewPool(ChunkSize);
        using StreamMemory memory = new(pool, await StreamMemory.ReserveFloorAsync(pool, CancellationToken.None), new FakeOwner(), () => false, () => { });

        PartGrant grant = await memory.AdmitAsync(1, CancellationToken.None);

        Assert.Equal(2, grant.Lease.Chunks);
        grant.Release();
    }
}
