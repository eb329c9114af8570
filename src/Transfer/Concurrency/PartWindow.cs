using System.Numerics;
using Transfer.Buffers;

namespace Transfer.Concurrency;

/// <summary>Limits the parts of one transfer that are in progress, or that are complete and wait for their reader.</summary>
/// <remarks>
/// Data that is fetched ahead beyond what the link needs costs memory and brings nothing. So a transfer has as many parts in progress as requests can be in flight, and a
/// few more that wait for a slot: they show that more slots could be used. A number that the user chose is taken as it is. One caller enters; parts leave from anywhere.
/// </remarks>
internal sealed class PartWindow : IDisposable
{
    /// <summary>Parts that wait for a slot.</summary>
    private const int Waiting = 2;

    /// <summary>The largest range while the limit doubles. The limit is reconsidered when requests complete, so they are to be short.</summary>
    private const long StartRangeBytes = 2 * Sizes.MiB;

    private readonly RequestQueue _queue;
    private readonly RequestDirection _direction;
    private readonly int _concurrency;
    private readonly bool _isFixed;
    private readonly AsyncSignal _left = new();
    private readonly Action _wake;
    private int _inside;
    private int _fetching;

    /// <param name="queue">Limits the requests.</param>
    /// <param name="direction">The direction of the transfer.</param>
    /// <param name="concurrency">The most parts in progress.</param>
    /// <param name="isFixed">Whether the user chose that number.</param>
    public PartWindow(RequestQueue queue, RequestDirection direction, int concurrency, bool isFixed)
    {
        _queue = queue;
        _direction = direction;
        _concurrency = concurrency;
        _isFixed = isFixed;
        _wake = () => _left.Set();
        queue.AddListener(_wake);
    }

    /// <summary>Gets the parts in progress that there can be now.</summary>
    public int Size => _isFixed ? _concurrency : Math.Min(_concurrency, _queue.LimitOf(_direction) + Waiting);

    /// <summary>Waits until one more part may begin.</summary>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        while (!TryEnter())
        {
            await _left.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Begins one more part, if it may.</summary>
    public bool TryEnter()
    {
        int size = Size;
        if (Volatile.Read(ref _inside) > size || Volatile.Read(ref _fetching) >= size)
        {
            return false; // one part more is being read
        }

        Interlocked.Increment(ref _inside);
        Interlocked.Increment(ref _fetching);
        return true;
    }

    /// <summary>A part is not being transferred any more.</summary>
    public void Fetched()
    {
        Interlocked.Decrement(ref _fetching);
        _left.Set();
    }

    /// <summary>A part has gone where it was to go.</summary>
    public void Leave()
    {
        Interlocked.Decrement(ref _inside);
        _left.Set();
    }

    /// <summary>Gets the largest range to request, so that the ranges of a window fit into memory.</summary>
    /// <param name="memoryBytes">The memory for all parts of the transfer.</param>
    public long RangeBytes(long memoryBytes)
    {
        // A power of two: a part is divided into equal ranges.
        long each = Math.Max(Sizes.MiB, memoryBytes / (Size + 1));
        long range = (long)BitOperations.RoundUpToPowerOf2(((ulong)each / 2) + 1);
        return !_isFixed && _queue.IsStarting(_direction) ? Math.Min(range, StartRangeBytes) : range;
    }

    public void Dispose() => _queue.RemoveListener(_wake);
}
