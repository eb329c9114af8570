using System.Diagnostics;
using System.Globalization;

namespace Transfer.S3.Bench.Measuring;

/// <summary>Measures the peak memory of this process.</summary>
internal static class PeakMemory
{
    private const string Status = "/proc/self/status";
    private const string Field = "VmHWM:"; // in KiB, such as "VmHWM:	  123456 kB"
    private const int KiB = 1024;

    /// <summary>Gets the peak of the physical memory since the start of the process. .NET doesn't report it on Linux.</summary>
    public static long Bytes()
    {
        if (OperatingSystem.IsLinux() && File.ReadLines(Status).FirstOrDefault(line => line.StartsWith(Field, StringComparison.Ordinal)) is { } peak)
        {
            return long.Parse(peak[Field.Length..].Replace("kB", null, StringComparison.Ordinal).Trim(), NumberStyles.None, CultureInfo.InvariantCulture) * KiB;
        }

        using Process self = Process.GetCurrentProcess();
        return self.PeakWorkingSet64;
    }
}
