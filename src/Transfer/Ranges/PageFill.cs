using Transfer.S3.Buffers;
using Transfer.S3.Download;
using Transfer.S3.Verification;

namespace Transfer.S3.Ranges;

/// <summary>Fetches contiguous pages of an object into the cache.</summary>
/// <param name="cache">The cache.</param>
/// <param name="item">The object.</param>
/// <param name="reader">The reader that fetches the pages.</param>
/// <param name="sum">Adds the content of a page to the checksums before a reader gets it; null if the reader doesn't verify.</param>
/// <param name="first">The number of the first page.</param>
/// <param name="isAhead">Whether no reader needs the pages yet.</param>
#pragma warning disable CA1001 // the source has no timer and no wait handle, so there is nothing to dispose
internal sealed class PageFill(PageCache cache, CachedObject item, object reader, Action<long, ReadOnlyMemory<byte>>? sum, long first, bool isAhead) : IPartWriter
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _stop = new();
    private int _arrived;

    /// <summary>Gets the number of the first page.</summary>
    public long First => first;

    /// <summary>Gets the number of pages. It is set before the fetch begins.</summary>
    public int Count { get; private set; }

    /// <summary>Gets the page after the last one.</summary>
    public long End => first + Count;

    /// <summary>Gets the reader that fetches the pages.</summary>
    public object Reader => reader;

    /// <summary>Gets a value that indicates whether the pages are for a read that is independent of the others.</summary>
    public bool IsPositional { get; init; }

    /// <summary>Gets the call that announced the pages; null if a read needs them or what comes with it.</summary>
    public Prefetch? Prefetch { get; init; }

    /// <summary>Gets a value that indicates whether no reader needs the pages yet.</summary>
    public bool IsAhead => isAhead;

    /// <summary>Gets the number of pages that haven't arrived.</summary>
    public int Missing => Count - Volatile.Read(ref _arrived);

    /// <summary>Gets or sets the error that ended the fetch.</summary>
    public Exception? Error { get; set; }

    /// <summary>Gets a value that indicates whether all pages have arrived, so that only the end of the response is missing.</summary>
    public bool HasArrived => Missing == 0;

    public CancellationToken Token => _stop.Token;

    // A page is one full chunk, so chunks that aren't full are never handed over early.
    public bool IsStarved => false;

    public bool IsHead => !isAhead || cache.IsAwaited(item, first, Count);

    /// <summary>Registers the fetch of at most <paramref name="count"/> pages.</summary>
    /// <returns>Whether there are pages to fetch.</returns>
    public bool TryBegin(int count)
    {
        Count = cache.Begin(item, this, first, count);
        return Count > 0;
    }

    public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
    {
        long index = first + _arrived;
        try
        {
            sum?.Invoke(index, chunk.Filled);
        }
        catch
        {
            chunk.Dispose();
            throw;
        }

        Volatile.Write(ref _arrived, _arrived + 1); // before a reader is woken, who may ask whether all have arrived
        cache.Arrive(item, this, index, chunk, isAhead, isSummed: sum is not null);
        return ValueTask.CompletedTask;
    }

    public void Wake(bool inline)
    {
        // Each page wakes its readers when it arrives.
    }

    public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken) => ValueTask.CompletedTask;

    public void Fail(Exception error) => Error = error;

    /// <summary>Cancels the fetch.</summary>
    public void Cancel() => _stop.Cancel();

    /// <summary>Cancels the fetch unless a reader waits for it.</summary>
    /// <returns>Whether it was canceled.</returns>
    public bool CancelUnlessAwaited()
    {
        if (cache.IsAwaited(item, first, Count))
        {
            return false;
        }

        Cancel();
        return true;
    }

    /// <summary>Ends the fetch. Readers that wait for pages that haven't arrived are woken.</summary>
    public void Complete() => cache.End(item, this, first, Count);
}
