using Transfer.Buffers;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Buffers;

public sealed class ChunkListTests : TransferTest
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(33)]
    [InlineData(48)]
    public async Task Read_Filled_ReturnsTheBytesInOrder(int length)
    {
        byte[] content = Sample.Bytes(length);
        using ChunkList list = await FillAsync(NewPool(), content);

        Assert.Equal(length, list.Length);
        Assert.Equal(content, ReadAll(list));
        Assert.Equal(content, ReadAll(list));
    }

    [Fact]
    public async Task Dispose_Twice_ReturnsUsedAndUnusedChunksOnce()
    {
        ChunkPool pool = NewPool();
        ChunkList list = await FillAsync(pool, Sample.Bytes(20));
        Assert.NotEqual(0, pool.RentedBytes);

        list.Dispose();
        list.Dispose();

        Assert.Equal(0, pool.Budget.ReservedBytes);
        Assert.Throws<ObjectDisposedException>(() => list.Read(0));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(15, 0)]
    [InlineData(16, 1)]
    [InlineData(33, 2)]
    [InlineData(39, 2)]
    public async Task Release_Offset_ReturnsThePrecedingChunks(int offset, int chunks)
    {
        ChunkPool pool = NewPool();
        byte[] content = Sample.Bytes(40);
        using ChunkList list = await FillAsync(pool, content);

        list.Release(offset);
        list.Release(offset);
        list.Release(0);

        Assert.Equal((chunks * 16, (3 - chunks) * 16), (list.ReleasedBytes, (int)pool.RentedBytes));
        Assert.Equal((3 - chunks) * 16, pool.Budget.ReservedBytes);
        Assert.Equal(content[(chunks * 16)..], ReadAll(list));
    }

    [Fact]
    public async Task Dispose_ReleasedChunkWasRentedAgain_DoesNotReturnIt()
    {
        ChunkPool pool = NewPool();
        ChunkList list = await FillAsync(pool, Sample.Bytes(32));
        list.Release(32);
        using ChunkList other = await FillAsync(pool, Sample.Bytes(32, 2));

        list.Dispose();

        Assert.Equal(Sample.Bytes(32, 2), ReadAll(other));
        Assert.Equal(32, pool.RentedBytes);
    }

    [Fact]
    public async Task Keep_ReleasedChunks_CanBeRentedAgain()
    {
        ChunkPool pool = NewPool();
        using ChunkList list = await FillAsync(pool, Sample.Bytes(48));
        list.Keep(2);
        Assert.False(list.TryRentKept(out _));

        list.Release(48);

        Assert.Equal((0, 32), (pool.RentedBytes, pool.Budget.ReservedBytes));
        Assert.True(list.TryRentKept(out Chunk? first));
        Assert.True(list.TryRentKept(out Chunk? second));
        Assert.False(list.TryRentKept(out _));
        first.Dispose();
        second.Dispose();
        Assert.Equal((0, 32), (pool.RentedBytes, pool.Budget.ReservedBytes));
    }

    private static byte[] ReadAll(ChunkList list)
    {
        List<byte> bytes = [];
        for (long at = list.ReleasedBytes; at < list.Length; at = list.ReleasedBytes + bytes.Count)
        {
            bytes.AddRange(list.Read(at).Span);
        }

        return [.. bytes];
    }

    private static async Task<ChunkList> FillAsync(ChunkPool pool, byte[] content)
    {
        ChunkList list = new(pool.TryLease(MemoryUse.Transient, pool.ChunksFor(content.Length))!);
        for (int at = 0; at < content.Length;)
        {
            Memory<byte> memory = await list.GetMemoryAsync(CancellationToken.None).Within();
            int step = Math.Min(Math.Min(memory.Length, 5), content.Length - at);
            content.AsSpan(at, step).CopyTo(memory.Span);
            list.Advance(step);
            at += step;
        }

        return list;
    }
}
