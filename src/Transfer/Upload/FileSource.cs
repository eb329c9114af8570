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
    private readonly SourceReader _reader;

    /// <param name="path">The path.</param>
    /// <param name="file">The open file, which has a length. The source doesn't close it.</param>
    public FileSource(string path, SourceFile file)
    {
        _path = path;
        _file = file;
        _handle = file.Handle;
        _reader = new SourceReader(this);
        State = file.GetState();
        if (OperatingSystem.IsLinux() && State.Length > ReadAheadBytes)
        {
            Libc.ReadsInOrder(_handle);
        }
    }

    /// <summary>Gets the state in which the file was opened.</summary>
    public FileIdentity State { get; }

    public long? Length => State.Length;

    public PartMemory PartMemory => PartMemory.Chunks;

    public string Identity => Path.GetFullPath(_path);

    public DateTimeOffset LastModified => new(State.LastWrite, TimeSpan.Zero);

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
                throw new TransferException($"'{_path}' changed while it was being uploaded: it ended after {offset} of {State.Length} bytes.");
            }
        }
    }

    public TransferException Changed(long offset, long count) => new(
        $"'{_path}' changed while it was being uploaded: the bytes from {offset} to {offset + count - 1} are not those anymore that its checksum is of.");

    /// <summary>Returns whether the path still refers to this file, and the file has not changed since it was opened.</summary>
    public bool IsUnchanged()
    {
        return _file.GetState().IsSame(State)
            && (OperatingSystem.IsLinux() ? Libc.IsAt(_handle, _path) : FileIdentity.At(_path, followsLinks: false)?.IsSame(State) == true);
    }

    public ValueTask CheckEndAsync(CancellationToken cancellationToken)
    {
        FileIdentity now = _file.GetState();
        return now.IsSame(State) ? ValueTask.CompletedTask : throw new TransferException(
            $"'{_path}' changed while it was being uploaded: "
            + (now.Length == State.Length ? "its content or its attributes are not those anymore that it had at first." : $"it had {State.Length} bytes, and now has {now.Length}."));
    }
}
