using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Verification;

namespace Transfer.S3.Download;

/// <summary>A part of an ordered read. A fetch fills its buffer, and the reader empties it.</summary>
/// <param name="offset">The offset of the first byte of the part.</param>
/// <param name="length">The length of the part, in bytes.</param>
/// <param name="buffer">The buffer that holds the chunks of the part.</param>
/// <param name="ended">Called when the part has been fetched completely.</param>
internal sealed class BufferedPart(long offset, long length, ChunkedBufferStream buffer, Action ended) : IPartWriter
{
    private readonly Lock _gate = new();
#pragma warning disable CA2213 // it has no timer and no wait handle, so there is nothing to dispose
    private readonly CancellationTokenSource? _dropped = offset == 0 ? null : new();
#pragma warning restore CA2213
    private RangeChecksum? _checksum;
    private bool _ended;
    private bool _isDropped;

    public long Offset => offset;

    public long Length => length;

    public ChunkedBufferStream Buffer => buffer;

    /// <summary>Gets a value that indicates whether this is the first part of the object, which is never given back.</summary>
    public bool IsFirst => offset == 0;

    /// <summary>Gets the read-ahead memory of the part; null if the part uses the stream's floor.</summary>
    public ChunkLease? ReadAhead { get; init; }

    /// <summary>Gets a value that indicates whether no more data will be written.</summary>
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

    /// <summary>
    /// Adds the part to the object's checksum. It is called after the reader has taken all of it: until then, the part may be fetched again.
    /// </summary>
    public void CountTaken() => _checksum?.Complete();

    /// <summary>Gives up the part: returns its chunks and cancels the fetch if it is in progress.</summary>
    /// <returns>Whether the part was complete.</returns>
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
            _dropped!.CancelAndIgnoreErrors();
        }

        buffer.Dispose();
        return wasComplete;
    }
}
