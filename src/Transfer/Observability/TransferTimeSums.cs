using System.Runtime.CompilerServices;

namespace Transfer.Observability;

/// <summary>The sums of the times of each <see cref="TransferTimeKind"/>, in ticks. Adding is thread-safe.</summary>
[InlineArray((int)TransferTimeKind.Objects + 1)]
internal struct TransferTimeSums
{
    private long _first;

    /// <summary>Gets the sum of a kind.</summary>
    public readonly TimeSpan this[TransferTimeKind kind] => TimeSpan.FromTicks(Volatile.Read(in this[(int)kind]));

    public void Add(TransferTimeKind kind, TimeSpan time) => Interlocked.Add(ref this[(int)kind], time.Ticks);
}
