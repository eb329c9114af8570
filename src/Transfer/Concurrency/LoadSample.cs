using System.Numerics;

namespace Transfer.Concurrency;

/// <summary>What the requests of one direction did since the last sample. Only requests that started under the current limit count as completed.</summary>
/// <remarks>
/// A request takes the time to its first byte and the time of its data. For uploads, only both together are known. The sizes of requests are kept apart by powers of two: small
/// ones are mostly latency, and their data is partly in a buffer before the first byte is read.
/// </remarks>
internal sealed class LoadSample
{
    /// <summary>The number of size classes: 256 KiB and less, up to 512 KiB, and so on. The last one is open.</summary>
    public const int Sizes = 16;

    private static readonly int Smallest = BitOperations.Log2((ulong)RequestCost.MinBytes);
    private readonly (double Bytes, double Seconds)[] _whole = new (double, double)[Sizes];
    private readonly (double Bytes, double Seconds)[] _data = new (double, double)[Sizes];

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
        int size = SizeOf(bytes);
        if (firstByteSeconds is { } latency)
        {
            Timed++;
            LatencySeconds += latency;
            Add(ref _data[size], bytes, Math.Max(0, seconds - latency));
        }
        else
        {
            Add(ref _whole[size], Math.Max(bytes, RequestCost.MinBytes), seconds);
        }
    }

    /// <summary>Adds a request that the store throttled, or that timed out.</summary>
    /// <param name="inFlight">The requests in flight when it started, including itself.</param>
    public void AddRejected(int inFlight)
    {
        LeastRejected = Rejected == 0 ? inFlight : Math.Min(LeastRejected, inFlight);
        Rejected++;
    }

    /// <summary>Gets the bytes and the durations of the completed requests of a size class whose latency is not known.</summary>
    public (double Bytes, double Seconds) WholeOf(int size) => _whole[size];

    /// <summary>Gets the bytes, and the times of the data behind the first byte, of the completed requests of a size class whose latency is known.</summary>
    public (double Bytes, double Seconds) DataOf(int size) => _data[size];

    public void Clear()
    {
        (Seconds, SlotSeconds, FullSeconds, Completed, Rejected, LeastRejected) = (0, 0, 0, 0, 0, 0);
        (WorkBytes, WorkSeconds) = (0, 0);
        (LatencySeconds, Timed) = (0, 0);
        Array.Clear(_whole);
        Array.Clear(_data);
    }

    private static void Add(ref (double Bytes, double Seconds) sum, double bytes, double seconds) => sum = (sum.Bytes + bytes, sum.Seconds + seconds);

    private static int SizeOf(long bytes) => Math.Clamp(BitOperations.Log2((ulong)Math.Max(1, bytes - 1)) + 1 - Smallest, 0, Sizes - 1);
}
