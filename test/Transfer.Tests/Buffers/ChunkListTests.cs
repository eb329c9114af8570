using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Buffers;

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

    private static byte[] ReadAll(ChunkList list)
    {
        List<byte> bytes = [];
        for (long at = 0; at < list.Length; at = bytes.Count)
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
