using System.Runtime.CompilerServices;

namespace Transfer.S3.Requests;

/// <summary>The sums of the times of each <see cref="TransferTimeKind"/>, in ticks. Adding is thread-safe.</summary>
[InlineArray((int)TransferTimeKind.Objects + 1)]
internal struct TransferTimeSums
{
    private long _first;

    /// <summary>Gets the sum of a kind.</summary>
    public readonly TimeSpan this[TransferTimeKind kind] => TimeSpan.FromTicks(Volatile.Read(in this[(int)kind]));

    public void Add(TransferTimeKind kind, TimeSpan time) => Interlocked.Add(ref this[(int)kind], time.Ticks);

    /// <summary>Gets what was added after an earlier state of the sums.</summary>
    public readonly TransferTimeSums Since(in TransferTimeSums earlier)
    {
        TransferTimeSums added = default;
        for (int i = 0; i <= (int)TransferTimeKind.Objects; i++)
        {
            added[i] = Volatile.Read(in this[i]) - earlier[i];
        }

        return added;
    }
}
