using System.IO.Pipelines;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Shaping;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Sends a range of content at the rate of the client and within the configured limits.</summary>
internal static class ObjectSender
{
    /// <summary>
    /// The number of bytes to pass to the connection at once: enough to keep the overhead of calls low, and small enough for the processor's cache.
    /// </summary>
    public const int SliceBytes = 256 << 10;

    public static async Task SendAsync(S3Exchange exchange, Content content, ByteRange range)
    {
        CancellationToken aborted = exchange.Aborted;
        PacedDirection pace = exchange.Pacing.Sending;
        using ContentReader reader = content.OpenReader(range.Offset, range.Count);
        while (true)
        {
            ReadOnlyMemory<byte> bytes = await reader.ReadAsync(pace.SliceBytes ?? SliceBytes, aborted).ConfigureAwait(false);
            if (bytes.IsEmpty)
            {
                return;
            }

            await pace.PassAsync(bytes.Length, aborted).ConfigureAwait(false);
            FlushResult result = await exchange.SendAsync(bytes).ConfigureAwait(false);
            if (result.IsCompleted)
            {
                return; // the client has stopped reading
            }
        }
    }
}
