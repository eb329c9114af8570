namespace Transfer.S3.Tests.Ranges;

public sealed class RangeBufferTests : RangeTest
{
    [Fact]
    public async Task Dispose_SharedChunks_AreReturnedWithTheirLastBuffer()
    {
        byte[] content = S3.Put(10 * Chunk);
        ObjectRange[] ranges = [ObjectRange.From(0, 3 * Chunk), ObjectRange.From(2 * Chunk, 3 * Chunk), ObjectRange.From(2 * Chunk, 1)];
        TransferClient client = NewClient();
        using RangeBuffers buffers = await ReadAsync(client, ranges).Within();
        Assert.Equal(5 * Chunk, client.RentedBytes);

        buffers[0].Dispose();
        Assert.Equal(3 * Chunk, client.RentedBytes);
        AssertSame(content, ranges, buffers[1]);
        AssertSame(content, ranges, buffers[2]);

        buffers[1].Dispose();
        buffers[1].Dispose();
        Assert.Equal(Chunk, client.RentedBytes);
        AssertSame(content, ranges, buffers[2]);

        buffers.Dispose();
        buffers.Dispose();
        Assert.Equal(0, client.RentedBytes);
        Assert.Equal(0, client.Context.Pool.Budget.ReservedBytes);
    }

    [Fact]
    public async Task Data_Disposed_Throws()
    {
        S3.Put(10);
        using RangeBuffers buffers = await ReadAsync(NewClient(), [ObjectRange.From(0, 10), ObjectRange.From(0, 10)]).Within();

        buffers[0].Dispose();

        Assert.Throws<ObjectDisposedException>(() => buffers[0].Data);
        Assert.Equal(10, buffers[1].Data.Length);
        Assert.EachEqual((0, 10), (buffers[0].Offset, buffers[0].Length));
    }

    [Fact]
    public async Task Data_SeveralRequests_PositionsAreConsistent()
    {
        byte[] content = S3.Put(Far);
        ObjectRange[] ranges = [ObjectRange.From(7), ObjectRange.From(100_000, 60_000)];
        using RangeBuffers buffers = await ReadAsync(NewClient(), ranges, new RangeReadOptions { MaxCoalescedBytes = 128 * 1024 }).Within();

        foreach (RangeBuffer buffer in buffers)
        {
            System.Buffers.SequenceReader<byte> reader = new(buffer.Data);
            foreach (byte expected in Slice(content, ranges[buffer.Index]))
            {
                Assert.True(reader.TryRead(out byte actual));
                Assert.Equal(expected, actual);
            }

            Assert.True(reader.End);
            Assert.Equal(content[buffer.Offset + 9000], buffer.Data.Slice(9000).FirstSpan[0]);
        }
    }
}
