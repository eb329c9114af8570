using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;

namespace Transfer.S3.Upload;

/// <summary>A file. The task of each part reads it at offsets, so they don't share a position.</summary>
internal sealed class FileSource : IRandomAccessSource, IResumableSource
{
    /// <summary>The initial read-ahead of the system. Smaller reads need no advice to it.</summary>
    private const long ReadAheadBytes = 128 * Sizes.KiB;

    private readonly string _path;
    private readonly SourceFile _file;
    private readonly SafeFileHandle _handle;
    private readonly long _length;
    private readonly DateTime _lastWrite;
    private readonly SourceReader _reader;

    /// <param name="path">The path.</param>
    /// <param name="file">The open file, which has a length. The source doesn't close it.</param>
    public FileSource(string path, SourceFile file)
    {
        _path = path;
        _file = file;
        _handle = file.Handle;
        _reader = new SourceReader(this);
        (_length, _lastWrite) = file.GetState();
        if (OperatingSystem.IsLinux() && _length > ReadAheadBytes)
        {
            Libc.ReadsInOrder(_handle);
        }
    }

    public long? Length => _length;

    public PartMemory PartMemory => PartMemory.Chunks;

    public string Identity => Path.GetFullPath(_path);

    public DateTimeOffset LastModified => new(_lastWrite);

    /// <summary>Gets the type, the permissions, and the owner; null for what the system doesn't tell.</summary>
    public (FileKind? Kind, FileOwner? Owner) GetAttributes()
    {
        const ushort regularFile = 0x8000;
        return OperatingSystem.IsLinux() ? (Libc.GetAttributes(_handle) is { } known ? (known.Kind, known.Owner) : default)
            : OperatingSystem.IsWindows() ? default
            : (new FileKind((ushort)(regularFile | (int)File.GetUnixFileMode(_handle))), null);
    }

    public ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        body.ReadOnce(_reader, offset, cancellationToken);
        return ValueTask.CompletedTask;
    }

    public void ReadAt(long offset, Span<byte> buffer)
    {
        for (int read; !buffer.IsEmpty; buffer = buffer[read..])
        {
            // The data is usually in the page cache, so a thread for each read would take longer than the read.
            read = RandomAccess.Read(_handle, buffer, offset);
            offset += read;
            if (read == 0)
            {
                throw new TransferException($"'{_path}' changed while it was being uploaded: it ended after {offset} of {_length} bytes.");
            }
        }
    }

    public TransferException Changed(long offset, long count) => new(
        $"'{_path}' changed while it was being uploaded: the bytes from {offset} to {offset + count - 1} are not those anymore that its checksum is of.");

    /// <summary>Returns whether the path still refers to this file, and the file has not changed since it was opened.</summary>
    public bool IsUnchanged()
    {
        (long length, DateTime lastWrite) = _file.GetState();
        if (length != _length || lastWrite != _lastWrite)
        {
            return false;
        }

        if (OperatingSystem.IsLinux())
        {
            return Libc.IsAt(_handle, _path);
        }

        FileInfo there = new(_path);
        return there is { Exists: true, LinkTarget: null } && there.Length == _length && there.LastWriteTimeUtc == _lastWrite;
    }

    public ValueTask CheckEndAsync(CancellationToken cancellationToken)
    {
        (long length, DateTime lastWrite) = _file.GetState();
        if (length != _length || lastWrite != _lastWrite)
        {
            throw new TransferException($"'{_path}' changed while it was being uploaded: it had {_length} bytes, and now has {length}.");
        }

        return ValueTask.CompletedTask;
    }
}
