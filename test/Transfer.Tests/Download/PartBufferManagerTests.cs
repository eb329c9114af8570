using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Download;

public sealed class PartBufferManagerTests : TransferTest
{
    private const int Part = 16;

    /// <summary>
    /// Another stream takes memory back while this stream's reader is busy. When the memory is released, the reader already waits for the part. There is no other
    /// memory, so only the floor is left to the stream.
    /// </summary>
    [Fact]
    public async Task GiveBack_ReaderHasBegunToWaitForThePart_ContinuesWithTheFloor()
    {
        ChunkPool pool = NewPool(Part);
        PartWindow window = new(new RequestQueue(8, Time), new TransferFlow(RequestDirection.Download), 4, isFixed: true);
        using PartBufferManager parts = await PartBufferManager.CreateAsync(pool, window, NewReporter(), CancellationToken.None);
        parts.Open(4 * Part, null);
        await FillAsync(parts, await AdmitAsync(), 0);
        Assert.True(parts.TryTake(out Chunk? held, out _));
        PartReservation arriving = await AdmitAsync();
        Assert.NotNull(parts.BeginPart(Part, Part, arriving));
        long rest = pool.Budget.CapacityBytes - pool.Budget.ReservedBytes;
        Assert.True(pool.Budget.TryReserve(MemoryUse.Transient, rest));
        Task<PartReservation> next = AdmitAsync();
        await parts.WaitAsync(holdsAll: true, CancellationToken.None); // what was signaled before
        Task reading = parts.WaitAsync(holdsAll: true, CancellationToken.None).AsTask();
        Assert.False(next.IsCompleted || reading.IsCompleted);

        parts.GiveBack(0);

        PartReservation floor = await next.Within();
        Assert.True(floor.IsFloor);
        Assert.Equal(Part, parts.NextOffset(2 * Part));
        await FillAsync(parts, floor, Part);
        await reading.Within();
        Assert.True(parts.TryTake(out Chunk? second, out _));
        second.Dispose();
        held.Dispose();
        arriving.Release();
        pool.Budget.Release(MemoryUse.Transient, rest);

        Task<PartReservation> AdmitAsync() => parts.AdmitAsync(Part, Part, CancellationToken.None).AsTask();
    }

    private static async Task FillAsync(PartBufferManager parts, PartReservation grant, long offset)
    {
        IPartWriter writer = parts.BeginPart(offset, Part, grant)!;
        Chunk chunk = await grant.Lease.RentAsync(CancellationToken.None);
        chunk.Advance(Part);
        await writer.WriteAsync(chunk, CancellationToken.None);
        writer.Wake(inline: false);
        using ContentVerifier verifier = new(new ObjectAddress(FakeS3.Bucket, FakeS3.Key), enabled: false);
        await writer.CompleteAsync(verifier.Begin(offset), CancellationToken.None);
        grant.Release();
        parts.PartFetched();
    }
}
