using System.Numerics;

namespace Transfer.Concurrency;

/// <summary>What the requests of one direction did since the last sample. Only requests that started under the current limit count as completed.</summary>
/// <remarks>
/// A request takes the time to its first byte and the time of its data. Only both together tell how long it takes: whoever reads the first byte late finds the data behind it in
/// the buffers of the connection. The sizes of requests are kept apart by powers of two, because small ones are mostly latency.
/// </remarks>
internal sealed class LoadSample
{
    /// <summary>The number of size classes: 256 KiB and less, up to 512 KiB, and so on. The last one is open.</summary>
    public const int Sizes = 16;

    private static readonly int Smallest = BitOperations.Log2((ulong)RequestCost.MinBytes);
    private readonly (double Bytes, double Seconds)[] _work = new (double, double)[Sizes];

    /// <summary>Gets or sets the time since the last sample.</summary>
    public double Seconds { get; set; }

    /// <summary>Gets or sets the time that requests were in flight, summed over all requests.</summary>
    public double SlotSeconds { get; set; }

    /// <summary>Gets or sets the time during which requests waited for slots.</summary>
    public double FullSeconds { get; set; }

    /// <summary>Gets the number of requests that completed.</summary>
    public int Completed { get; private set; }

    /// <summary>Gets the number of requests that the store throttled, or that timed out.</summary>
    public int Rejected { get; private set; }

    /// <summary>Gets the fewest requests that were in flight when a request started that was then rejected, including that one.</summary>
    public int LeastRejected { get; private set; }

    /// <summary>Gets the bytes of all completed requests, with <see cref="RequestCost.MinBytes"/> for smaller ones.</summary>
    public double WorkBytes { get; private set; }

    /// <summary>Gets the durations of all completed requests, summed.</summary>
    public double WorkSeconds { get; private set; }

    /// <summary>Gets the bytes per second of all slots together.</summary>
    public double Rate => WorkSeconds > 0 ? InFlight * WorkBytes / WorkSeconds : 0;

    /// <summary>Gets the average number of requests in flight.</summary>
    public double InFlight => SlotSeconds / Seconds;

    /// <summary>Gets a value that indicates whether requests waited for slots most of the time.</summary>
    public bool IsFull => FullSeconds >= Seconds / 2;

    /// <summary>Gets the times to the first byte, summed over the requests whose times are known.</summary>
    public double LatencySeconds { get; private set; }

    /// <summary>Gets the number of the same requests.</summary>
    public int Timed { get; private set; }

    /// <summary>Adds a request that completed.</summary>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="seconds">Its duration.</param>
    /// <param name="firstByteSeconds">The time to its first byte; null if that is not known.</param>
    public void AddCompleted(long bytes, double seconds, double? firstByteSeconds = null)
    {
        Completed++;
        WorkBytes += Math.Max(bytes, RequestCost.MinBytes);
        WorkSeconds += seconds;
        if (firstByteSeconds is { } latency)
        {
            Timed++;
            LatencySeconds += latency;
        }

        ref (double Bytes, double Seconds) work = ref _work[SizeOf(bytes)];
        work = (work.Bytes + Math.Max(bytes, RequestCost.MinBytes), work.Seconds + seconds);
    }

    /// <summary>Adds a request that the store throttled, or that timed out.</summary>
    /// <param name="inFlight">The requests in flight when it started, including itself.</param>
    public void AddRejected(int inFlight)
    {
        LeastRejected = Rejected == 0 ? inFlight : Math.Min(LeastRejected, inFlight);
        Rejected++;
    }

    /// <summary>Gets the bytes and the durations of the completed requests of a size class, with <see cref="RequestCost.MinBytes"/> for smaller ones.</summary>
    public (double Bytes, double Seconds) WorkOf(int size) => _work[size];

    public void Clear()
    {
        (Seconds, SlotSeconds, FullSeconds, Completed, Rejected, LeastRejected) = (0, 0, 0, 0, 0, 0);
        (WorkBytes, WorkSeconds) = (0, 0);
        (LatencySeconds, Timed) = (0, 0);
        Array.Clear(_work);
    }

    private static int SizeOf(long bytes) => Math.Clamp(BitOperations.Log2((ulong)Math.Max(1, bytes - 1)) + 1 - Smallest, 0, Sizes - 1);
}
