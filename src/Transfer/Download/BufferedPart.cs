using Transfer.Buffers;

namespace Transfer.Download;

/// <summary>A part of an ordered read: its fetch fills the buffer, and the reader empties it.</summary>
/// <param name="offset">The part's first byte.</param>
/// <param name="length">Bytes of the part.</param>
/// <param name="buffer">Its chunks.</param>
/// <param name="ended">Called when the fetch has ended.</param>
internal sealed class BufferedPart(long offset, long length, ChunkedBufferStream buffer, Action ended) : IPartWriter
{
    private readonly Lock _gate = new();
#pragma warning disable CA2213 // without a timer or a wait handle it holds nothing
    private readonly CancellationTokenSource? _dropped = offset == 0 ? null : new();
#pragma warning restore CA2213
    private RangeChecksum? _checksum;
    private bool _ended;
    private bool _isDropped;

    public long Offset => offset;

    public long Length => length;

    public ChunkedBufferStream Buffer => buffer;

    /// <summary>Whether it is the object's first part, which is never given back.</summary>
    public bool IsFirst => offset == 0;

    /// <summary>The read-ahead that it fills; null if its memory is the stream's floor.</summary>
    public ChunkLease? ReadAhead { get; init; }

    /// <summary>Whether nothing more will be written.</summary>
    public bool IsEnded => Volatile.Read(ref _ended);

    public bool IsStarved => buffer.IsStarved;

    public CancellationToken Dropped => _dropped?.Token ?? CancellationToken.None;

    public bool IsDropped => Volatile.Read(ref _isDropped);

    public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
    {
        buffer.Write(chunk);
        return ValueTask.CompletedTask;
    }

    public void Wake(bool inline) => buffer.Wake(inline);

    public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_isDropped)
            {
                return ValueTask.CompletedTask;
            }

            _checksum = checksum;
            _ended = true;
        }

        buffer.Complete();
        ended();
        return ValueTask.CompletedTask;
    }

    public void Fail(Exception error)
    {
        Volatile.Write(ref _ended, true);
        buffer.Complete(error);
    }

    /// <summary>The reader has taken all of it: only now does it count in the object's checksum, since until then it may be fetched again.</summary>
    public void CountTaken() => _checksum?.Complete();

    /// <summary>Gives up the part: what is there is returned, and what is on its way is canceled.</summary>
    /// <returns>Whether it was complete.</returns>
    public bool GiveBack()
    {
        bool wasComplete;
        lock (_gate)
        {
            wasComplete = _ended;
            _isDropped = !wasComplete;
        }

        if (!wasComplete)
        {
            _dropped!.Cancel();
        }

        buffer.Dispose();
        return wasComplete;
    }
}
