using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>
/// Writes files. .NET reports a file that may not become so large (EFBIG), such as one of a process with <c>ulimit -f</c>, as a wrong argument. It is an error of the
/// file here, like a full disk.
/// </summary>
internal static class FileContent
{
#pragma warning disable RS0030 // the only place that may
    /// <exception cref="IOException">Thrown when the bytes can't be written.</exception>
    public static void Write(SafeFileHandle file, ReadOnlySpan<byte> bytes, long offset)
    {
        try
        {
            RandomAccess.Write(file, bytes, offset);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw TooLarge(e);
        }
    }

    /// <inheritdoc cref="Write(SafeFileHandle, ReadOnlySpan{byte}, long)"/>
    public static void Write(SafeFileHandle file, IReadOnlyList<ReadOnlyMemory<byte>> bytes, long offset)
    {
        try
        {
            RandomAccess.Write(file, bytes, offset);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw TooLarge(e);
        }
    }

    /// <exception cref="IOException">Thrown when the file can't have this length.</exception>
    public static void SetLength(SafeFileHandle file, long length)
    {
        try
        {
            RandomAccess.SetLength(file, length);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw TooLarge(e);
        }
    }

#pragma warning restore RS0030

    /// <summary>Converts what .NET throws if a file may not become so large.</summary>
    public static IOException TooLarge(ArgumentOutOfRangeException e) => new("The file would be larger than the process or the file system allows.", e);
}
