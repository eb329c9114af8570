using System.Diagnostics;
using System.Globalization;

namespace Transfer.Benchmarks.Compare;

/// <summary>What one process needed for its work, warm-up excluded but for the peak.</summary>
/// <param name="Seconds">Wall time.</param>
/// <param name="CpuSeconds">Processor time of the client alone.</param>
/// <param name="Bytes">Bytes of objects that were moved.</param>
/// <param name="Objects">Objects that were moved.</param>
/// <param name="AllocatedBytes">Managed bytes allocated.</param>
/// <param name="LargeObjectBytes">Of those, bytes that went to the large object heap.</param>
/// <param name="FullCollections">Gen-2 collections.</param>
/// <param name="PeakMemoryBytes">Most memory that the process ever had resident, start and warm-up included.</param>
internal sealed record Measurement(
    double Seconds, double CpuSeconds, long Bytes, long Objects, long AllocatedBytes, long LargeObjectBytes, int FullCollections, long PeakMemoryBytes)
{
    private const int LargeObjectHeap = 3; // its place in GCMemoryInfo.GenerationInfo

    /// <summary>How much of the process's work was measured; the rest was warm-up.</summary>
    public double MeasuredShare { get; init; }

    /// <summary>Processor time of the server for the work that was measured, by its share of all.</summary>
    public double ServerCpuSeconds { get; init; }

    /// <summary>When the work was done, by <see cref="Stopwatch"/>, whose clock all processes of a machine share.</summary>
    public long Ended { get; init; }

    /// <summary>How often a thread had to wait for a lock that another one held.</summary>
    public long LockContentions { get; init; }

    /// <summary>The most bytes of the client's buffers that were in use at once, warm-up included; null if nobody used a client.</summary>
    public long? PeakBufferBytes { get; init; }

    /// <summary>The latencies of single objects; null where they aren't measured.</summary>
    public Quantiles? Latencies { get; init; }

    /// <summary>The share of each client in the bytes; null where there is one client.</summary>
    public double[]? Shares { get; init; }

    /// <summary>What the server counted meanwhile; null if it can't tell.</summary>
    public ServerRecording? Server { get; init; }

    public static async Task<Measurement> TakeAsync(Func<Task> runAsync, TimeSpan? warmUpTime, int runs, long bytesPerRun, int objectsPerRun)
    {
        int warmUps = 0;
        for (long warmUp = Stopwatch.GetTimestamp(); warmUpTime is { } time && (warmUps == 0 || Stopwatch.GetElapsedTime(warmUp) < time); warmUps++)
        {
            await runAsync();
        }

        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        int collections = GC.CollectionCount(2);
        long largeBefore = GC.GetGCMemoryInfo(GCKind.FullBlocking).GenerationInfo[LargeObjectHeap].SizeAfterBytes;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long contentions = Monitor.LockContentionCount;
        TimeSpan cpu = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < runs; i++)
        {
            await runAsync();
        }

        long end = Stopwatch.GetTimestamp();
        cpu = Environment.CpuUsage.TotalTime - cpu;
        contentions = Monitor.LockContentionCount - contentions;
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        collections = GC.CollectionCount(2) - collections;

        // What a full collection finds on that heap is all that came to it since the last one; where there were some in between, it is the least.
        GC.Collect();
        long large = GC.GetGCMemoryInfo(GCKind.FullBlocking).GenerationInfo[LargeObjectHeap].SizeBeforeBytes - largeBefore;
        return new Measurement(
            Stopwatch.GetElapsedTime(start, end).TotalSeconds, cpu.TotalSeconds, runs * bytesPerRun, (long)runs * objectsPerRun, allocated, Math.Max(0, large), collections, PeakMemory())
        {
            MeasuredShare = (double)runs / (warmUps + runs),
            Ended = end,
            LockContentions = contentions,
        };
    }

    private static long PeakMemory()
    {
        const string Field = "VmHWM:";
        if (OperatingSystem.IsLinux() && File.ReadLines("/proc/self/status").FirstOrDefault(line => line.StartsWith(Field, StringComparison.Ordinal)) is { } peak)
        {
            return long.Parse(peak[Field.Length..].Replace("kB", null, StringComparison.Ordinal), NumberStyles.Integer | NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture) * 1024;
        }

        using Process self = Process.GetCurrentProcess();
        return self.PeakWorkingSet64;
    }
}
