using System.Runtime.InteropServices;

namespace Transfer.S3.Files;

/// <content>Limits of the process.</content>
internal static partial class Libc
{
    private const int OpenFiles = 7; // RLIMIT_NOFILE of asm-generic/resource.h

    /// <summary>
    /// Gets the number of files and sockets that the process can have open; null if it isn't known. The runtime has already raised the limit to its maximum.
    /// </summary>
    public static long? MostOpenFiles => GetLimit(OpenFiles, out Limit limit) == 0 && limit.Current <= long.MaxValue ? (long)limit.Current : null;

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out Limit limit);

    [StructLayout(LayoutKind.Sequential)]
    private struct Limit
    {
        public nuint Current;
        public nuint Most;
    }
}
