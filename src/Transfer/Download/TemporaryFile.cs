using Microsoft.Win32.SafeHandles;

namespace Transfer.Download;

/// <summary>The file that a download is written to before it takes the target's name: hidden, and readable by its owner alone until then.</summary>
internal static class TemporaryFile
{
    private const int MaxNameBytes = 255;
    private const string Suffix = ".transfer";

    /// <summary>Makes a new file of <paramref name="length"/> bytes beside <paramref name="path"/>, and the folders on the way to it.</summary>
    public static (string Path, SafeFileHandle Handle) Create(string path, long length)
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
            return (temporary, File.OpenHandle(temporary, FileMode.CreateNew, FileAccess.Write, FileShare.Read, FileOptions.None, length));
        }
        catch (IOException e) when (IsNoSpace(e))
        {
            File.Delete(temporary);
            throw new IOException($"There is no room for {Sizes.Text(length)} in '{folder}'.", e);
        }
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
