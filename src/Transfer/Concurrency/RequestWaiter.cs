namespace Transfer.S3.Concurrency;

/// <summary>A request that waits for a slot.</summary>
internal sealed class RequestWaiter : TaskCompletionSource<RequestSlot>
{
    private readonly RequestQueue _queue;

    public RequestWaiter(RequestQueue queue, RequestCost cost)
        : base(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        _queue = queue;
        Cost = cost;
        Node = new LinkedListNode<RequestWaiter>(this);
    }

    public RequestCost Cost { get; }

    /// <summary>Gets the node of the waiter in its line.</summary>
    public LinkedListNode<RequestWaiter> Node { get; }

    /// <summary>Gets or sets the line in which the request waits; null before and after that. Guarded by the queue's lock.</summary>
    public FlowQueue? Line { get; set; }

    /// <summary>Gets or sets the registration of the cancellation. Set before the request begins to wait.</summary>
    public CancellationTokenRegistration Registration { get; set; }

    /// <summary>Ends the wait, unless a slot was granted before.</summary>
    public void Cancel(CancellationToken cancellationToken)
    {
        if (_queue.TryRemove(this))
        {
            Registration.Unregister();
            SetCanceled(cancellationToken);
        }
    }
}
