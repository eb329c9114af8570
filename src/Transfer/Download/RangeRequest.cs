using Transfer.S3.Concurrency;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>A request for a range of an object.</summary>
/// <param name="Offset">The offset of the first byte.</param>
/// <param name="Length">The number of bytes; null for the whole object.</param>
/// <param name="Condition">The conditions that the object must meet.</param>
/// <param name="WantChecksum">Whether the checksum of the object is requested.</param>
/// <param name="Cost">The class and the cost of the request.</param>
internal readonly record struct RangeRequest(long Offset, long? Length, ReadCondition Condition, bool WantChecksum, RequestCost Cost)
{
    /// <summary>Gets a value that indicates whether the range is the last bytes of the object, and <see cref="Offset"/> isn't used.</summary>
    public bool IsLast { get; init; }

    /// <summary>Gets the bytes of the object, if offset 0 is at <paramref name="origin"/>.</summary>
    /// <param name="origin">The position of offset 0.</param>
    /// <param name="total">The size of the object; negative if it isn't known.</param>
    public RequestedRange Resolve(long origin, long total)
        => (IsLast ? RequestedRange.Last(Length!.Value) : new RequestedRange(origin + Offset, Length)) with { Total = total < 0 ? null : total };
}
