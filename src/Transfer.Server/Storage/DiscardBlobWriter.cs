using System.Buffers;

namespace Transfer.S3.Server.Storage;

/// <summary>Counts the bytes of an upload and discards them.</summary>
internal sealed class DiscardBlobWriter : IBlobWriter
{
    private long _written;

    public ValueTask WriteAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken)
    {
        _written += bytes.Length;
        return ValueTask.CompletedTask;
    }

    public ValueTask<IBlob> CompleteAsync(CancellationToken cancellationToken) => new(new ZeroBlob(_written));

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
