using Microsoft.Win32.SafeHandles;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Rendering;

/// <summary>Standard input and output as streams of bytes.</summary>
internal static class StandardStreams
{
    /// <summary>
    /// Opens standard output. The stream of .NET ignores a closed pipe, so a transfer would continue without a reader; a file stream
    /// throws. For a file, the stream of .NET is used, because a file stream wouldn't move the position that other programs share.
    /// </summary>
    public static Stream OpenOutput()
    {
        FileStream? stream = Open(1, FileAccess.Write);
        if (stream is { CanSeek: false })
        {
            return new OutputStream(stream);
        }

        stream?.Dispose();
        return new OutputStream(Console.OpenStandardOutput());
    }

    /// <summary>Opens standard input. If it is a file, the stream is seekable and has a length.</summary>
    public static Stream OpenInput()
    {
        FileStream? stream = Open(0, FileAccess.Read);
        if (stream is { CanSeek: true, Length: > 0 })
        {
            return stream;
        }

        stream?.Dispose();
        return Console.OpenStandardInput();
    }

    /// <summary>Gets whether the cause of an error is that standard output was closed.</summary>
    public static bool IsOutputClosed(Exception? e) => e.WithCauses().Any(static cause => cause is OutputClosedException);

    /// <summary>Opens a stream of the process; null on Windows.</summary>
    private static FileStream? Open(int descriptor, FileAccess access)
#pragma warning disable CA2000 // the stream owns the handle, and the process what is behind it
        => OperatingSystem.IsWindows() ? null : new FileStream(new SafeFileHandle(descriptor, ownsHandle: false), access, bufferSize: 0);
#pragma warning restore CA2000
}
