using Transfer.Concurrency;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>A request for a range of an object.</summary>
/// <param name="Offset">The offset of the first byte.</param>
/// <param name="Length">The number of bytes; null for the whole object.</param>
/// <param name="Condition">The conditions that the object must meet.</param>
/// <param name="WantChecksum">Whether the checksum of the object is requested.</param>
/// <param name="Cost">The class and the cost of the request.</param>
/// <param name="IsRetry">Whether the request repeats one that failed.</param>
internal readonly record struct RangeRequest(long Offset, long? Length, ReadCondition Condition, bool WantChecksum, RequestCost Cost, bool IsRetry);
