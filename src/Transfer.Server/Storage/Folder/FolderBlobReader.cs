using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>Reads a data file through its own buffer.</summary>
internal sealed class FolderBlobReader(FolderBlobStore store, string id) : IBlobReader
{
    private SafeFileHandle? _handle;
    private byte[]? _buffer;

    public async ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, long maximum, CancellationToken cancellationToken)
    {
        _handle ??= store.OpenRead(id);
        _buffer ??= store.Buffers.Rent(FolderBlobStore.BufferBytes);
        int count = (int)Math.Min(maximum, FolderBlobStore.BufferBytes);
        int read = await RandomAccess.ReadAsync(_handle, _buffer.AsMemory(0, count), offset, cancellationToken).ConfigureAwait(false);
        return read > 0
            ? _buffer.AsMemory(0, read)
            : throw new InvalidDataException($"Data file {id} ends at {offset}, before the length in its record.");
    }

    public void Dispose()
    {
        _handle?.Dispose();
        byte[]? buffer = Interlocked.Exchange(ref _buffer, null);
        if (buffer is not null)
        {
            store.Buffers.Return(buffer);
        }
    }
}
