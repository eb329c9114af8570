using System.Buffers;

namespace Transfer.S3.Server.Storage;

/// <summary>Receives the bytes of a request body in order.</summary>
internal interface IBodySink
{
    /// <summary>Writes bytes. They are valid until the call completes.</summary>
    ValueTask WriteAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken);
}
