namespace Transfer.Concurrency;

/// <summary>The waiting requests of one transfer and class, in order.</summary>
/// <param name="flow">The transfer.</param>
/// <param name="id">Orders lines whose transfers were served equally. The older line has the lower ID.</param>
internal sealed class FlowQueue(TransferFlow flow, long id)
{
    public TransferFlow Flow => flow;

    public long Id => id;

    public LinkedList<RequestWaiter> Waiters { get; } = new();

    /// <summary>
    /// Gets or sets the virtual time by which the line is sorted. It is set only while the line is in no lane, or alone in one.
    /// </summary>
    public double Rank { get; set; }
}
