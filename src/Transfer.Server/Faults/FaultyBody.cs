using System.IO.Pipelines;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Faults;

/// <summary>Sends the body of a response as the fault specifies. Most faults occur in the middle of the body.</summary>
internal sealed class FaultyBody(ServerFault kind, S3Exchange exchange)
{
    private const int Drops = 20;
    private static readonly TimeSpan BetweenDrops = TimeSpan.FromMilliseconds(100);
    private readonly long _length = exchange.Http.Response.ContentLength ?? 0;
    private long _sent;

    public async ValueTask<FlushResult> SendAsync(ReadOnlyMemory<byte> bytes)
    {
        if (kind == ServerFault.SlowDrip)
        {
            return await DripAsync(bytes).ConfigureAwait(false);
        }

        long untilMiddle = (_length / 2) - _sent;
        _sent += bytes.Length;
        if (untilMiddle < 0 || untilMiddle >= bytes.Length)
        {
            return await WriteAsync(bytes).ConfigureAwait(false);
        }

        ReadOnlyMemory<byte> before = bytes[..(int)untilMiddle];
        switch (kind)
        {
            case ServerFault.FlipDownload:
                return await WriteAsync(Flipped(bytes.ToArray(), (int)untilMiddle)).ConfigureAwait(false);
            case ServerFault.ResetInBody:
                await WriteAsync(before).ConfigureAwait(false);
                throw RequestFault.Reset();
            case ServerFault.StallBody:
                await WriteAsync(before).ConfigureAwait(false);
                await RequestFault.StallAsync(exchange).ConfigureAwait(false);
                return default;
            case ServerFault.TruncateBody:
                // If a handler sends less than Content-Length, Kestrel closes the connection after the data that was sent.
                await WriteAsync(before).ConfigureAwait(false);
                return new FlushResult(isCanceled: false, isCompleted: true);
            default:
                return await WriteAsync(bytes).ConfigureAwait(false);
        }
    }

    public static byte[] Flipped(byte[] bytes, int index)
    {
        bytes[index] ^= 1;
        return bytes;
    }

    private async ValueTask<FlushResult> DripAsync(ReadOnlyMemory<byte> bytes)
    {
        long drop = Math.Max((_length + Drops - 1) / Drops, 1);
        FlushResult result = default;
        while (!bytes.IsEmpty && !result.IsCompleted)
        {
            if (_sent % drop == 0)
            {
                await Task.Delay(BetweenDrops, exchange.Server.Options.Time, exchange.Aborted).ConfigureAwait(false);
            }

            int count = (int)Math.Min(bytes.Length, drop - (_sent % drop));
            result = await WriteAsync(bytes[..count]).ConfigureAwait(false);
            bytes = bytes[count..];
            _sent += count;
        }

        return result;
    }

    private ValueTask<FlushResult> WriteAsync(ReadOnlyMemory<byte> bytes) => exchange.Http.Response.BodyWriter.WriteAsync(bytes, exchange.Aborted);
}
