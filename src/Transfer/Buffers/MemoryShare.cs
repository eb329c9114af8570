using System.Diagnostics;

namespace Transfer.S3.Buffers;

/// <summary>The share of one open stream in the read-ahead memory of a budget. The lock of the budget guards all of its state.</summary>
/// <param name="budget">The budget.</param>
/// <param name="owner">The stream.</param>
/// <param name="unitBytes">The size of the smallest grant: one chunk.</param>
internal sealed class MemoryShare(MemoryBudget budget, IReadAheadOwner owner, int unitBytes) : IDisposable
{
    private volatile MemoryWaiter? _waiter;
    private long _heldBytes;
    private bool _isStuck;

    public MemoryBudget Budget => budget;

    public IReadAheadOwner Owner => owner;

    public int UnitBytes => unitBytes;

    /// <summary>Gets or sets the number of bytes of read-ahead that the stream holds. It can be read without the lock.</summary>
    public long HeldBytes
    {
        get => Volatile.Read(ref _heldBytes);
        set => Volatile.Write(ref _heldBytes, value);
    }

    /// <summary>
    /// Gets or sets the maximum number of bytes that the stream can hold. There is no limit until memory was taken back from the stream. From then on, the limit
    /// grows by the bytes that its reader consumes, so the data of a slow reader is downloaded at most twice.
    /// </summary>
    public long LimitBytes { get; set; } = long.MaxValue;

    /// <summary>Gets or sets the number of bytes that were granted to a request and not taken yet.</summary>
    public long GrantedBytes { get; set; }

    /// <summary>Gets or sets a value that indicates whether the stream has more data to download.</summary>
    public bool IsWanting { get; set; }

    /// <summary>Gets or sets a value that indicates whether the reader was stuck when the budget asked its stream last. It can be read without the lock.</summary>
    public bool IsStuck
    {
        get => Volatile.Read(ref _isStuck);
        set => Volatile.Write(ref _isStuck, value);
    }

    /// <summary>Gets or sets the times of the last two refusals of memory to this stream, on the clock of the budget.</summary>
    public (long Last, long Before) RefusedAt { get; set; }

    /// <summary>Gets or sets the time when the reader last consumed data, on the clock of the budget.</summary>
    public long ConsumedAt { get; set; }

    /// <summary>Gets or sets the index of the share in the list of the budget.</summary>
    public int Index { get; set; } = -1;

    /// <summary>Gets or sets the pending request of the stream; null if there is none. It can be read without the lock.</summary>
    public MemoryWaiter? Waiter
    {
        get => _waiter;
        set => _waiter = value;
    }

    public void Dispose() => budget.Remove(this);

    /// <summary>
    /// Gets the number of bytes to grant: about <paramref name="pieceBytes"/>, but at most <paramref name="mostBytes"/> and <paramref name="roomBytes"/>; 0 if there
    /// is no room for a chunk.
    /// </summary>
    public long GetGrant(long mostBytes, long pieceBytes, long roomBytes)
    {
        Debug.Assert(mostBytes >= unitBytes, $"less than a chunk was requested: {mostBytes}");

        // One chunk more than the piece is granted, so that a chunk can be delivered before it is full.
        long piece = ((pieceBytes + unitBytes - 1) / unitBytes * unitBytes) + unitBytes;
        return roomBytes < unitBytes ? 0 : Math.Min(Math.Min(mostBytes, Math.Max(piece, 2 * unitBytes)), roomBytes) / unitBytes * unitBytes;
    }

    /// <summary>Raises the limit by the bytes that the reader consumed. Above <paramref name="mostBytes"/>, the stream is unlimited again.</summary>
    public void Consume(long bytes, long mostBytes)
    {
        if (LimitBytes != long.MaxValue)
        {
            LimitBytes = LimitBytes < mostBytes ? LimitBytes + bytes : long.MaxValue;
        }
    }
}
