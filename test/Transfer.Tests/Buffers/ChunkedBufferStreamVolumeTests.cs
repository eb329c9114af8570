using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Buffers;

/// <summary>Must not run in parallel with other tests, because it inspects the heap of the process.</summary>
[Collection(nameof(ChunkedBufferStreamVolumeTests))]
[CollectionDefinition(nameof(ChunkedBufferStreamVolumeTests), DisableParallelization = true)]
public sealed class ChunkedBufferStreamVolumeTests : TransferTest
{
    [Fact]
    public async Task Read_MoreThan2GiB_ReturnsBytesInOrderWithFewChunksAndNoLargeObjects()
    {
        const int chunkSize = 64 * 1024;
        const long length = (2L * 1024 * 1024 * 1024) + (3 * chunkSize) + 5;
        ChunkPool pool = NewPool(chunkSize, 16 * chunkSize);
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, 16, revolving: true)!;
        ChunkedBufferStream stream = new();
        long largeBefore = LargeObjectBytes();
        Task writing = Task.Run(async () =>
        {
            for (long at = 0; at < length;)
            {
                Chunk chunk = await lease.RentAsync(CancellationToken.None);
                int count = (int)Math.Min(chunkSize, length - at);
                Pattern.Fill(chunk.Free.Span[..count], at);
                chunk.Advance(count);
                stream.Write(chunk);
                stream.Wake();
                at += count;
            }

            stream.Complete();
        });

        long position = 0;
        byte[] buffer = new byte[80_000];
        int read;
        while ((read = await stream.ReadAsync(buffer)) > 0)
        {
            Assert.Equal(read, Pattern.CountRight(buffer.AsSpan(0, read), position));
            position += read;
        }

        await writing.Within();
        Assert.Equal(length, position);
        Assert.Equal(length, stream.BytesWritten);
        Assert.InRange(pool.PeakRentedBytes, chunkSize, 16 * chunkSize);
        Assert.True(LargeObjectBytes() - largeBefore < 10 * 1024 * 1024, "the large object heap grew by 10 MiB or more");
    }

    private static long LargeObjectBytes()
    {
        GC.Collect();
        return GC.GetGCMemoryInfo(GCKind.FullBlocking).GenerationInfo[3].SizeAfterBytes;
    }
}
