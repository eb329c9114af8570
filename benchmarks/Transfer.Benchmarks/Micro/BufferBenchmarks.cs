using System.Buffers;
using System.IO.Pipelines;
using BenchmarkDotNet.Attributes;
using Transfer.S3.Buffers;

namespace Transfer.S3.Benchmarks.Micro;

/// <summary>The chunk pool, and the chunked stream compared with a <see cref="Pipe"/> of the same segment size, with 16 MiB each.</summary>
[MemoryDiagnoser]
public class BufferBenchmarks
{
    private const int Chunks = 256;
    private readonly ChunkPool _pool = new(64 * 1024, new MemoryBudget(64 * 1024 * 1024));
    private readonly Pipe _pipe = new(new PipeOptions(minimumSegmentSize: 64 * 1024, pauseWriterThreshold: 0, useSynchronizationContext: false));
    private readonly byte[] _target = new byte[128 * 1024];

    [Benchmark]
    public void RentAndReturn()
    {
        using ChunkLease lease = _pool.TryLease(MemoryUse.Transient, 1)!;
        lease.TryRent(out Chunk? chunk);
        chunk!.Dispose();
    }

    [Benchmark]
    public long ChunkedStream_TakeChunks()
    {
        using ChunkedBufferStream stream = Filled();
        long total = 0;
        while (stream.TryTake(out Chunk? chunk, out _))
        {
            total += chunk.Length;
            chunk.Dispose();
        }

        return total;
    }

    [Benchmark]
    public long ChunkedStream_Read()
    {
        using ChunkedBufferStream stream = Filled();
        long total = 0;
        int count;
        while ((count = stream.Read(_target)) > 0)
        {
            total += count;
        }

        return total;
    }

    [Benchmark(Baseline = true)]
    public async Task<long> Pipe_Read()
    {
        for (int i = 0; i < Chunks; i++)
        {
            _pipe.Writer.GetMemory(64 * 1024);
            _pipe.Writer.Advance(64 * 1024);
        }

        await _pipe.Writer.CompleteAsync();
        long total = 0;
        while (true)
        {
            ReadResult result = await _pipe.Reader.ReadAsync();
            ReadOnlySequence<byte> piece = result.Buffer.Length > _target.Length ? result.Buffer.Slice(0, _target.Length) : result.Buffer;
            piece.CopyTo(_target);
            total += piece.Length;
            _pipe.Reader.AdvanceTo(piece.End);
            if (result.IsCompleted && piece.Length == result.Buffer.Length)
            {
                break;
            }
        }

        await _pipe.Reader.CompleteAsync();
        _pipe.Reset();
        return total;
    }

    private ChunkedBufferStream Filled()
    {
        ChunkedBufferStream stream = new();
        using ChunkLease lease = _pool.TryLease(MemoryUse.Transient, Chunks)!;
        for (int i = 0; i < Chunks; i++)
        {
            lease.TryRent(out Chunk? chunk);
            chunk!.Advance(chunk.Capacity);
            stream.Write(chunk);
            stream.Wake();
        }

        stream.Complete();
        return stream;
    }
}
