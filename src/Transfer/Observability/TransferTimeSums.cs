using System.Runtime.CompilerServices;

namespace Transfer.Observability;

/// <summary>The ticks of each <see cref="TransferTimeKind"/>. Can be added to from any thread.</summary>
[InlineArray((int)TransferTimeKind.Objects + 1)]
internal struct TransferTimeSums
{
    private long _first;

    /// <summary>Gets the sum of a kind.</summary>
    public readonly TimeSpan this[TransferTimeKind kind] => TimeSpan.FromTicks(Volatile.Read(in this[(int)kind]));

    public void Add(TransferTimeKind kind, TimeSpan time) => Interlocked.Add(ref this[(int)kind], time.Ticks);
}
