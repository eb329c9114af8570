namespace Transfer.Buffers;

/// <summary>An open stream that fetches data ahead of its reader.</summary>
internal interface IReadAheadOwner
{
    /// <summary>Whether the reader is waiting for data. The value can change at any time. Must not block.</summary>
    bool IsStarved { get; }

    /// <summary>Gives back about <paramref name="bytes"/> of the data that is farthest from the reader. It is fetched again when the reader needs it.</summary>
    /// <remarks>
    /// Never called under a lock of the budget. The stream owes the budget exactly <paramref name="bytes"/> by then. If it gives back more or less, it says so with
    /// <see cref="MemoryBudget.Owe"/> before it returns any memory.
    /// </remarks>
    void GiveBack(long bytes);

    /// <summary>The stream holds no read-ahead any more, and its request for some is still in line. Never called under a lock of the budget.</summary>
    void RanOut();
}
