namespace Transfer.Concurrency;

/// <summary>One transfer's share of the request slots. All state is guarded by the lock of the <see cref="RequestQueue"/>.</summary>
/// <param name="direction">The direction in which the transfer moves data.</param>
internal sealed class TransferFlow(RequestDirection direction)
{
    public RequestDirection Direction => direction;

    /// <summary>Gets or sets the virtual time up to which the transfer was served, in bytes.</summary>
    public double ServedBytes { get; set; }

    /// <summary>Gets a value that indicates whether any request of the transfer waits for a slot.</summary>
    public bool IsWaiting => Array.Exists(Lines, static line => line is { Waiters.Count: > 0 });

    /// <summary>Gets the waiting requests by class. An entry is null until the first request of its class has to wait.</summary>
    public FlowLine?[] Lines { get; } = new FlowLine?[RequestQueue.Classes];
}
