using Microsoft.Win32.SafeHandles;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>Opens the file of --events or --report before anything is transferred.</summary>
internal static class EventFile
{
    /// <summary>Opens a file to append to.</summary>
    /// <param name="given">The path.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation. Opening a named pipe waits for its reader.</param>
    /// <param name="accepted">What the option accepts, in messages.</param>
    /// <exception cref="UsageException">The file can't be written, or another process writes to it.</exception>
    public static async Task<FileStream> OpenAsync(GivenValue given, CancellationToken cancellationToken, string accepted = "a file, or - for standard error")
    {
        try
        {
            return await Task.Run(() => Open(given.Text), cancellationToken).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException(
                $"{given.Source} got '{Printable.Text(given.Text)}', which can't be written: {Reason(e, given.Text)}; it accepts {accepted}", e);
        }
    }

    private static FileStream Open(string path)
    {
        bool needsLineBreak = EndsWithinALine(path);

        // Readers can follow the file. On Windows, sharing excludes other writers. Elsewhere, only a lock does.
        FileStreamOptions options = new()
        {
            Mode = FileMode.Append,
            Access = FileAccess.Write,
            Share = OperatingSystem.IsWindows() ? FileShare.Read : FileShare.ReadWrite,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite; // keys and messages of the store are nobody else's business
        }

        FileStream file = new(path, options);
        try
        {
            if (!SpecialFile.IsAt(path))
            {
                Lock(file);
            }

            if (needsLineBreak)
            {
                file.Write("\n"u8);
            }

            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Excludes other writers, which would overwrite each other's lines.</summary>
    private static void Lock(FileStream file)
    {
        if (!OperatingSystem.IsLinux())
        {
            return; // Windows excludes them by sharing
        }

        try
        {
            file.Lock(0, 0); // all of it, however long it becomes
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new IOException("another process writes to it", e);
        }
    }

    /// <summary>Gets whether an earlier process ended before it had written all of its last line.</summary>
    private static bool EndsWithinALine(string path)
    {
        if (!File.Exists(path) || SpecialFile.IsAt(path))
        {
            return false;
        }

        try
        {
            using SafeFileHandle file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            byte[] last = new byte[1];
            return RandomAccess.GetLength(file) is > 0 and long length && RandomAccess.Read(file, last, length - 1) == 1 && last[0] != '\n';
        }
        catch (UnauthorizedAccessException)
        {
            return false; // it can still be writable
        }
    }

    private static string Reason(Exception e, string path) => e switch
    {
        DirectoryNotFoundException => "there is no such folder",
        _ when Directory.Exists(path) => "it is a folder",
        _ => Printable.Line(FileError.GetReason(e)),
    };
}
