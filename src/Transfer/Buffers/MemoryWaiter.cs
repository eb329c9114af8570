namespace Transfer.S3.Buffers;

/// <summary>A request for memory that could not be granted immediately.</summary>
internal sealed class MemoryWaiter : TaskCompletionSource
{
    /// <param name="use">The use of the memory.</param>
    /// <param name="bytes">The number of bytes; for read-ahead, the maximum.</param>
    /// <param name="sequence">A number that increases with each request.</param>
    /// <param name="share">The share of the stream that requests read-ahead; null for other uses.</param>
    public MemoryWaiter(MemoryUse use, long bytes, long sequence, MemoryShare? share)
        : base(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        Use = use;
        Bytes = bytes;
        Sequence = sequence;
        Share = share;
        Node = new LinkedListNode<MemoryWaiter>(this);
    }

    public MemoryUse Use { get; }

    public long Bytes { get; }

    public long Sequence { get; }

    public MemoryShare? Share { get; }

    public LinkedListNode<MemoryWaiter> Node { get; }

    /// <summary>Gets or sets a value that indicates whether the request is in one of the queues of the budget.</summary>
    public bool IsQueued { get; set; }

    /// <summary>
    /// Gets or sets the rank among the streams that wait for read-ahead; the lowest is served first: the stuck reader that may borrow; then readers that wait for data;
    /// then streams that hold the least (max-min fairness). It doesn't change while the request is queued.
    /// </summary>
    public (bool IsBehindStuck, bool IsBehindStarved, long HeldBytes, long Sequence) Rank { get; set; }
}
