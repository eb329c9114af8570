using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Transfer.S3.Cli.Execution;

/// <summary>Checks that the process can have enough open files and sockets. Without that, the runtime ends it at any moment, because it can't load its own files.</summary>
internal static class OpenFileLimit
{
    /// <summary>The limit with which the tool works. The runtime alone has more than 100 files open at times.</summary>
    private const long Least = 192;

    private const int OpenFiles = 7; // RLIMIT_NOFILE

    /// <summary>Gets what to do if the limit is too low; otherwise, null.</summary>
    public static string? Problem => OperatingSystem.IsLinux() ? Check(Current) : null;

    public static string? Check(long? limit) => limit < Least
        ? $"too many open files: the limit is {limit}, and at least {Least} are needed; raise it with 'ulimit -n 1024', or in the limits of the container or service"
        : null;

    // The runtime has already raised the limit to its maximum.
    [SupportedOSPlatform("linux")]
    private static long? Current
    {
        get
        {
            nuint[] limit = new nuint[2];
            return GetLimit(OpenFiles, limit) == 0 && limit[0] <= long.MaxValue ? (long)limit[0] : null;
        }
    }

    [DllImport("libc", EntryPoint = "getrlimit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetLimit(int resource, [Out] nuint[] limit);
}
