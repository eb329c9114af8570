using Microsoft.Win32.SafeHandles;

namespace Transfer.Cli.Rendering;

/// <summary>Standard input and output as streams of bytes.</summary>
internal static class StandardStreams
{
    /// <summary>
    /// Standard output. .NET's own stream ignores that a pipe has lost its reader, and a transfer would run to its end for nobody; a
    /// file stream tells. A file is left to .NET's own: a file stream would not move the position that other programs share.
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

    /// <summary>Standard input; seekable, with a known length, where it is a file.</summary>
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

    /// <summary>Gets whether the failure is that nobody reads standard output anymore.</summary>
    public static bool IsOutputClosed(Exception? e)
    {
        while (e is not (null or OutputClosedException))
        {
            e = e.InnerException;
        }

        return e is not null;
    }
}
