using Transfer.Buffers;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Conformance;

#pragma warning disable CA1001 // disposed by xunit's own asynchronous dispose
public sealed class SequenceStreamConformanceTests : StreamConformance
#pragma warning restore CA1001
{
    private ChunkList? _list;

    protected override bool CanSeek => true;

    protected override bool HasLength => true;

    public override Task DisposeAsync()
    {
        _list?.Dispose();
        return base.DisposeAsync();
    }

    protected override async Task<Stream> OpenAsync()
    {
        ChunkPool pool = NewPool(4096, 1024 * 1024);
        _list = new ChunkList(pool.TryLease(MemoryUse.Transient, pool.ChunksFor(ContentLength))!);
        for (int at = 0; at < ContentLength;)
        {
            Memory<byte> memory = await _list.GetMemoryAsync(CancellationToken.None).Within();
            int step = Math.Min(memory.Length, ContentLength - at);
            Content.AsSpan(at, step).CopyTo(memory.Span);
            _list.Advance(step);
            at += step;
        }

        return new SequenceStream(_list.AsSequence());
    }
}
