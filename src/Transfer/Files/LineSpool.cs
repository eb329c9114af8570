using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>Lines in a temporary file, so that they take no memory. They are read in order, or by their places.</summary>
/// <param name="name">What the file is for.</param>
internal sealed class LineSpool(string name) : IDisposable
{
    private readonly FileStream _file = TemporaryFile.CreateIn(null, name);
    private long _end;

    /// <summary>Adds a line.</summary>
    /// <param name="line">The text, without the end of the line.</param>
    /// <returns>The place of the line.</returns>
    /// <exception cref="IOException">Thrown when the file can't be written.</exception>
    public (long Offset, int Length) Add(ReadOnlySpan<byte> line)
    {
        (long, int) place = (_end, line.Length);
        _file.Write(line);
        _file.WriteByte((byte)'\n');
        _end += line.Length + 1;
        return place;
    }

    /// <summary>Reads a line. Calls can overlap, unless lines are added.</summary>
    /// <exception cref="IOException">Thrown when the file can't be read.</exception>
    public byte[] Read((long Offset, int Length) place)
    {
        SafeFileHandle handle;
        lock (_file)
        {
            handle = _file.SafeFileHandle; // this writes what is in its buffer
        }

        byte[] line = new byte[place.Length];
        for (int read = 0; read < line.Length;)
        {
            int count = RandomAccess.Read(handle, line.AsSpan(read), place.Offset + read);
            read += count > 0 ? count : throw new IOException("A temporary file was truncated.");
        }

        return line;
    }

    /// <summary>Reads all lines, in the order in which they were added.</summary>
    public IEnumerable<string> ReadAll()
    {
        _file.Position = 0;
        using StreamReader reader = new(_file, leaveOpen: true);
        while (reader.ReadLine() is { } line)
        {
            yield return line;
        }
    }

    /// <summary>Copies all lines with their ends.</summary>
    public async Task CopyToAsync(Stream target, CancellationToken cancellationToken)
    {
        _file.Position = 0;
        await _file.CopyToAsync(target, cancellationToken).ConfigureAwait(false);
    }

    public void Dispose() => _file.Dispose();
}
