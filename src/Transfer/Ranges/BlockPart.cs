using Transfer.S3.Buffers;
using Transfer.S3.Download;
using Transfer.S3.Verification;

namespace Transfer.S3.Ranges;

/// <summary>Receives the part of a block that one request is for, and shares each chunk among the ranges that it contains bytes of.</summary>
/// <param name="offset">The offset of the first byte in the object.</param>
/// <param name="length">The number of bytes.</param>
/// <param name="buffers">The buffers of the ranges of the block, sorted by their offsets.</param>
internal sealed class BlockPart(long offset, long length, RangeBuffer[] buffers) : IPartWriter
{
    private readonly List<RangeBuffer> _current = []; // the ranges that have begun and haven't ended
    private int _next;
    private long _received;
    private Chunk? _first;
    private Chunk? _last;

    public long Offset => offset;

    public long Length => length;

    /// <summary>Gets a value that indicates that chunks are passed on only when they are full, so that a request needs no more of them than were leased.</summary>
    public bool IsStarved => false;

    public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
    {
        long start = offset + _received;
        long end = start + chunk.Length;
        _received += chunk.Length;
        for (; _next < buffers.Length && buffers[_next].Offset < end; _next++)
        {
            if (buffers[_next].End > start)
            {
                _current.Add(buffers[_next]);
            }
        }

        if (_current.Count == 0)
        {
            chunk.Dispose(); // it lies in a gap
            return ValueTask.CompletedTask;
        }

        chunk.Place(start, _last);
        chunk.Share(_current.Count);
        _first ??= chunk;
        _last = chunk;
        for (int i = _current.Count - 1; i >= 0; i--)
        {
            RangeBuffer buffer = _current[i];
            buffer.Add(chunk, start);
            if (buffer.End <= end)
            {
                _current[i] = _current[^1];
                _current.RemoveAt(_current.Count - 1);
            }
        }

        return ValueTask.CompletedTask;
    }

    public void Wake(bool inline)
    {
        // No reader waits for an incomplete block.
    }

    public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
    {
        checksum.Complete();
        return ValueTask.CompletedTask;
    }

    public void Fail(Exception error)
    {
        // The chunks are returned when the block is released.
    }

    /// <summary>Continues the sequence of the previous request of the block. Both are complete, and no reader has their chunks yet.</summary>
    public void LinkTo(BlockPart previous) => _first?.Place(_first.RunningIndex, previous._last);

    /// <summary>Returns the chunks of a block that won't be delivered.</summary>
    public void Release()
    {
        Chunk? chunk = _first;
        Chunk? last = _last;
        _first = null;
        _last = null;
        while (chunk is not null)
        {
            Chunk? next = chunk == last ? null : chunk.NextChunk;
            chunk.Dispose();
            chunk = next;
        }
    }
}
