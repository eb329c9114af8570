using System.Numerics;
using Transfer.S3.Buffers;

namespace Transfer.S3.Concurrency;

/// <summary>Limits the parts of one transfer that are in progress, or that are complete and wait for their reader.</summary>
/// <remarks>
/// <para>
/// Data that is fetched ahead beyond what the link needs costs memory without a benefit. So a transfer has as many parts in progress as requests can
/// be in flight, and a few more that wait for a slot, which show that more slots could be used. A number that the user chose is used as it is.
/// </para>
/// <para>
/// An ordered read keeps whole ranges in memory, and the more ranges there are, the smaller they must be. Ranges that are much smaller than what a
/// connection transfers during the latency only need more connections. So the window doesn't grow beyond ranges of that size.
/// </para>
/// <para>
/// When little is left, the size of each range is the rest divided by the number of connections (guided self-scheduling: Polychronopoulos and Kuck,
/// "Guided Self-Scheduling: A Practical Scheduling Scheme for Parallel Supercomputers", IEEE Transactions on Computers C-36(12), 1987). So all
/// connections end at about the same time.
/// </para>
/// <para>
/// The first ranges begin at the same time and share the link. Ranges of one size would also end at the same time, and so would their successors, so that the link
/// would be idle during each latency. So the first ones have different sizes.
/// </para>
/// <para>One caller enters parts. They can leave from any thread.</para>
/// </remarks>
internal sealed class PartWindow : IDisposable
{
    /// <summary>The number of parts that wait for a slot. One is enough for an upload, because its parts are large, and can be in memory while they wait.</summary>
    private const int Waiting = 2;
    private const int WaitingToSend = 1;

    private const long MinRangeBytes = Sizes.MiB;

    /// <summary>
    /// The share of the memory that the ranges of a window are planned to use, unless they would be shorter than the latency. The rest is for a window that grows
    /// while its ranges are in progress.
    /// </summary>
    private const double PlannedShare = 0.75;

    /// <summary>
    /// The size of ranges that are kept in memory, and the smallest one at the end, as a multiple of the bytes that one connection transfers during the latency. Smaller
    /// ones would mostly wait for their first byte.
    /// </summary>
    private const int RangeLatencies = 2;

    /// <summary>
    /// The same if the latency is short or not known. Smaller ones would cost more requests.
    /// </summary>
    private const long LeastRangeBytes = 4 * Sizes.MiB;

    /// <summary>
    /// The size of ranges from a near store, whose bytes are then still in the caches of a processor when the reader gets them; the size while the limit doubles, because it is
    /// adjusted when requests complete; and the smallest range at the end if the latency is not known.
    /// </summary>
    private const long ShortRangeBytes = 2 * Sizes.MiB;

    /// <summary>The size of the first range, and that of the last one of the first window, as a multiple of the usual one.</summary>
    private const double LeastFirstShare = 0.25;
    private const double MostFirstShare = 1.75;

    /// <summary>The share of that size while nothing is known about the latency. The first requests of a process take long anyway, and shorter ones need less memory.</summary>
    private const double UnknownShare = 0.5;

    private readonly RequestQueue _queue;
    private readonly TransferFlow _flow;
    private readonly int _concurrency;
    private readonly bool _isFixed;
    private readonly long? _memoryBytes;
    private readonly long _partBytes;
    private readonly RateLimits _limits;
    private readonly HedgePolicy? _times;
    private readonly AsyncSignal _left = new();
    private LinkedListNode<AsyncSignal>? _listener;
    private bool _isDisposed;
    private int _entered;
    private int _inside;
    private int _fetching;

    /// <param name="queue">Limits the requests.</param>
    /// <param name="flow">The transfer.</param>
    /// <param name="concurrency">The maximum number of parts in progress.</param>
    /// <param name="isFixed">Whether the user chose that number.</param>
    /// <param name="memoryBytes">The memory for all parts of the transfer; <see cref="long.MaxValue"/> if they need none, and null if their size is fixed.</param>
    /// <param name="partBytes">The size of the parts that are divided into ranges.</param>
    /// <param name="limits">The rate limits of the transfer. A low rate doesn't need many parts.</param>
    /// <param name="times">Provides the durations of requests; null if they are not known.</param>
    public PartWindow(
        RequestQueue queue,
        TransferFlow flow,
        int concurrency,
        bool isFixed,
        long? memoryBytes = null,
        long partBytes = long.MaxValue,
        RateLimits? limits = null,
        HedgePolicy? times = null)
    {
        _queue = queue;
        _flow = flow;
        _concurrency = concurrency;
        _isFixed = isFixed;
        _memoryBytes = memoryBytes;
        _partBytes = partBytes;
        _limits = limits ?? RateLimits.None;
        _times = times;
    }

    /// <summary>Gets a value that indicates whether the parts of an upload are filled one after the other, and kept in memory until they are confirmed.</summary>
    public bool FillsInTurn { get; init; }

    /// <summary>Gets the maximum number of parts that can be in progress now.</summary>
    public int Size => Math.Min(Math.Min(Math.Min(_limits.MostRequests, MostSent), _flow.MostInFlight), _isFixed ? _concurrency : MostUseful);

    /// <summary>Gets the maximum size of a range. There is no limit if whole parts fit into memory and the link needs them.</summary>
    public long RangeBytes => OrWholePart(_isFixed ? MemoryRangeBytes : Math.Min(MemoryRangeBytes, LinkRangeBytes));

    /// <summary>Gets the size of the next range of a part.</summary>
    /// <param name="part">The number of bytes that are left of the part.</param>
    /// <param name="rest">
    /// The number of bytes that are left of the transfer; <see cref="long.MaxValue"/> if it isn't known. The range may then be all that there is, and a second one
    /// would cost the latency again, so it is as large as memory allows.
    /// </param>
    public long GetRange(long part, long rest)
    {
        long most = rest == long.MaxValue ? OrWholePart(MemoryRangeBytes) : Math.Min(GetFirstRange(RangeBytes, rest), GetLastRange(rest));
        if (part <= most)
        {
            return part;
        }

        long ranges = (part + most - 1) / most;
        return RoundUp((part + ranges - 1) / ranges);
    }

    /// <summary>Sets the number of parts that are left to begin. The last ones begin at the same time, so that they end at the same time.</summary>
    /// <remarks>This applies only to parts of a fixed size. The ranges of a download become smaller at the end instead.</remarks>
    public void SetLeft(int parts) => _flow.IsEnding = !_isFixed && parts <= _queue.ExtraAtEnd(_flow.Direction);

    /// <summary>Gets a value that indicates whether the user chose the number of parts.</summary>
    public bool IsFixed => _isFixed;

    /// <summary>Gets a value that indicates whether memory keeps the window smaller than the number of requests that can be in flight.</summary>
    public bool IsLimitedByMemory => !_isFixed && _memoryBytes is not null && MostParts < Math.Min(Math.Min(_concurrency, _flow.MostInFlight), _queue.GetLimit(_flow.Direction));

    /// <summary>Gets a value that indicates whether the maximum number of parts is being transferred.</summary>
    public bool IsFetchingAll => Volatile.Read(ref _fetching) >= Size;

    /// <summary>Waits until one more part can begin, and begins it.</summary>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        while (!TryEnter())
        {
            await WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Waits until it may be possible to begin a part.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        if (_listener is not null)
        {
            return _left.WaitAsync(cancellationToken);
        }

        // Only a window that was full once needs to know about a larger limit. The limit may have grown before, so the caller tries again.
        Volatile.Write(ref _listener, _queue.AddListener(_left));
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _isDisposed))
        {
            _queue.RemoveListener(_listener);
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>Begins one more part if the window has room for it.</summary>
    public bool TryEnter()
    {
        int size = Size;
        if (Volatile.Read(ref _inside) > size || Volatile.Read(ref _fetching) >= size)
        {
            return false; // one additional part is being read
        }

        _entered++;
        Interlocked.Increment(ref _inside);
        Interlocked.Increment(ref _fetching);
        return true;
    }

    /// <summary>Reports that a part is no longer being transferred.</summary>
    public void Fetched()
    {
        Interlocked.Decrement(ref _fetching);
        _left.Set();
    }

    /// <summary>Reports that a part was delivered.</summary>
    public void Leave()
    {
        Interlocked.Decrement(ref _inside);
        _left.Set();
    }

    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        Interlocked.MemoryBarrier(); // either a caller that begins to wait sees the flag, or this method sees the listener
        if (Volatile.Read(ref _listener) is { } listener)
        {
            _queue.RemoveListener(listener);
        }
    }

    private int MostUseful
    {
        get
        {
            int usual = Math.Min(MostParts, _queue.GetLimit(_flow.Direction) + Waits);
            return (FillsInTurn ? Math.Min(usual, _queue.PartsInTurn(_flow.Direction)) : usual) + Extra;
        }
    }

    /// <summary>Gets the maximum number of useful parts. One additional part is being read.</summary>
    private int MostParts => _memoryBytes is { } memory ? (int)Math.Clamp((memory / LatencyRangeBytes) - 1, 1, _concurrency) : _concurrency;

    /// <summary>Gets the maximum number of parts that are sent, and that wait, so that they are filled meanwhile.</summary>
    private int MostSent => Math.Min(_queue.SendLimitFor(_flow), int.MaxValue - WaitingToSend) + WaitingToSend;

    private int Waits => _flow.Direction == RequestDirection.Upload ? WaitingToSend : Waiting;

    private int Extra => _flow.IsEnding ? _queue.ExtraAtEnd(_flow.Direction) : 0;

    /// <summary>Gets the size of a range that takes about as long as the latency.</summary>
    private long LatencyRangeBytes => PowerOfTwo((long)Math.Clamp(_queue.LatencyBytes(_flow.Direction), MinRangeBytes, Math.Max(MinRangeBytes, _partBytes)));

    /// <summary>Gets the maximum size of a range, so that the ranges of a window fit into memory.</summary>
    private long MemoryRangeBytes
    {
        get
        {
            if (_memoryBytes is not { } memory)
            {
                return long.MaxValue;
            }

            long most = memory / (Size + 1);
            return PowerOfTwo(Math.Max(MinRangeBytes, _isFixed ? most : Math.Max((long)(PlannedShare * most), Math.Min(most, LatencyRangeBytes))));
        }
    }

    /// <summary>
    /// Gets the size beyond which ranges need more memory for the same rate. The limit is adjusted when they complete, so they are even shorter at the start. A range that is
    /// written to a file as it arrives needs no memory, so it isn't limited.
    /// </summary>
    private long LinkRangeBytes => _memoryBytes is null ? long.MaxValue
        : _queue.IsStarting(_flow.Direction) ? Math.Max(ShortRangeBytes, LatencyRangeBytes)
        : _memoryBytes == long.MaxValue ? long.MaxValue
        : _queue.IsNear(_flow.Direction) ? ShortRangeBytes
        : Math.Max(LeastRangeBytes, RangeLatencies * LatencyRangeBytes);

    /// <summary>Gets the size of the next range if it is one of the first, and if more than one window is left. Otherwise, the first ranges are the last ones too.</summary>
    private long GetFirstRange(long range, long rest)
    {
        int size = Size;
        if (_isFixed || _memoryBytes is null || _entered == 0 || _entered > size || size < 2 || rest / size <= Math.Min(range, _partBytes))
        {
            return range;
        }

        double share = LeastFirstShare + ((MostFirstShare - LeastFirstShare) * (_entered - 1) / (size - 1));
        share *= _queue.IsStarting(_flow.Direction) && _queue.LatencyBytes(_flow.Direction) == 0 ? UnknownShare : 1;
        return OrWholePart(RoundUp((long)(share * Math.Min(range, _partBytes))));
    }

    /// <summary>Gets the range size at which the connections end at about the same time. There is no limit while much is left.</summary>
    private long GetLastRange(long rest)
    {
        if (_memoryBytes is null)
        {
            return long.MaxValue;
        }

        // If other transfers use the slots too, this one has fewer connections, and when it ends, they are not idle.
        int requests = _queue.InFlight + _queue.Waiting;
        double connections = requests > Size ? (double)Size * Size / requests : Size;
        double least = RangeLatencies * _times?.LatencyBytes ?? ShortRangeBytes;
        double range = Math.Max(rest / connections, Math.Max(least, MinRangeBytes));
        return range < _partBytes ? RoundUp((long)range) : long.MaxValue;
    }

    /// <summary>Removes the limit if whole parts are within it, because the last part can be a little larger than the others.</summary>
    private long OrWholePart(long range) => range < _partBytes ? range : long.MaxValue;

    /// <summary>Rounds up to whole MiB, because checksums are cut there.</summary>
    private static long RoundUp(long bytes) => (bytes + MinRangeBytes - 1) / MinRangeBytes * MinRangeBytes;

    /// <summary>Rounds down to a power of two, because a part is divided into equal ranges.</summary>
    private static long PowerOfTwo(long bytes) => 1L << BitOperations.Log2((ulong)bytes);
}
