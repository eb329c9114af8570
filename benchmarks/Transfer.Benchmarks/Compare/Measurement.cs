using System.Diagnostics;
using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The cost of the work of one process. Except for the peak memory, the warm-up is excluded.</summary>
/// <param name="Seconds">The elapsed time.</param>
/// <param name="CpuSeconds">The CPU time of the client, without that of the server.</param>
/// <param name="Bytes">The bytes of the transferred objects.</param>
/// <param name="Objects">The number of transferred objects.</param>
/// <param name="AllocatedBytes">The managed bytes that were allocated.</param>
/// <param name="LargeObjectBytes">Those of the allocated bytes that are on the large object heap.</param>
/// <param name="FullCollections">The number of gen-2 collections.</param>
/// <param name="PeakMemoryBytes">The peak resident memory of the process, including start and warm-up.</param>
internal sealed record Measurement(
    double Seconds, double CpuSeconds, long Bytes, long Objects, long AllocatedBytes, long LargeObjectBytes, int FullCollections, long PeakMemoryBytes)
{
    private const int LargeObjectHeap = 3; // its index in GCMemoryInfo.GenerationInfo

    /// <summary>Gets the measured share of the process's work. The rest is the warm-up.</summary>
    public double MeasuredShare { get; init; }

    /// <summary>Gets the CPU time of the server for the measured work, in proportion to all work.</summary>
    public double ServerCpuSeconds { get; init; }

    /// <summary>Gets the end of the work as a timestamp of <see cref="Stopwatch"/>, whose clock all processes of a machine share.</summary>
    public long Ended { get; init; }

    /// <summary>Gets how often a thread had to wait for a lock that another thread held.</summary>
    public long LockContentions { get; init; }

    /// <summary>Gets the context switches of the client.</summary>
    public double ContextSwitches { get; init; }

    /// <summary>Gets the peak bytes of the client's buffers, including the warm-up; null if no client was used.</summary>
    public long? PeakBufferBytes { get; init; }

    /// <summary>Gets the latencies of single objects; null if they aren't measured.</summary>
    public Quantiles? Latencies { get; init; }

    /// <summary>Gets the share of each client in the bytes; null if there is one client.</summary>
    public double[]? Shares { get; init; }

    /// <summary>Gets the counters of the server during the measurement; null if the server doesn't support them.</summary>
    public ServerRecording? Server { get; init; }

    public static async Task<Measurement> TakeAsync(Func<Task> runAsync, Func<Task> warmUpAsync, TimeSpan? warmUpTime, int runs, long bytesPerRun, int objectsPerRun)
    {
        int warmUps = 0;
        for (long warmUp = Stopwatch.GetTimestamp(); warmUpTime is { } time && (warmUps == 0 || Stopwatch.GetElapsedTime(warmUp) < time); warmUps++)
        {
            await warmUpAsync();
        }

        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        int collections = GC.CollectionCount(2);
        long largeBefore = GC.GetGCMemoryInfo(GCKind.FullBlocking).GenerationInfo[LargeObjectHeap].SizeAfterBytes;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long contentions = Monitor.LockContentionCount;
        TimeSpan cpu = Environment.CpuUsage.TotalTime;
        ProcessUsage usage = ProcessUsage.OfThisProcess();
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < runs; i++)
        {
            await runAsync();
        }

        long end = Stopwatch.GetTimestamp();
        cpu = Environment.CpuUsage.TotalTime - cpu;
        usage = ProcessUsage.OfThisProcess() - usage;
        contentions = Monitor.LockContentionCount - contentions;
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        collections = GC.CollectionCount(2) - collections;

        // A full collection finds all large objects since the last one. If there were others meanwhile, the result is a lower bound.
        GC.Collect();
        long large = GC.GetGCMemoryInfo(GCKind.FullBlocking).GenerationInfo[LargeObjectHeap].SizeBeforeBytes - largeBefore;
        return new Measurement(
            Stopwatch.GetElapsedTime(start, end).TotalSeconds, cpu.TotalSeconds, runs * bytesPerRun, (long)runs * objectsPerRun, allocated, Math.Max(0, large), collections, PeakMemory())
        {
            MeasuredShare = (double)runs / (warmUps + runs),
            Ended = end,
            LockContentions = contentions,
            ContextSwitches = usage.ContextSwitches,
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
