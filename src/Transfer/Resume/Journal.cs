using System.Buffers.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Win32.SafeHandles;
using Transfer.Files;

namespace Transfer.Resume;

/// <summary>What a transfer has done so far, in lines, for a later run that goes on where this one ended, however it ended.</summary>
/// <remarks>
/// A line is JSON behind its CRC-32C, so one that a crash has torn is known, and ends what is read. Nothing is flushed to the disk: whoever goes on compares
/// what a line says with the content before it is trusted. The file is its owner's alone, and locked as long as it is open: of two transfers that would write
/// the same journal, the second one has none. A transfer does not fail of its journal: what can't be read is not there, and where a line can't be written, on a full disk for example, it ends.
/// </remarks>
internal sealed class Journal : IDisposable
{
    /// <summary>No line that is written here is nearly as long.</summary>
    public const int MaxLineBytes = 64 * 1024;

    /// <summary>The maximum size of a journal, which is room for about 800,000 parts. A longer one is not read, and a line beyond it is not written.</summary>
    public const int MaxBytes = 64 * 1024 * 1024;

    private const int PrefixBytes = 9; // eight digits and a blank

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

    /// <summary>What kept it from being read or written; null where nothing has.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Gets a value that indicates whether the journal has reached its maximum size, so that later lines are missing.</summary>
    public bool IsFull { get; private set; }

    /// <summary>Opens a journal.</summary>
    /// <param name="folder">Where it is; it stays its owner's, and open as long as this is.</param>
    /// <param name="name">Its name.</param>
    /// <param name="create">Whether it is made where it is missing.</param>
    /// <param name="maxBytes">Its maximum size.</param>
    /// <returns>Null where it is missing, somebody else's, or another transfer has it; a transfer without it can do all but be gone on with.</returns>
    public static Journal? TryOpen(LocalFolder folder, string name, bool create, int maxBytes = MaxBytes)
        => OwnFile.TryOpen(folder, name, create, locked: true) is { } file ? new Journal(folder, name, file, maxBytes) : null;

    /// <summary>The lines up to the first that is not whole; what is written from now on stands behind them.</summary>
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
                RandomAccess.SetLength(_file, end);
            }
        });
        return lines;
    }

    /// <summary>Forgets every line.</summary>
    public void Restart()
    {
        lock (_gate)
        {
            _end = 0;
            IsFull = false;
            Try(() => RandomAccess.SetLength(_file, 0));
        }
    }

    /// <summary>Adds a line. Any thread may; after the journal was closed, or a line could not be written, it does nothing.</summary>
    /// <returns>Whether the line is there.</returns>
    public bool Append<T>(T line, JsonTypeInfo<T> type)
    {
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(line, type);
        byte[] text = new byte[PrefixBytes + json.Length + 1];
        Utf8Formatter.TryFormat(Crc32C.Append(0, json), text, out _, new System.Buffers.StandardFormat('x', 8));
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

            Try(() => RandomAccess.Write(_file, text, _end));
            _end += text.Length;
            return Failure is null;
        }
    }

    /// <summary>Deletes the file and closes it. It is closed even if it can't be deleted.</summary>
    public void Delete()
    {
        try
        {
            // Under its lock, so that nobody opens it in between.
            File.Delete(_folder.PathOf(_name));
        }
        finally
        {
            Dispose();
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

    /// <summary>The lines that are whole, without their checksums.</summary>
    /// <param name="content">The file.</param>
    /// <param name="end">Where the last of them ends.</param>
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
            if (!Utf8Parser.TryParse(rest[..(PrefixBytes - 1)], out uint crc, out int digits, 'x') || digits != PrefixBytes - 1 || crc != Crc32C.Append(0, json))
            {
                break;
            }

            lines.Add(content.Slice(end + PrefixBytes, json.Length));
            end += length + 1;
        }

        return lines;
    }
}
