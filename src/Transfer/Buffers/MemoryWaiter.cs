namespace Transfer.Buffers;

/// <summary>A request for memory that could not be granted at once.</summary>
internal sealed class MemoryWaiter : TaskCompletionSource
{
    /// <param name="use">What the memory is for.</param>
    /// <param name="bytes">Bytes wanted; for read-ahead, the most that is wanted.</param>
    /// <param name="sequence">Grows with each request: the oldest has the lowest.</param>
    /// <param name="share">The stream that asks for read-ahead; null for other uses.</param>
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

    /// <summary>Whether the request is in one of the budget's queues.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Bytes that were granted and, for read-ahead, not taken yet.</summary>
    public long GrantedBytes { get; set; }

    /// <summary>The place among the streams that wait for read-ahead; it doesn't change while the request is queued.</summary>
    public ReadAheadRank Rank { get; set; }

    /// <summary>Completes the request after it was granted. Not called under the budget's lock.</summary>
    public void Complete() => TrySetResult();
}
