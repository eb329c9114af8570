using System.Diagnostics;

namespace Transfer.Buffers;

/// <summary>One open stream's part in the read-ahead memory of a budget. All of its state is guarded by the budget's lock.</summary>
/// <param name="budget">The budget.</param>
/// <param name="owner">The stream.</param>
/// <param name="unitBytes">Bytes of the smallest grant: one chunk.</param>
internal sealed class MemoryShare(MemoryBudget budget, IReadAheadOwner owner, int unitBytes) : IDisposable
{
    private volatile MemoryWaiter? _waiter;
    private long _heldBytes;
    private bool _isStuck;

    public MemoryBudget Budget => budget;

    public IReadAheadOwner Owner => owner;

    public int UnitBytes => unitBytes;

    /// <summary>Bytes of read-ahead that the stream holds. Can be read without the lock.</summary>
    public long HeldBytes
    {
        get => Volatile.Read(ref _heldBytes);
        set => Volatile.Write(ref _heldBytes, value);
    }

    /// <summary>
    /// The most that the stream may hold. There is no limit until memory had to be taken from it. From then on, the limit grows by what its reader
    /// consumes, so a slow reader's data is fetched at most twice.
    /// </summary>
    public long LimitBytes { get; set; } = long.MaxValue;

    /// <summary>Whether the stream has data left to fetch.</summary>
    public bool IsWanting { get; set; }

    /// <summary>Whether the reader waits for more data while it holds everything that arrived. Can be read without the lock.</summary>
    public bool IsStuck
    {
        get => Volatile.Read(ref _isStuck);
        set => Volatile.Write(ref _isStuck, value);
    }

    /// <summary>Whether the reader was found to be busy elsewhere after it got stuck: it doesn't hold up others who are stuck until it waits again.</summary>
    public bool IsAway { get; set; }

    /// <summary>When the reader got stuck for the first time since it consumed anything; 0 if it didn't.</summary>
    public long StuckSince { get; set; }

    /// <summary>The budget's clock when this stream was refused memory, and when it was refused the time before.</summary>
    public (long Last, long Before) RefusedAt { get; set; }

    /// <summary>The budget's clock when the reader last consumed something.</summary>
    public long ConsumedAt { get; set; }

    /// <summary>Where the share is in the budget's list.</summary>
    public int Index { get; set; } = -1;

    /// <summary>Bytes that the stream was asked to give back and hasn't returned yet.</summary>
    public long OwedBytes { get; set; }

    /// <summary>The stream's pending request, if there is one. Can be read without the lock.</summary>
    public MemoryWaiter? Waiter
    {
        get => _waiter;
        set => _waiter = value;
    }

    public void Dispose() => budget.Remove(this);

    /// <summary>Bytes to grant: about <paramref name="pieceBytes"/>, at most <paramref name="mostBytes"/> and <paramref name="roomBytes"/>. 0 if there is no room for a chunk.</summary>
    public long GrantOf(long mostBytes, long pieceBytes, long roomBytes)
    {
        Debug.Assert(mostBytes >= unitBytes, $"less than a chunk was asked for: {mostBytes}");

        long piece = (pieceBytes + unitBytes - 1) / unitBytes * unitBytes;
        return roomBytes < unitBytes ? 0 : Math.Min(Math.Min(mostBytes, Math.Max(piece, 2 * unitBytes)), roomBytes) / unitBytes * unitBytes;
    }

    /// <summary>The stream is to give back so much more: the limit is what remains.</summary>
    public void Owe(long bytes)
    {
        OwedBytes = Math.Max(0, OwedBytes + bytes);
        LimitBytes = Math.Max(HeldBytes - OwedBytes, 2 * unitBytes); // with nothing at all, there would be nothing to consume
    }

    /// <summary>Counts memory that came back. What the reader consumed raises the limit.</summary>
    /// <param name="bytes">How much.</param>
    /// <param name="wasConsumed">Whether the reader consumed what was in it; false if it was given back, or never used.</param>
    /// <param name="mostBytes">From this limit on, there is none.</param>
    /// <returns>Whether the reader consumed anything.</returns>
    public bool Return(long bytes, bool wasConsumed, long mostBytes)
    {
        HeldBytes -= bytes;
        if (!wasConsumed)
        {
            OwedBytes -= Math.Min(OwedBytes, bytes);
        }
        else if (LimitBytes != long.MaxValue)
        {
            LimitBytes = LimitBytes < mostBytes ? LimitBytes + bytes : long.MaxValue;
        }

        return wasConsumed && bytes > 0;
    }
}
