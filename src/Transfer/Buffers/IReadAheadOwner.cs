namespace Transfer.Buffers;

/// <summary>An open stream that downloads data ahead of its reader.</summary>
internal interface IReadAheadOwner
{
    /// <summary>Gets a value that indicates whether the reader is waiting for data. The value can change at any time. The property must not block.</summary>
    bool IsStarved { get; }

    /// <summary>Releases about <paramref name="bytes"/> of the data that is farthest from the reader. It is downloaded again when the reader needs it.</summary>
    /// <remarks>
    /// Never called under a lock of the budget. The stream owes the budget exactly <paramref name="bytes"/> at this time. If it releases more or less, it calls
    /// <see cref="MemoryBudget.Owe"/> before it returns any memory.
    /// </remarks>
    void GiveBack(long bytes);

    /// <summary>Called when the stream holds no read-ahead memory anymore while its request for some is queued. Never called under a lock of the budget.</summary>
    void RanOut();
}
