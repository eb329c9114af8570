namespace Transfer.S3.Concurrency;

/// <summary>One request that sends a part. Disposing it ends it.</summary>
/// <param name="limit">The limit that the request counts for.</param>
/// <param name="length">The number of bytes of the part.</param>
/// <param name="request">The request.</param>
internal sealed class PartSend(SendLimit limit, long length, ISurplusRequest request) : IDisposable
{
    private long _offset;
    private long _moved;

    public long Length => length;

    /// <summary>Gets the time at which the connection accepted the last byte, in seconds; null if it hasn't.</summary>
    public double? SentAt { get; private set; }

    /// <summary>Gets the number of bytes that were not yet sent.</summary>
    public long Left => length - Volatile.Read(ref _offset);

    /// <summary>Gets the number of bytes that were sent, including those that were sent again.</summary>
    public long Moved => Volatile.Read(ref _moved);

    /// <summary>Reports that the connection has accepted the bytes before an offset. One thread at a time calls this.</summary>
    public void Sent(long offset)
    {
        Volatile.Write(ref _moved, _moved + (offset >= _offset ? offset - _offset : offset)); // a redirected request begins again
        Volatile.Write(ref _offset, offset);
        SentAt = offset == length ? limit.Now : null;
        limit.Moved();
    }

    public void GiveUp() => request.GiveUp();

    public void Dispose() => limit.End(this);
}
