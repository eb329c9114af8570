using System.Net;
using Transfer.S3.Buffers;

namespace Transfer.S3.Wire.Http;

/// <summary>A request body that is written to the connection directly from memory, without a copy. It can be sent several times.</summary>
/// <remarks>
/// A write shows progress only when it completes, so large blocks of memory are written in several steps. A fast connection sends several of them at once
/// (<see cref="PromptStream"/>).
/// </remarks>
internal sealed class BodyContent : HttpContent
{
    private const int MostBytesPerWrite = (int)(64 * Sizes.KiB);

    private readonly IBodyBytes _body;
    private readonly Action? _moved;
    private readonly Func<int, CancellationToken, ValueTask<int>>? _pace;

    public BodyContent(IBodyBytes body, Action? moved = null, Func<int, CancellationToken, ValueTask<int>>? pace = null)
    {
        _body = body;
        _moved = moved;
        _pace = pace;
        Headers.ContentLength = body.Length;
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        long length = _body.Length;
        BodySending? sending = BodySending.Current;
        int waiting = 0;
        for (long sent = 0; sent < length;)
        {
            ReadOnlyMemory<byte> memory = _body.Read(sent);
            for (int at = 0; at < memory.Length;)
            {
                int count = Math.Min(memory.Length - at, MostBytesPerWrite);
                bool isDiscarded = sending?.Failure is not null; // the store has closed the connection, and its response is read next
                count = _pace is null || isDiscarded ? count : await _pace(count, cancellationToken).ConfigureAwait(false);
                ReadOnlyMemory<byte> piece = memory.Slice(at, count);
                at += count;
                bool canWait = _pace is null && waiting + 2 < _body.ValidPieces && sent + at < length; // the HTTP client can keep a small piece until the next write
                waiting = canWait ? waiting + 1 : 0;
                sending?.Offer(piece, canWait);
                await stream.WriteAsync(piece, cancellationToken).ConfigureAwait(false);
                if (!isDiscarded)
                {
                    _moved?.Invoke();
                    _body.Sent(sent + at);
                }
            }

            sent += memory.Length;
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = _body.Length;
        return true;
    }
}
