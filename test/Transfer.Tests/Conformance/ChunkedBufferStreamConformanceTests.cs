using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Conformance;

public sealed class ChunkedBufferStreamConformanceTests : StreamConformance
{
    protected override Task<Stream> OpenAsync()
    {
        ChunkedBufferStream stream = new();
        Fill(stream);
        return Task.FromResult<Stream>(stream);
    }

    protected override Task<(Stream Stream, Action Release)?> OpenStalledAsync()
    {
        ChunkedBufferStream stream = new();
        return Task.FromResult<(Stream, Action)?>((stream, () => Fill(stream)));
    }

    private void Fill(ChunkedBufferStream stream)
    {
        ChunkPool pool = NewPool(4096, 1024 * 1024);
        using ChunkLease lease = pool.TryLease(MemoryUse.Transient, pool.ChunksFor(ContentLength))!;
        for (int at = 0; at < ContentLength;)
        {
            Assert.True(lease.TryRent(out Chunk? chunk));
            at += chunk.Append(Content.AsSpan(at));
            stream.Write(chunk);
            stream.Wake();
        }

        stream.Complete();
    }
}
