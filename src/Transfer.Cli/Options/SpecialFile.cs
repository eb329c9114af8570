using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>Detects devices, pipes, and sockets, which must not be replaced by a file. .NET has no API for that.</summary>
internal static class SpecialFile
{
    private const int CurrentFolder = -100; // AT_FDCWD
    private const uint Type = 1; // STATX_TYPE
    private const int StatxBytes = 256;
    private const int StatxMode = 28; // the offset of the mode, on every architecture
    private const int TypeMask = 0xF000;
    private const int RegularFile = 0x8000;

    /// <summary>Gets whether a path, or what it links to, exists and is neither a regular file nor a folder.</summary>
    public static bool IsAt(string path)
        => File.Exists(path) && (OperatingSystem.IsLinux() ? !IsRegularFile(path) : path.StartsWith("/dev/", StringComparison.Ordinal));

    [SupportedOSPlatform("linux")]
    private static bool IsRegularFile(string path)
    {
        byte[] status = new byte[StatxBytes];
        return Statx(CurrentFolder, Encoding.UTF8.GetBytes(path + '\0'), 0, Type, status) == 0
            && (BitConverter.ToUInt16(status, StatxMode) & TypeMask) == RegularFile;
    }

    [DllImport("libc", EntryPoint = "statx")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Statx(int folder, byte[] path, int flags, uint mask, byte[] status);
}
