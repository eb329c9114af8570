using Microsoft.Win32.SafeHandles;

namespace Transfer.Cli.Rendering;

/// <summary>Standard input and output as streams of bytes.</summary>
internal static class StandardStreams
{
    private const int BrokenPipeUnix = 32;
    private const int BrokenPipeWindows = unchecked((int)0x8007006D);
    private const int NoDataWindows = unchecked((int)0x800700E8);

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
                return stream;
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

    /// <summary>Whether the failure is that nobody reads standard output any more.</summary>
    public static bool IsBrokenPipe(Exception? e)
    {
        for (; e is not null; e = e.InnerException)
        {
            if (e is IOException { HResult: BrokenPipeUnix or BrokenPipeWindows or NoDataWindows })
            {
                return true;
            }
        }

        return false;
    }
}
