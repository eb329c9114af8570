using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>The sources of the gauges for one client.</summary>
internal sealed class ClientGauges(RequestQueue queue, MemoryBudget memory)
{
    public RequestQueue Queue => queue;

    public MemoryBudget Memory => memory;
}
