using System.Runtime.InteropServices;
using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>Entries in a temporary file, so that a million of them take no memory: their names, sizes, times, and ETags.</summary>
/// <param name="directory">The directory of the file; null for that of temporary files.</param>
internal sealed class EntrySpool(string? directory) : IDisposable
{
    private FileStream? _file;
    private BinaryWriter? _writer;

    /// <summary>Gets the number of files and objects.</summary>
    public long Count { get; private set; }

    /// <summary>Gets a value that indicates whether there are neither files, objects, nor folders.</summary>
    public bool IsEmpty => _file is null;

    /// <summary>Adds an entry.</summary>
    /// <exception cref="IOException">Thrown when the file can't be written.</exception>
    public void Add(TreeEntry entry)
    {
        if (_writer is null)
        {
            _file = TemporaryFile.CreateIn(directory, "sync");
            _writer = new BinaryWriter(_file);
        }

        _writer.Write7BitEncodedInt(entry.Name.Length);
        _writer.Write(MemoryMarshal.AsBytes(entry.Name.AsSpan())); // half of a surrogate pair can't be written in UTF-8
        _writer.Write(entry.Length);
        _writer.Write(entry.Listed?.LastModified?.UtcTicks ?? entry.LastWrite);
        _writer.Write(entry.State?.ContentChanged ?? 0);
        _writer.Write(entry.State?.Inode ?? 0);
        _writer.Write(entry.ETag is not null);
        _writer.Write(entry.ETag ?? string.Empty);
        _writer.Write(entry.Path is not null);
        _writer.Write(entry.VersionId ?? string.Empty);
        Count += entry.IsFolder ? 0 : 1;
    }

    /// <summary>Reads all entries, in the order in which they were added.</summary>
    public IEnumerable<TreeEntry> Read()
    {
        if (_file is null)
        {
            yield break;
        }

        _writer!.Flush();
        _file.Position = 0;
        using BinaryReader reader = new(_file, System.Text.Encoding.UTF8, leaveOpen: true);
        long end = _file.Length;
        while (_file.Position < end)
        {
            char[] name = new char[reader.Read7BitEncodedInt()];
            _file.ReadExactly(MemoryMarshal.AsBytes(name.AsSpan()));
            long length = reader.ReadInt64();
            long lastWrite = reader.ReadInt64();
            long changed = reader.ReadInt64();
            ulong inode = reader.ReadUInt64();
            bool hasTag = reader.ReadBoolean();
            string etag = reader.ReadString();
            bool isLocal = reader.ReadBoolean();
            string version = reader.ReadString();
            yield return new TreeEntry(new string(name), length)
            {
                LastWrite = lastWrite,
                State = isLocal ? new FileIdentity(length, lastWrite, changed, inode) : null,
                ETag = hasTag ? etag : null,
                Path = isLocal ? string.Empty : null,
                VersionId = version.Length > 0 ? version : null,
            };
        }
    }

    public void Dispose()
    {
        _writer?.Dispose();
        _file?.Dispose();
    }
}
