namespace Transfer;

/// <summary>
/// The events of a transfer: <see cref="Initiated"/>, any number of <see cref="Progressed"/>, then one of <see cref="Completed"/> and
/// <see cref="Failed"/>, and nothing after that.
/// </summary>
/// <remarks>
/// The handlers of one transfer are called one at a time, on a thread of the thread pool, and the call that started the transfer
/// returns after the last one of them. Bytes go on moving while a handler runs; progress that came meanwhile is told in one
/// event. What a handler throws is logged and otherwise ignored. One instance can serve many transfers: then handlers of different
/// transfers run side by side.
/// </remarks>
public sealed class TransferEvents
{
    /// <summary>The transfer begins. Nothing is known about the object yet.</summary>
    public event EventHandler<TransferEventArgs>? Initiated;

    /// <summary>The transfer went on.</summary>
    public event EventHandler<TransferEventArgs>? Progressed;

    /// <summary>The transfer is done: the object or the file is there under its name.</summary>
    public event EventHandler<TransferEventArgs>? Completed;

    /// <summary>The transfer ended without success; what it began has been cleaned up.</summary>
    public event EventHandler<TransferEventArgs>? Failed;

    internal void RaiseInitiated(TransferEventArgs e) => Initiated?.Invoke(this, e);

    internal void RaiseProgressed(TransferEventArgs e) => Progressed?.Invoke(this, e);

    internal void RaiseCompleted(TransferEventArgs e) => Completed?.Invoke(this, e);

    internal void RaiseFailed(TransferEventArgs e) => Failed?.Invoke(this, e);
}
