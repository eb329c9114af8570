using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Buffers;

public sealed class ChunkedBufferStreamTests : TransferTest
{
    [Fact]
    public async Task Read_ChunksOfAnyLength_ReturnsBytesInOrder()
    {
        ChunkPool pool = NewPool();
        byte[] content = Sample.Bytes(100);
        using ChunkedBufferStream stream = new();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 50)!;
        int[] lengths = [16, 1, 15, 16, 16, 3, 16, 16, 1];
        int at = 0;
        foreach (int length in lengths)
        {
            stream.Write(Chunk(lease, content.AsSpan(at, length)));
            stream.Wake();
            at += length;
        }

        stream.Complete();

        byte[] read = new byte[101];
        Assert.Equal(100, await stream.ReadAtLeastAsync(read, 101, throwOnEndOfStream: false).AsTask().Within());
        Assert.Equal(content, read[..100]);
        Assert.Equal(100, stream.BytesWritten);
        Assert.Equal(0, pool.RentedBytes);
    }

    [Fact]
    public async Task ReadAsync_NoData_WaitsForTheWriter()
    {
        using ChunkedBufferStream stream = new();
        using ChunkLease lease = NewPool().TryLease(MemoryUse.Transient, 1)!;
        byte[] buffer = new byte[4];
        Task<int> reading = stream.ReadAsync(buffer).AsTask();
        Assert.False(reading.IsCompleted);
        Assert.True(stream.IsStarved);

        stream.Write(Chunk(lease, [1, 2]));

        stream.Wake();

        Assert.Equal(2, await reading.Within());
        Assert.False(stream.IsStarved);
    }

    [Fact]
    public async Task ReadAsync_CompletedWhileWaiting_ReturnsZero()
    {
        using ChunkedBufferStream stream = new();
        Task<int> reading = stream.ReadAsync(new byte[4]).AsTask();

        stream.Complete();

        Assert.Equal(0, await reading.Within());
        Assert.Equal(0, await stream.ReadAsync(new byte[4]).Within());
    }

    [Fact]
    public async Task ReadAsync_CompletedWithError_ThrowsItInsteadOfReturningUnreadData()
    {
        using ChunkedBufferStream stream = new();
        using ChunkLease lease = NewPool().TryLease(MemoryUse.Transient, 1)!;
        stream.Write(Chunk(lease, [1, 2]));
        stream.Wake();
        IOException error = new("broken");

        stream.Complete(error);
        stream.Complete();

        Assert.Same(error, await Assert.ThrowsAsync<IOException>(() => stream.ReadAsync(new byte[4]).AsTask().Within()));
    }

    [Fact]
    public async Task Dispose_ReadIsWaiting_EndsTheRead()
    {
        ChunkedBufferStream stream = new();
        Task<int> reading = stream.ReadAsync(new byte[4]).AsTask();

        await stream.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading.Within());
    }

    [Fact]
    public async Task Dispose_WriterStillWrites_ReturnsEveryChunk()
    {
        ChunkPool pool = NewPool();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 4, revolving: true)!;
        ChunkedBufferStream stream = new();
        Gate read = new();
        Task writing = Task.Run(async () =>
        {
            for (int i = 0; i < 1000; i++)
            {
                stream.Write(Chunk(await lease.RentAsync(CancellationToken.None), [(byte)1]));
                stream.Wake();
                if (i == 3)
                {
                    await read.PassAsync(CancellationToken.None);
                }
            }
        });
        await read.Reached;
        await stream.ReadExactlyAsync(new byte[2]).Within();
        read.Open();

        await stream.DisposeAsync();
        await stream.DisposeAsync();

        await writing.Within();
        Assert.Equal(0, pool.RentedBytes);
    }

    [Fact]
    public void Write_AfterComplete_ThrowsAndReturnsTheChunk()
    {
        ChunkPool pool = NewPool();
        using ChunkedBufferStream stream = new();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 1)!;
        stream.Complete();

        Assert.Throws<InvalidOperationException>(() => stream.Write(Chunk(lease, [1])));

        Assert.Equal(0, pool.RentedBytes);
    }

    [Fact]
    public void TryTake_Chunks_CallerOwnsThem()
    {
        ChunkPool pool = NewPool();
        ChunkedBufferStream stream = new();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 2)!;
        Assert.False(stream.TryTake(out _, out bool ended));
        Assert.False(ended);
        stream.Write(Chunk(lease, [1]));
        stream.Wake();
        stream.Write(Chunk(lease, [2]));
        stream.Wake();
        stream.Complete();

        Assert.True(stream.TryTake(out Chunk? first, out ended));
        Assert.False(ended);
        Assert.Null(first.NextInQueue);
        stream.Dispose();

        Assert.Equal(16, pool.RentedBytes);
        Assert.Equal(new byte[] { 1 }, first.Filled.ToArray());
        first.Dispose();
        Assert.False(stream.TryTake(out _, out ended));
        Assert.True(ended);
    }

    [Fact]
    public async Task IsWatched_False_WriterSignalsNoReader()
    {
        AsyncSignal signal = new();
        using ChunkedBufferStream stream = new(signal) { IsWatched = false };
        using ChunkLease lease = NewPool().TryLease(MemoryUse.Transient, 2)!;
        Task waiting = signal.WaitAsync(CancellationToken.None).AsTask();

        stream.Write(Chunk(lease, [1]));

        stream.Wake();
        Assert.False(waiting.IsCompleted);
        Assert.False(stream.IsStarved);
        stream.IsWatched = true;
        stream.Write(Chunk(lease, [1]));
        stream.Wake();

        await waiting.Within();
    }

    private static Chunk Chunk(ChunkLease lease, ReadOnlySpan<byte> bytes)
    {
        Assert.True(lease.TryRent(out Chunk? chunk));
        return Chunk(chunk, bytes);
    }

    private static Chunk Chunk(Chunk chunk, ReadOnlySpan<byte> bytes)
    {
        chunk.Append(bytes);
        return chunk;
    }
}
