using System.Runtime.InteropServices;

namespace Transfer.Download;

/// <summary>What a path on this machine is, for a download that is to be written to it.</summary>
internal static partial class LocalTarget
{
    private const int FileTypeMask = 0xF000;
    private const int RegularFile = 0x8000;
    private const int AtCurrentFolder = -100;
    private const uint StatxType = 1;

    /// <summary>The full path of the file that a download is to replace: behind links, so that a link stays one.</summary>
    /// <exception cref="ArgumentException">The path is a folder.</exception>
    public static string Resolve(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = Path.GetFullPath(path);
        if (Path.EndsInDirectorySeparator(path) || Directory.Exists(full))
        {
            throw new ArgumentException($"The path '{path}' is a folder: name the file that is to be written.", nameof(path));
        }

        // A link whose target is missing is still a link: the target is what is made.
        FileInfo file = new(full);
        return file.LinkTarget is null ? full : file.ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? full;
    }

    /// <summary>Whether something is there that is no regular file: a device or a pipe, which is written to and never replaced.</summary>
    public static bool IsSpecial(string path)
    {
        if (!File.Exists(path))
        {
            return false;
        }

        if (!OperatingSystem.IsLinux())
        {
            return path.StartsWith("/dev/", StringComparison.Ordinal);
        }

        // statx has the same layout on every processor, which stat does not; the mode is 28 bytes in.
        Span<byte> buffer = stackalloc byte[256];
        return Statx(AtCurrentFolder, path, 0, StatxType, ref MemoryMarshal.GetReference(buffer)) == 0
            && (MemoryMarshal.Read<ushort>(buffer[28..]) & FileTypeMask) != RegularFile;
    }

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Statx(int folder, string path, int flags, uint mask, ref byte buffer);
}
