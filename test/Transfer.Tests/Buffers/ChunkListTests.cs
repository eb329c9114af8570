using System.Buffers;
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
    public async Task AsSequence_Filled_TheBytesInOrder(int length)
    {
        byte[] content = Sample.Bytes(length);
        using ChunkList list = await FillAsync(NewPool(), content);

        Assert.Equal(length, list.Length);
        Assert.Equal(content, list.AsSequence().ToArray());
        Assert.Equal(content, list.AsSequence().ToArray());
    }

    [Fact]
    public async Task Dispose_Twice_ReturnsChunksAndWhatWasNotUsed()
    {
        ChunkPool pool = NewPool();
        ChunkList list = await FillAsync(pool, Sample.Bytes(20));
        Assert.NotEqual(0, pool.RentedBytes);

        list.Dispose();
        list.Dispose();

        Assert.Equal(0, pool.Budget.ReservedBytes);
        Assert.Throws<ObjectDisposedException>(() => list.AsSequence());
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
