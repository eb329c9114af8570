using Transfer.S3.Buffers;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>How the pages of a listing are requested.</summary>
/// <param name="SendAsync">Requests the page after another one, or the first page.</param>
/// <param name="MostAtOnce">Gets the maximum number of requests in flight.</param>
/// <param name="Budget">The memory for pages that are read ahead.</param>
/// <param name="Time">The clock.</param>
internal sealed record ListingRequests(
    Func<ListQuery, PageEnd?, CancellationToken, Task<Page<ListedObject>>> SendAsync, Func<int> MostAtOnce, MemoryBudget Budget, TimeProvider Time);
