using System.Runtime.InteropServices;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>What processes have used so far, on Unix. Elsewhere, all is zero.</summary>
/// <param name="CpuSeconds">The CPU time in user and system mode.</param>
/// <param name="ContextSwitches">The voluntary and involuntary context switches of all threads.</param>
internal readonly record struct ProcessUsage(double CpuSeconds, long ContextSwitches)
{
    // The layout of struct rusage on 64-bit systems, in fields of 8 bytes.
    private const int Fields = 18;
    private const int UserSeconds = 0;
    private const int UserMicroseconds = 1;
    private const int SystemSeconds = 2;
    private const int SystemMicroseconds = 3;
    private const int VoluntarySwitches = 16;
    private const int InvoluntarySwitches = 17;

    public static ProcessUsage OfThisProcess() => Read(who: 0);

    /// <summary>Returns the usage of all child processes that have ended, including their own children.</summary>
    public static ProcessUsage OfChildren() => Read(who: -1);

    public static ProcessUsage operator -(ProcessUsage after, ProcessUsage before)
        => new(after.CpuSeconds - before.CpuSeconds, after.ContextSwitches - before.ContextSwitches);

    private static ProcessUsage Read(int who)
    {
        long[] usage = new long[Fields];
        if (OperatingSystem.IsWindows() || GetUsage(who, usage) != 0)
        {
            return default;
        }

        // Some systems have microseconds of 4 bytes.
        double cpu = usage[UserSeconds] + usage[SystemSeconds] + (((int)usage[UserMicroseconds] + (int)usage[SystemMicroseconds]) / 1e6);
        return new ProcessUsage(cpu, usage[VoluntarySwitches] + usage[InvoluntarySwitches]);
    }

    [DllImport("libc", EntryPoint = "getrusage")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetUsage(int who, [Out] long[] usage);
}
