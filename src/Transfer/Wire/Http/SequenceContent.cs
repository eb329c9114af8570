using System.Buffers;
using System.Net;

namespace Transfer.Wire.Http;

/// <summary>A request body straight from the chunks that hold it: written to the connection without another copy, as often as it takes.</summary>
internal sealed class SequenceContent : HttpContent
{
    private readonly ReadOnlySequence<byte> _body;
    private readonly Action? _moved;

    public SequenceContent(ReadOnlySequence<byte> body, Action? moved = null)
    {
        _body = body;
        _moved = moved;
        Headers.ContentLength = body.Length;
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        foreach (ReadOnlyMemory<byte> memory in _body)
        {
            await stream.WriteAsync(memory, cancellationToken).ConfigureAwait(false);
            _moved?.Invoke();
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = _body.Length;
        return true;
    }
}
