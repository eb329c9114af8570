using Microsoft.Win32.SafeHandles;
using Transfer.Files;

namespace Transfer.Upload;

/// <summary>A file, read at offsets by every part's own task: no position is shared.</summary>
internal sealed class FileSource : IUploadSource, IDisposable
{
    /// <summary>What the system reads ahead by itself at first: for less it need not be told anything.</summary>
    private const long ReadAheadBytes = 128 * Sizes.KiB;

    private readonly string _path;
    private readonly SafeFileHandle _handle;
    private readonly long _length;
    private readonly DateTime _lastWrite;

    private FileSource(string path, SafeFileHandle handle)
    {
        _path = path;
        _handle = handle;
        _length = RandomAccess.GetLength(handle);
        _lastWrite = File.GetLastWriteTimeUtc(handle);
        if (OperatingSystem.IsLinux() && _length > ReadAheadBytes)
        {
            Libc.ReadsInOrder(handle);
        }
    }

    public long? Length => _length;

    public bool ReadsAnywhere => true;

    public string FullPath => Path.GetFullPath(_path);

    public DateTimeOffset LastModified => new(_lastWrite);

    /// <summary>Opens a file to be read at offsets.</summary>
    /// <param name="path">Where it is.</param>
    /// <param name="root">The folder from which no link may lead there; null where links are followed.</param>
    /// <returns>Null of what is no file: a pipe, a device or a folder. None of them holds this up.</returns>
    public static FileSource? TryOpen(string path, string? root = null)
    {
        SafeFileHandle? handle = !OperatingSystem.IsLinux() ? null : root is null ? Libc.OpenToRead(path) : SourceFolder.OpenFile(root, path);
        if (handle is null or { IsInvalid: true })
        {
            handle?.Dispose(); // what is wrong with the path, .NET's own call says
            handle = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.SequentialScan);
        }

        FileSource? source = null;
        try
        {
            source = !OperatingSystem.IsLinux() || Libc.KindOf(handle).IsRegularFile ? new FileSource(path, handle) : null;
        }
        catch (NotSupportedException)
        {
            // It has no length.
        }
        finally
        {
            if (source is null)
            {
                handle.Dispose();
            }
        }

        return source;
    }

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

            // Straight from the page cache as a rule: a thread of its own for each read would cost more than the read.
            int read = RandomAccess.Read(_handle, memory.Span, offset + body.Length);
            if (read == 0)
            {
                throw new TransferException($"'{_path}' changed while it was being uploaded: it ended after {offset + body.Length} of {_length} bytes.");
            }

            body.Advance(memory, read);
        }
    }

    public ValueTask CheckEndAsync(CancellationToken cancellationToken)
    {
        long length = RandomAccess.GetLength(_handle);
        if (length != _length || File.GetLastWriteTimeUtc(_handle) != _lastWrite)
        {
            throw new TransferException($"'{_path}' changed while it was being uploaded: it had {_length} bytes, and has {length} now.");
        }

        return ValueTask.CompletedTask;
    }

    public void Dispose() => _handle.Dispose();
}
