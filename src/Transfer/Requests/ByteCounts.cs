namespace Transfer.S3.Requests;

/// <summary>Counts the bytes and the parts of one transfer, also for the transfer whose progress they are part of.</summary>
/// <param name="total">The counts of that transfer; null for none.</param>
internal sealed class ByteCounts(ByteCounts? total)
{
    /// <summary>The number of bytes between two reports to an <see cref="IPartProgress"/>, which is the default of the AWS SDK.</summary>
    private const long StepBytes = 100 * Sizes.KiB;

    private long _transferred;
    private long _confirmed;
    private long _resumed;
    private long _kept;
    private long _discarded;
    private int _parts;

    public long Transferred => Interlocked.Read(ref _transferred);

    public long Confirmed => Interlocked.Read(ref _confirmed);

    public long Resumed => Interlocked.Read(ref _resumed);

    public long Kept => Interlocked.Read(ref _kept);

    public int Parts => Volatile.Read(ref _parts);

    /// <summary>Gets or sets what is called after each part and each step of bytes; null for nothing.</summary>
    public Action? Stepped { get; set; }

    /// <summary>Counts bytes that were received, or that a connection has accepted. Bytes that are transferred again must not be counted again.</summary>
    public void Add(long count)
    {
        if (Interlocked.Read(ref _discarded) > 0)
        {
            count = WithoutDiscarded(count);
        }

        long bytes = Interlocked.Add(ref _transferred, count);
        total?.Add(count);
        if (Stepped is not null && bytes / StepBytes > (bytes - count) / StepBytes)
        {
            Stepped();
        }
    }

    /// <summary>Counts bytes that don't have to be transferred again, because the store has confirmed them, or all of their part was received.</summary>
    public void AddConfirmed(long count)
    {
        Interlocked.Add(ref _confirmed, count);
        total?.AddConfirmed(count);
    }

    /// <summary>Counts bytes that an earlier run had transferred.</summary>
    public void AddResumed(long count)
    {
        Interlocked.Add(ref _resumed, count);
        total?.AddResumed(count);
    }

    /// <summary>Counts bytes that a later transfer doesn't have to transfer again, at the end of a transfer that failed or was canceled.</summary>
    public void AddKept(long count)
    {
        Interlocked.Add(ref _kept, count);
        total?.AddKept(count);
    }

    /// <summary>Counts a completed part.</summary>
    /// <param name="bytes">The number of bytes, which were counted by <see cref="Add"/> and are confirmed now.</param>
    public void AddPart(long bytes)
    {
        Interlocked.Increment(ref _parts);
        Interlocked.Add(ref _confirmed, bytes);
        total?.AddPart(bytes);
        Stepped?.Invoke();
    }

    /// <summary>
    /// Discards bytes that were counted and must be transferred again. As many of the next bytes are not counted, so that the progress never decreases.
    /// </summary>
    public void Discard(long count) => Interlocked.Add(ref _discarded, count);

    /// <summary>Discards all counts, because the transfer of the object starts again.</summary>
    public void TakeBack()
    {
        (long transferred, long confirmed, long resumed, long kept, int parts) = (Transferred, Confirmed, Resumed, Kept, Parts);
        for (ByteCounts? counts = this; counts is not null; counts = counts.Total)
        {
            Interlocked.Add(ref counts._confirmed, -confirmed);
            Interlocked.Add(ref counts._kept, -kept);
            Interlocked.Add(ref counts._transferred, -transferred);
            Interlocked.Add(ref counts._resumed, -resumed);
            Interlocked.Add(ref counts._parts, -parts);
        }

        Interlocked.Exchange(ref _discarded, 0);
    }

    private ByteCounts? Total => total;

    private long WithoutDiscarded(long count)
    {
        while (Interlocked.Read(ref _discarded) is > 0 and long discarded)
        {
            long skipped = Math.Min(discarded, count);
            if (Interlocked.CompareExchange(ref _discarded, discarded - skipped, discarded) == discarded)
            {
                return count - skipped;
            }
        }

        return count;
    }
}
