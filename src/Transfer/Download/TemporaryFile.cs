using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Download;

/// <summary>The file that a download is written to before it takes the target's name: hidden, and readable by its owner alone until then.</summary>
internal static class TemporaryFile
{
    private const int MaxNameBytes = 255;
    private const string Suffix = ".transfer";

    /// <summary>Makes a new file of <paramref name="length"/> bytes beside <paramref name="path"/>, and the folders on the way to it.</summary>
    public static (string Path, FileStream File) Create(string path, long length)
    {
        string folder = Path.GetDirectoryName(path)!;
        Directory.CreateDirectory(folder);
        string name = Path.GetFileName(path);

        // A name near the file system's limit leaves no room for ours behind it.
        if (System.Text.Encoding.UTF8.GetByteCount(name) > MaxNameBytes - 32)
        {
            name = string.Empty;
        }

        string temporary = Path.Combine(folder, $".{name}.{Guid.NewGuid().ToString("N")[..12]}{Suffix}");
        try
        {
            return (temporary, Open(temporary, length));
        }
        catch (IOException e) when (IsNoSpace(e))
        {
            File.Delete(temporary);
            throw new IOException($"There is no room for {Sizes.Text(length)} in '{folder}'.", e);
        }
    }

    /// <summary>The mode that a file at the path has when it is written the plain way: its own if it is there, else what the process gives to new ones.</summary>
    [UnsupportedOSPlatform("windows")]
    public static UnixFileMode ModeOf(string path)
    {
        try
        {
            return File.GetUnixFileMode(path);
        }
        catch (FileNotFoundException)
        {
            // The process's umask can't be read without setting it, which other threads would notice; a new file shows what comes of it.
            string probe = Path.Combine(Path.GetDirectoryName(path)!, $".{Guid.NewGuid():N}{Suffix}");
            using SafeFileHandle handle = File.OpenHandle(probe, FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.DeleteOnClose);
            return File.GetUnixFileMode(handle);
        }
    }

    // A stream, because only a stream can be told the mode; it buffers nothing.
    private static FileStream Open(string path, long length)
    {
        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.Write,
            Share = FileShare.Read,
            BufferSize = 0,
            PreallocationSize = length,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        return new FileStream(path, options);
    }

    private static bool IsNoSpace(IOException e)
    {
        const int noSpaceWindows = unchecked((int)0x80070070);
        const int noSpaceUnix = 28; // ENOSPC
        const int tooLargeUnix = 27; // EFBIG
        return e.HResult == noSpaceWindows
            || (!OperatingSystem.IsWindows() && (e.HResult is noSpaceUnix or tooLargeUnix))
            || e.Message.Contains("disk was full", StringComparison.OrdinalIgnoreCase)
            || e.Message.Contains("too large", StringComparison.OrdinalIgnoreCase);
    }
}
