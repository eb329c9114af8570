using Transfer.S3.Buffers;

namespace Transfer.S3.Ranges;

/// <summary>A contiguous piece of the object that contains one or more requested ranges. It is fetched with one request, or with several if it is large.</summary>
/// <remarks>
/// The block owns the chunks until all of its requests have completed. Then each range buffer owns a share of its chunks. Each request begins at a multiple of the
/// chunk size from the start of the block, so the block needs no more chunks than one request would.
/// </remarks>
internal sealed class RangeBlock
{
    private readonly RangeBuffer[] _buffers;
    private int _missing;
    private bool _isDelivered;

    /// <param name="offset">The offset of the first byte in the object.</param>
    /// <param name="length">The number of bytes.</param>
    /// <param name="requestBytes">The number of bytes of each request, in whole chunks if there are several.</param>
    /// <param name="buffers">The buffers of the ranges, sorted by their offsets.</param>
    public RangeBlock(long offset, long length, long requestBytes, RangeBuffer[] buffers)
    {
        Offset = offset;
        Length = length;
        _buffers = buffers;
        Parts = new BlockPart[1 + ((length - 1) / requestBytes)];
        for (int i = 0; i < Parts.Length; i++)
        {
            long start = i * requestBytes;
            Parts[i] = new BlockPart(offset + start, Math.Min(requestBytes, length - start), buffers);
        }

        _missing = Parts.Length;
    }

    public long Offset { get; }

    public long Length { get; }

    /// <summary>Gets the requests.</summary>
    public BlockPart[] Parts { get; }

    /// <summary>Gets or sets the memory of the block; null if it is part of a larger lease.</summary>
    public ChunkLease? Lease { get; set; }

    /// <summary>Gets or sets the memory of the first request, if that was sent before the size of the object was known.</summary>
    public ChunkLease? FirstLease { get; set; }

    /// <summary>Reports that a request has completed. Requests can complete concurrently.</summary>
    /// <returns>Whether it was the last one.</returns>
    public bool CompletePart() => Interlocked.Decrement(ref _missing) == 0;

    /// <summary>Passes the chunks of a complete block to its buffers.</summary>
    public RangeBuffer[] Deliver()
    {
        for (int i = 1; i < Parts.Length; i++)
        {
            Parts[i].LinkTo(Parts[i - 1]);
        }

        ReleaseUnused();
        _isDelivered = true;
        _buffers[^1].IsLastOfBlock = true;
        return _buffers;
    }

    /// <summary>Releases everything that was not passed on. All requests of the block have ended.</summary>
    public void Release()
    {
        if (!_isDelivered)
        {
            foreach (BlockPart part in Parts)
            {
                part.Release();
            }

            ReleaseUnused();
        }
    }

    private void ReleaseUnused()
    {
        Lease?.Dispose();
        FirstLease?.Dispose();
    }
}
