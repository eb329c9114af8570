using System.Buffers;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Buffers;

public sealed class ChunkTests : TransferTest
{
    [Fact]
    public void Free_ArrayIsLonger_IsTheChunkSize()
    {
        using Rented rented = new(NewPool());

        Assert.Equal(16, rented.Chunk.Capacity);
        Assert.Equal(16, rented.Chunk.Free.Length);
        Assert.Equal(0, rented.Chunk.Filled.Length);
        Assert.False(rented.Chunk.IsFull);
    }

    [Fact]
    public void Advance_AfterWriting_MovesBytesFromFreeToFilled()
    {
        using Rented rented = new(NewPool());
        byte[] content = Sample.Bytes(16);

        content.AsSpan(0, 5).CopyTo(rented.Chunk.Free.Span);
        rented.Chunk.Advance(5);
        content.AsSpan(5).CopyTo(rented.Chunk.Free.Span);
        rented.Chunk.Advance(11);

        Assert.Equal(content, rented.Chunk.Filled.ToArray());
        Assert.True(rented.Chunk.IsFull);
        Assert.True(rented.Chunk.Free.IsEmpty);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(15, 15)]
    [InlineData(16, 16)]
    [InlineData(17, 16)]
    public void Append_AnyLength_CopiesWhatFits(int length, int taken)
    {
        using Rented rented = new(NewPool());
        byte[] content = Sample.Bytes(length);

        Assert.Equal(taken, rented.Chunk.Append(content));

        Assert.Equal(content[..taken], rented.Chunk.Filled.ToArray());
    }

    [Fact]
    public void Link_ThreeChunks_FormOneSequence()
    {
        ChunkPool pool = NewPool();
        using Rented one = new(pool), two = new(pool), three = new(pool);
        byte[] content = Sample.Bytes(30);
        one.Chunk.Append(content.AsSpan(0, 16));
        two.Chunk.Append(content.AsSpan(16, 3));
        three.Chunk.Append(content.AsSpan(19, 11));

        one.Chunk.Link(null);
        two.Chunk.Link(one.Chunk);
        three.Chunk.Link(two.Chunk);

        ReadOnlySequence<byte> sequence = new(one.Chunk, 0, three.Chunk, three.Chunk.Length);
        Assert.Equal(content, sequence.ToArray());
        Assert.Equal(content[17..], sequence.Slice(17).ToArray());
    }

    [Fact]
    public void Relink_AfterAppend_SequenceIncludesTheBytes()
    {
        using Rented rented = new(NewPool());
        rented.Chunk.Append(new byte[] { 1, 2 });
        rented.Chunk.Link(null);

        rented.Chunk.Append(new byte[] { 3 });
        Assert.Equal(2, rented.Chunk.Memory.Length);
        rented.Chunk.Relink();

        Assert.Equal(new byte[] { 1, 2, 3 }, rented.Chunk.Memory.ToArray());
    }

    [Fact]
    public async Task Dispose_FromManyThreads_ReturnsOnce()
    {
        ChunkPool pool = NewPool();
        for (int round = 0; round < 200; round++)
        {
            using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 1)!;
            Assert.True(lease.TryRent(out Chunk? chunk));
            using Barrier together = new(3);
            await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => Task.Factory.StartNew(
                () =>
                {
                    together.SignalAndWait(Deadline.Longest);
                    chunk.Dispose();
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default))).Within();
        }

        Assert.Equal(0, pool.RentedBytes);
    }

    [Fact]
    public void Use_AfterDispose_Throws()
    {
        ChunkPool pool = NewPool();
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 1)!;
        Assert.True(lease.TryRent(out Chunk? chunk));
        chunk.Dispose();

        Assert.Throws<ObjectDisposedException>(() => chunk.Free);
        Assert.Throws<ObjectDisposedException>(() => chunk.Filled);
        Assert.Throws<ObjectDisposedException>(() => chunk.Append(new byte[1]));
        Assert.Throws<ObjectDisposedException>(() => chunk.Link(null));
    }

    private sealed class Rented : IDisposable
    {
        private readonly ChunkLease _lease;

        public Rented(ChunkPool pool)
        {
            _lease = pool.TryLease(MemoryUse.Transient, 1)!;
            Assert.True(_lease.TryRent(out Chunk? chunk));
            Chunk = chunk;
        }

        public Chunk Chunk { get; }

        public void Dispose()
        {
            Chunk.Dispose();
            _lease.Dispose();
        }
    }
}
