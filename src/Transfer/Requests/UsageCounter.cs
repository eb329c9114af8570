namespace Transfer.S3.Requests;

/// <summary>Counts what a client sends to its stores and receives, without locks. If there is a limit, it is asked before each request.</summary>
/// <param name="limit">The limit, which other clients can share; null for none.</param>
/// <param name="time">The clock.</param>
internal sealed class UsageCounter(UsageLimit? limit, TimeProvider time)
{
    private long _writes;
    private long _lists;
    private long _reads;
    private long _deletes;
    private long _sent;
    private long _received;
    private long _copied;

    public StoreUsage Current => new()
    {
        Writes = Volatile.Read(ref _writes),
        Lists = Volatile.Read(ref _lists),
        Reads = Volatile.Read(ref _reads),
        Deletes = Volatile.Read(ref _deletes),
        BytesSent = Volatile.Read(ref _sent),
        BytesReceived = Volatile.Read(ref _received),
        BytesCopied = Volatile.Read(ref _copied),
    };

    /// <summary>Counts a request that is about to be sent.</summary>
    /// <param name="kind">The operation.</param>
    /// <param name="sent">The number of bytes of content that it sends.</param>
    /// <param name="requested">The number of bytes of content that it requests. They are counted when they arrive.</param>
    /// <param name="copied">The number of bytes of content that the store copies.</param>
    /// <exception cref="TransferException">Thrown when it would exceed the limit.</exception>
    public void Begin(RequestKind kind, long sent = 0, long requested = 0, long copied = 0)
    {
        StoreUsage one = kind.ToUsage();
        limit?.Enter(one with { BytesSent = sent, BytesReceived = requested, BytesCopied = copied }, time);
        ref long requests = ref one.Writes > 0 ? ref _writes : ref one.Lists > 0 ? ref _lists : ref one.Deletes > 0 ? ref _deletes : ref _reads;
        Interlocked.Increment(ref requests);
        if (sent > 0)
        {
            Interlocked.Add(ref _sent, sent);
        }

        if (copied > 0)
        {
            Interlocked.Add(ref _copied, copied);
        }
    }

    /// <summary>Counts content that has arrived.</summary>
    public void Received(int bytes) => Interlocked.Add(ref _received, bytes);

    /// <summary>Corrects the number of bytes that were requested, because the response has another one.</summary>
    public void CorrectRequested(long by)
    {
        if (by != 0)
        {
            limit?.Correct(new StoreUsage { BytesReceived = by });
        }
    }
}
