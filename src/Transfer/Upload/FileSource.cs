using Microsoft.Win32.SafeHandles;
using Transfer.Files;

namespace Transfer.Upload;

/// <summary>A file, read at offsets by every part's own task: no position is shared.</summary>
internal sealed class FileSource : IRandomAccessSource
{
    /// <summary>What the system reads ahead by itself at first: for less it need not be told anything.</summary>
    private const long ReadAheadBytes = 128 * Sizes.KiB;

    private readonly string _path;
    private readonly SourceFile _file;
    private readonly SafeFileHandle _handle;
    private readonly long _length;
    private readonly DateTime _lastWrite;

    /// <param name="path">Where it is.</param>
    /// <param name="file">What was opened there, which has a length. It stays its owner's to close.</param>
    public FileSource(string path, SourceFile file)
    {
        _path = path;
        _file = file;
        _handle = file.Handle;
        (_length, _lastWrite) = file.GetState();
        if (OperatingSystem.IsLinux() && _length > ReadAheadBytes)
        {
            Libc.ReadsInOrder(_handle);
        }
    }

    public long? Length => _length;

    public string FullPath => Path.GetFullPath(_path);

    public DateTimeOffset LastModified => new(_lastWrite);

    public async ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        while (body.Length < count)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Memory<byte> memory = await body.GetMemoryAsync(cancellationToken).ConfigureAwait(false);
            if (memory.Length > count - body.Length)
            {
                memory = memory[..(int)(count - body.Length)];
            }

            ReadAt(offset + body.Length, memory.Span);
            body.Advance(memory, memory.Length);
        }
    }

    public void ReadAt(long offset, Span<byte> buffer)
    {
        for (int read; !buffer.IsEmpty; buffer = buffer[read..])
        {
            // Straight from the page cache as a rule: a thread of its own for each read would cost more than the read.
            read = RandomAccess.Read(_handle, buffer, offset);
            offset += read;
            if (read == 0)
            {
                throw new TransferException($"'{_path}' changed while it was being uploaded: it ended after {offset} of {_length} bytes.");
            }
        }
    }

    public TransferException Changed(long offset, long count) => new(
        $"'{_path}' changed while it was being uploaded: the bytes from {offset} to {offset + count - 1} had to be sent again, but have changed.");

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
