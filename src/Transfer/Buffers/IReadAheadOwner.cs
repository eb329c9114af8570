namespace Transfer.S3.Buffers;

/// <summary>An open stream that downloads data ahead of its reader. The values of its properties can change at any time. They must not block.</summary>
internal interface IReadAheadOwner
{
    /// <summary>Gets a value that indicates whether the reader is waiting for data.</summary>
    bool IsStarved { get; }

    /// <summary>
    /// Gets a value that indicates whether the reader waits for more data while it holds everything that arrived, nothing is being fetched, and there is no memory to
    /// request more. The stream calls <see cref="MemoryBudget.Reconsider"/> after the value has changed.
    /// </summary>
    bool IsStuck { get; }

    /// <summary>
    /// Releases the data that is farthest from the reader until the stream holds at most <paramref name="mostBytes"/>, if possible. The data is downloaded again when the
    /// reader needs it. Never called under a lock of the budget.
    /// </summary>
    void GiveBack(long mostBytes);

    /// <summary>Called when the stream holds no read-ahead memory anymore while its request for some is queued. Never called under a lock of the budget.</summary>
    void RanOut();
}
