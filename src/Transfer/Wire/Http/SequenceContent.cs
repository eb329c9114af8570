using System.Buffers;
using System.Net;

namespace Transfer.Wire.Http;

/// <summary>A request body straight from the chunks that hold it: written to the connection without another copy, as often as it takes.</summary>
internal sealed class SequenceContent : HttpContent
{
    private readonly ReadOnlySequence<byte> _body;
    private readonly Action? _moved;
    private readonly Func<int, CancellationToken, ValueTask<int>>? _pace;

    public SequenceContent(ReadOnlySequence<byte> body, Action? moved = null, Func<int, CancellationToken, ValueTask<int>>? pace = null)
    {
        _body = body;
        _moved = moved;
        _pace = pace;
        Headers.ContentLength = body.Length;
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        foreach (ReadOnlyMemory<byte> memory in _body)
        {
            for (int sent = 0; sent < memory.Length;)
            {
                int count = memory.Length - sent;
                count = _pace is null ? count : await _pace(count, cancellationToken).ConfigureAwait(false);
                await stream.WriteAsync(memory.Slice(sent, count), cancellationToken).ConfigureAwait(false);
                sent += count;
                _moved?.Invoke();
            }
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = _body.Length;
        return true;
    }
}
