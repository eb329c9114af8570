namespace Transfer.Buffers;

/// <summary>When a wait for memory ends with an error.</summary>
/// <param name="Time">The clock.</param>
/// <param name="Limit">How long nothing may happen that could free the memory.</param>
/// <param name="IsIdle">Whether nothing is in progress that returns memory without a caller.</param>
internal sealed record MemoryPatience(TimeProvider Time, TimeSpan Limit, Func<bool> IsIdle)
{
    /// <summary>How often a request that waits is looked at.</summary>
    public TimeSpan LookInterval => Limit / 2;
}
