using Transfer.Buffers;
using Transfer.Concurrency;

namespace Transfer.Observability;

/// <summary>What the gauges of a meter read of one client.</summary>
internal sealed class ClientGauges(RequestQueue queue, MemoryBudget memory)
{
    public RequestQueue Queue => queue;

    public MemoryBudget Memory => memory;
}
