namespace Transfer.S3.Buffers;

/// <summary>Specifies when a wait for memory ends with an error.</summary>
/// <param name="Time">The clock.</param>
/// <param name="Limit">The time after which the wait ends if nothing happens that could free the memory.</param>
/// <param name="IsIdle">Returns whether nothing is in progress that releases memory without a caller.</param>
internal sealed record MemoryWaitLimit(TimeProvider Time, TimeSpan Limit, Func<bool> IsIdle)
{
    /// <summary>Gets the interval at which a waiting request is checked.</summary>
    public TimeSpan LookInterval => Limit / 2;
}
