using System.Buffers;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Bench.Workloads;

/// <summary>Random content of any length that repeats one small block, so that it takes little memory and cache. It is made once and never changes.</summary>
internal sealed class LoopedContent
{
    // No usual part size is a multiple of it, so the parts of an object differ.
    private const int MaxBlockBytes = (8 << 20) - 4093;
    private readonly byte[] _block;

    /// <param name="largest">The size of the largest object.</param>
    /// <param name="random">The source of the content.</param>
    public LoopedContent(long largest, Random random)
    {
        _block = new byte[Math.Clamp(largest, 1, MaxBlockBytes)];
#pragma warning disable CA5394 // data to transfer, not a secret
        random.NextBytes(_block);
#pragma warning restore CA5394
    }

    /// <summary>Gets the content as a sequence.</summary>
    public ReadOnlySequence<byte> ToSequence(long length)
    {
        if (length <= _block.Length)
        {
            return new ReadOnlySequence<byte>(_block, 0, (int)length);
        }

        Segment first = new(_block, null);
        Segment last = first;
        while (last.RunningIndex + _block.Length < length)
        {
            last = new Segment(_block, last);
        }

        return new ReadOnlySequence<byte>(first, 0, last, (int)(length - last.RunningIndex));
    }

    /// <summary>Opens the content as a stream that can seek.</summary>
    public Stream OpenRead(long length) => new LoopedStream(_block, length);

    /// <summary>Writes the content to a new file.</summary>
    public async Task WriteAsync(string path, long length, CancellationToken cancellationToken)
    {
        using SafeFileHandle file = File.OpenHandle(path, FileMode.Create, FileAccess.Write, FileShare.None, FileOptions.Asynchronous);
        for (long offset = 0; offset < length; offset += _block.Length)
        {
            await RandomAccess.WriteAsync(file, _block.AsMemory(0, (int)Math.Min(_block.Length, length - offset)), offset, cancellationToken).ConfigureAwait(false);
        }
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(byte[] block, Segment? previous)
        {
            Memory = block;
            RunningIndex = previous is null ? 0 : previous.RunningIndex + block.Length;
            previous?.Next = this;
        }
    }
}
