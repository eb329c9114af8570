using System.Numerics;

namespace Transfer.S3.Concurrency;

/// <summary>The requests of one direction since the last sample. Only requests that started under the current limit count as completed.</summary>
/// <remarks>
/// The duration of a request consists of the time to its first byte and the time of its data. Only both together are meaningful: if the first byte is
/// read late, the data after it is already in the buffers of the connection. Requests are grouped by powers of two of their size, because small ones
/// are mostly latency.
/// </remarks>
internal sealed class LoadSample
{
    /// <summary>The number of size classes: up to 256 KiB, up to 512 KiB, and so on. The last class has no upper limit.</summary>
    public const int Sizes = 16;

    private static readonly int Smallest = BitOperations.Log2((ulong)RequestCost.MinBytes);
    private readonly (double Bytes, double Seconds)[] _work = new (double, double)[Sizes];

    /// <summary>Gets or sets the time since the last sample.</summary>
    public double Seconds { get; set; }

    /// <summary>Gets or sets the time that requests were in flight, summed over all requests.</summary>
    public double SlotSeconds { get; set; }

    /// <summary>Gets or sets the time during which requests waited for slots.</summary>
    public double FullSeconds { get; set; }

    /// <summary>Gets or sets the number of requests that started.</summary>
    public int Started { get; set; }

    /// <summary>Gets the number of requests that completed.</summary>
    public int Completed { get; private set; }

    /// <summary>Gets the number of requests that the store throttled, or that timed out.</summary>
    public int Rejected { get; private set; }

    /// <summary>Gets the lowest number of requests in flight at the start of a request that was then rejected, including that one.</summary>
    public int LeastRejected { get; private set; }

    /// <summary>Gets the total size of all completed requests. Smaller requests count as <see cref="RequestCost.MinBytes"/>.</summary>
    public double WorkBytes { get; private set; }

    /// <summary>Gets the total duration of all completed requests.</summary>
    public double WorkSeconds { get; private set; }

    /// <summary>Gets the rate of all slots together, in bytes per second.</summary>
    public double Rate => WorkSeconds > 0 ? InFlight * WorkBytes / WorkSeconds : 0;

    /// <summary>Gets the part of the rate that isn't that of small objects, which count as more bytes than they have.</summary>
    public double LargeRate => WorkSeconds > 0 ? InFlight * (WorkBytes - _work[0].Bytes) / WorkSeconds : 0;

    /// <summary>Gets the average number of requests in flight.</summary>
    public double InFlight => SlotSeconds / Seconds;

    /// <summary>Gets a value that indicates whether requests waited for slots most of the time.</summary>
    public bool IsFull => FullSeconds >= Seconds / 2;

    /// <summary>Gets the total time to the first byte of the requests for which it is known.</summary>
    public double LatencySeconds { get; private set; }

    /// <summary>Gets the number of requests whose time to the first byte is known.</summary>
    public int Timed { get; private set; }

    /// <summary>Gets the shortest time to the first byte; infinite if none is known.</summary>
    public double ShortestLatencySeconds { get; private set; } = double.PositiveInfinity;

    /// <summary>Adds a request that completed.</summary>
    /// <param name="bytes">The size of the request, in bytes.</param>
    /// <param name="seconds">The duration of the request.</param>
    /// <param name="firstByteSeconds">The time to its first byte; null if it is not known.</param>
    public void AddCompleted(long bytes, double seconds, double? firstByteSeconds = null)
    {
        Completed++;
        WorkBytes += Math.Max(bytes, RequestCost.MinBytes);
        WorkSeconds += seconds;
        if (firstByteSeconds is { } latency)
        {
            Timed++;
            LatencySeconds += latency;
            ShortestLatencySeconds = Math.Min(ShortestLatencySeconds, latency);
        }

        ref (double Bytes, double Seconds) work = ref _work[GetSize(bytes)];
        work = (work.Bytes + Math.Max(bytes, RequestCost.MinBytes), work.Seconds + seconds);
    }

    /// <summary>Adds a request that the store throttled, or that timed out.</summary>
    /// <param name="inFlight">The number of requests in flight when it started, including itself.</param>
    public void AddRejected(int inFlight)
    {
        LeastRejected = Rejected == 0 ? inFlight : Math.Min(LeastRejected, inFlight);
        Rejected++;
    }

    /// <summary>
    /// Gets the total size and duration of the completed requests of a size class. Smaller requests count as <see cref="RequestCost.MinBytes"/>.
    /// </summary>
    public (double Bytes, double Seconds) GetWork(int size) => _work[size];

    public void Clear()
    {
        (Seconds, SlotSeconds, FullSeconds, Started, Completed, Rejected, LeastRejected) = (0, 0, 0, 0, 0, 0, 0);
        (WorkBytes, WorkSeconds) = (0, 0);
        (LatencySeconds, Timed, ShortestLatencySeconds) = (0, 0, double.PositiveInfinity);
        Array.Clear(_work);
    }

    private static int GetSize(long bytes) => Math.Clamp(BitOperations.Log2((ulong)Math.Max(1, bytes - 1)) + 1 - Smallest, 0, Sizes - 1);
}
