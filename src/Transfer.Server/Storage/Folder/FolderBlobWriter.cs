using System.Buffers;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>Writes a data file. No record refers to it until its own record is published.</summary>
internal sealed class FolderBlobWriter : IBlobWriter
{
    private readonly FolderBlobStore _store;
    private readonly string _id = FolderLayout.NewId();
    private readonly SafeFileHandle _handle;
    private readonly List<ReadOnlyMemory<byte>> _segments = [];
    private long _written;
    private bool _isComplete;

    public FolderBlobWriter(FolderBlobStore store)
    {
        _store = store;
        _handle = store.OpenWrite(_id);
    }

    public async ValueTask WriteAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken)
    {
        if (bytes.IsEmpty)
        {
            return;
        }

        _segments.Clear();
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            _segments.Add(segment);
        }

        await RandomAccess.WriteAsync(_handle, _segments, _written, cancellationToken).ConfigureAwait(false);
        _written += bytes.Length;
    }

    public ValueTask<IBlob> CompleteAsync(CancellationToken cancellationToken)
    {
        _handle.Dispose();
        _isComplete = true;
        return new(new FolderBlob(_store, _id, _written));
    }

    public ValueTask DisposeAsync()
    {
        _handle.Dispose();
        if (!_isComplete)
        {
            _store.Delete(_id);
        }

        return ValueTask.CompletedTask;
    }
}
