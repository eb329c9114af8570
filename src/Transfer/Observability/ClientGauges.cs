using Transfer.Buffers;
using Transfer.Concurrency;

namespace Transfer.Observability;

/// <summary>The sources of the gauges for one client.</summary>
internal sealed class ClientGauges(RequestQueue queue, MemoryBudget memory)
{
    public RequestQueue Queue => queue;

    public MemoryBudget Memory => memory;
}
