using System.Buffers.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;

namespace Transfer.S3.Resume;

/// <summary>Records the progress of a transfer, line by line, so that a later run can resume it however it ended.</summary>
/// <remarks>
/// A line is JSON preceded by its CRC-32C. A line that a crash has truncated is detected, and nothing after it is read. Nothing is flushed to disk, because a
/// resumed transfer compares each line with the content before it trusts it. Only the owner can access the file, and the file is locked while it is open. If two
/// transfers would write the same journal, the second one runs without it. A transfer doesn't fail because of its journal: a journal that can't be read is ignored,
/// and if a line can't be written, for example because the disk is full, the journal ends there.
/// </remarks>
internal sealed class Journal : IDisposable
{
    /// <summary>The maximum length of a line. Actual lines are much shorter.</summary>
    public const int MaxLineBytes = 64 * 1024;

    /// <summary>
    /// The maximum size of a journal, which is enough for about 800,000 parts. A larger journal isn't read, and lines that exceed the limit aren't written.
    /// </summary>
    public const int MaxBytes = 64 * 1024 * 1024;

    private const int PrefixBytes = 9; // eight digits and a space

    private readonly LocalFolder _folder;
    private readonly string _name;
    private readonly SafeFileHandle _file;
    private readonly int _maxBytes;
    private readonly Lock _gate = new();
    private long _end;
    private bool _closed;

    internal Journal(LocalFolder folder, string name, SafeFileHandle file, int maxBytes = MaxBytes)
    {
        _folder = folder;
        _name = name;
        _file = file;
        _maxBytes = maxBytes;
    }

    /// <summary>Gets the error that prevented reading or writing; null if there was none.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Gets a value that indicates whether the journal has reached its maximum size, so that later lines are missing.</summary>
    public bool IsFull { get; private set; }

    /// <summary>Opens a journal.</summary>
    /// <param name="folder">The directory. It must stay open as long as the journal.</param>
    /// <param name="name">The name of the file.</param>
    /// <param name="create">Whether the file is created if it doesn't exist.</param>
    /// <param name="maxBytes">The maximum size.</param>
    /// <returns>Null if the file doesn't exist, belongs to another user, or is used by another transfer. A transfer without a journal can't be resumed.</returns>
    public static Journal? TryOpen(LocalFolder folder, string name, bool create, int maxBytes = MaxBytes)
        => PrivateFile.TryOpen(folder, name, create, locked: true) is { } file ? new Journal(folder, name, file, maxBytes) : null;

    /// <summary>Gets the lines up to the first invalid one. New lines are written after them.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Read()
    {
        List<ReadOnlyMemory<byte>> lines = [];
        Try(() =>
        {
            long length = RandomAccess.GetLength(_file);
            byte[] content = new byte[length <= _maxBytes ? length : 0];
            int count = 0;
            while (count < content.Length && RandomAccess.Read(_file, content.AsSpan(count), count) is var read and > 0)
            {
                count += read;
            }

            lines = Parse(content.AsMemory(0, count), out int end);
            _end = end;
            if (end < length)
            {
                FileContent.SetLength(_file, end);
            }
        });
        return lines;
    }

    /// <summary>Reads all lines up to the first invalid one, one after the other, so that they don't have to fit into memory. New lines are written after them.</summary>
    /// <param name="read">Called for each line. The memory is valid only during the call.</param>
    public void Scan(Action<ReadOnlyMemory<byte>> read) => Try(() =>
    {
        long length = RandomAccess.GetLength(_file);
        long end = 0;
        foreach (ReadOnlyMemory<byte> json in Read(length))
        {
            end += PrefixBytes + json.Length + 1;
            read(json);
        }

        _end = end;
        if (end < length)
        {
            FileContent.SetLength(_file, end);
        }
    });

    /// <summary>Reads the lines that there are now. Others can be appended meanwhile. The memory of a line is valid only until the next one is read.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> ReadAgain()
    {
        lock (_gate)
        {
            return Read(_end);
        }
    }

    /// <summary>Writes what was appended to the disk, so that it outlasts a crash of the machine.</summary>
    public void FlushToDisk() => Try(() => RandomAccess.FlushToDisk(_file));

    /// <summary>Deletes all lines.</summary>
    public void Restart()
    {
        lock (_gate)
        {
            _end = 0;
            IsFull = false;
            Try(() => FileContent.SetLength(_file, 0));
        }
    }

    /// <summary>Appends a line. The method is thread-safe. It does nothing after the journal was closed or a line could not be written.</summary>
    /// <returns>Whether the line was written.</returns>
    public bool Append<T>(T line, JsonTypeInfo<T> type)
    {
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(line, type);
        byte[] text = new byte[PrefixBytes + json.Length + 1];
        Utf8Formatter.TryFormat(Crc.Crc32C.Append(0, json), text, out _, new System.Buffers.StandardFormat('x', 8));
        text[PrefixBytes - 1] = (byte)' ';
        json.CopyTo(text, PrefixBytes);
        text[^1] = (byte)'\n';
        lock (_gate)
        {
            IsFull |= _end + text.Length > _maxBytes;
            if (_closed || Failure is not null || IsFull)
            {
                return false;
            }

            Try(() => FileContent.Write(_file, text, _end));
            _end += text.Length;
            return Failure is null;
        }
    }

    /// <summary>Gets the open file. Files whose names can be guessed are used only while its lock is held.</summary>
    public SafeFileHandle Held => _file;

    /// <summary>Deletes the file and closes it. It is closed even if it can't be deleted. Another file that has its name by now is left alone.</summary>
    public void Delete()
    {
        try
        {
            // The file is deleted under its lock, so that no other process opens it before.
            string path = _folder.GetPath(_name);
            if (!OperatingSystem.IsLinux() || Libc.IsAt(_file, path))
            {
                File.Delete(path);
            }
        }
        finally
        {
            Dispose();
        }
    }

    /// <summary>Deletes the file if that is possible, and closes it. For journals whose next reader finds by itself that they are out of date.</summary>
    public void TryDelete()
    {
        try
        {
            Delete();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It is closed, and its next reader finds out.
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _closed = true;
        }

        _file.Dispose();
    }

    private IEnumerable<ReadOnlyMemory<byte>> Read(long end)
    {
        byte[] buffer = new byte[4 * MaxLineBytes];
        int kept = 0;
        long offset = 0;
        while (offset < end)
        {
            int count = RandomAccess.Read(_file, buffer.AsSpan(kept, (int)Math.Min(buffer.Length - kept, end - offset)), offset);
            offset += count;
            List<ReadOnlyMemory<byte>> lines = Parse(buffer.AsMemory(0, kept + count), out int used);
            foreach (ReadOnlyMemory<byte> line in lines)
            {
                yield return line;
            }

            if (count == 0 || (lines.Count == 0 && kept + count > MaxLineBytes))
            {
                yield break; // the next line isn't valid
            }

            kept += count - used;
            buffer.AsSpan(used, kept).CopyTo(buffer);
        }
    }

    private void Try(Action access)
    {
        try
        {
            access();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Failure = e;
        }
    }

    /// <summary>Gets the valid lines, without their checksums.</summary>
    /// <param name="content">The content of the file.</param>
    /// <param name="end">The offset of the end of the last valid line.</param>
    internal static List<ReadOnlyMemory<byte>> Parse(ReadOnlyMemory<byte> content, out int end)
    {
        List<ReadOnlyMemory<byte>> lines = [];
        end = 0;
        while (end < content.Length)
        {
            ReadOnlySpan<byte> rest = content.Span[end..];
            int length = rest.IndexOf((byte)'\n');
            if (length < PrefixBytes || length > MaxLineBytes || rest[PrefixBytes - 1] != ' ')
            {
                break;
            }

            ReadOnlySpan<byte> json = rest[PrefixBytes..length];
            if (!Utf8Parser.TryParse(rest[..(PrefixBytes - 1)], out uint crc, out int digits, 'x') || digits != PrefixBytes - 1 || crc != Crc.Crc32C.Append(0, json))
            {
                break;
            }

            lines.Add(content.Slice(end + PrefixBytes, json.Length));
            end += length + 1;
        }

        return lines;
    }
}
