using System.Buffers;

namespace Transfer.Server.Storage;

/// <summary>Takes the bytes of a request body, in order.</summary>
internal interface IBodySink
{
    /// <summary>The bytes are good until the call has ended.</summary>
    ValueTask WriteAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken);
}
