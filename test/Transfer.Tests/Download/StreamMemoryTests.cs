using Transfer.S3.Buffers;
using Transfer.S3.Download;
using Transfer.S3.Tests.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

public sealed class StreamMemoryTests : TransferTest
{
    private const int Chunk = 16;

    /// <summary>
    /// A thread finds that nothing is being fetched for a reader that waits. Before the thread can report that, the reader continues with the last data of the fetch.
    /// No wait would end the state again, and a reader that is in the state already can't get its place in the order of stuck readers.
    /// </summary>
    [Fact]
    public async Task LookWhetherStuck_ReaderContinuesMeanwhile_IsStuckOnlyInTheNextWait()
    {
        ChunkPool pool = NewPool(Chunk);
        TaskCompletionSource readable = new();
        Func<bool> isFetching = () => true;
        ChunkLease floor = await StreamMemory.ReserveFloorAsync(pool, CancellationToken.None);
        StreamOwner owner = new(() => isFetching());
        using StreamMemory memory = new(pool, floor, owner, new AsyncSignal());
        owner.Memory = memory;
        MemoryShare busy = pool.Budget.Add(new FakeOwner { IsStarved = true }, Chunk);
        long held = FakeOwner.Fill(busy);
        PartReservation first = await memory.AdmitAsync(Chunk, CancellationToken.None).AsTask().Within();
        Assert.True(first.IsFloor);
        Task<PartReservation> next = memory.AdmitAsync(Chunk, CancellationToken.None).AsTask();
        Task reading = memory.WaitHoldingAsync(new ValueTask(readable.Task)).AsTask();
        isFetching = () =>
        {
            readable.SetResult(); // the reader continues inside this call
            return false;
        };

        await Task.Run(memory.LookWhetherStuck); // xUnit's context would run the reader later

        Assert.True(reading.IsCompletedSuccessfully);
        Assert.False(next.IsCompleted);
        isFetching = () => false;
        readable = new TaskCompletionSource();
        reading = memory.WaitHoldingAsync(new ValueTask(readable.Task)).AsTask();
        PartReservation granted = await next.Within();
        Assert.False(granted.IsFloor);
        readable.SetResult();
        await reading.Within();
        granted.Release();
        first.Release();
        pool.Budget.ReleaseAhead(busy, held);
    }

    private sealed class StreamOwner(Func<bool> isFetching) : IReadAheadOwner
    {
        public StreamMemory? Memory { get; set; }

        public bool IsStarved => false;

        public bool IsStuck => Memory!.MayBeStuck && !isFetching();

        public void GiveBack(long mostBytes)
        {
            // This stream holds nothing.
        }

        public void RanOut() => Memory!.LookAtFloor();
    }
}
