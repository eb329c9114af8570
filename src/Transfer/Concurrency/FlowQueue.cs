namespace Transfer.S3.Concurrency;

/// <summary>The waiting requests of one transfer and class, in order.</summary>
/// <param name="flow">The transfer.</param>
internal sealed class FlowQueue(TransferFlow flow)
{
    public TransferFlow Flow => flow;

    /// <summary>
    /// Gets or sets the number that orders lines with the same <see cref="Rank"/>: the one that began to wait first has the lowest. It is set only while the line is in
    /// no lane.
    /// </summary>
    public long Arrival { get; set; }

    public LinkedList<RequestWaiter> Waiters { get; } = new();

    /// <summary>
    /// Gets or sets the virtual time by which the line is sorted. It is set only while the line is in no lane, or alone in one.
    /// </summary>
    public double Rank { get; set; }
}
