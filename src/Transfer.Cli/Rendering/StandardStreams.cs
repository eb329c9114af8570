using Microsoft.Win32.SafeHandles;

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
        if (!OperatingSystem.IsWindows())
        {
#pragma warning disable CA2000 // the stream owns the handle, and the process its standard output
            FileStream stream = new(new SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);
#pragma warning restore CA2000
            if (!stream.CanSeek)
            {
                return new OutputPipe(stream);
            }

            stream.Dispose();
        }

        return Console.OpenStandardOutput();
    }

    /// <summary>Opens standard input. If it is a file, the stream is seekable and has a length.</summary>
    public static Stream OpenInput()
    {
        if (!OperatingSystem.IsWindows())
        {
#pragma warning disable CA2000 // the stream owns the handle, and the process its standard input
            FileStream stream = new(new SafeFileHandle(0, ownsHandle: false), FileAccess.Read, bufferSize: 0);
#pragma warning restore CA2000
            if (stream.CanSeek && stream.Length > 0)
            {
                return stream;
            }

            stream.Dispose();
        }

        return Console.OpenStandardInput();
    }

    /// <summary>Gets whether the cause of an error is that standard output was closed.</summary>
    public static bool IsOutputClosed(Exception? e)
    {
        while (e is not (null or OutputClosedException))
        {
            e = e.InnerException;
        }

        return e is not null;
    }
}
