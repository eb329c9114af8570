using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Cli.Tracing;

/// <summary>Reads the body of a response, and reports its bytes.</summary>
internal sealed class TracedStream(Stream inner, TracedExchange exchange) : ForwardStream
{
    public override bool CanRead => true;

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        try
        {
            return Report(inner.Read(buffer), buffer);
        }
        catch (Exception e)
        {
            exchange.Fail(e);
            throw;
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            return Report(await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false), buffer.Span);
        }
        catch (Exception e)
        {
            exchange.Fail(e);
            throw;
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
            exchange.End();
        }

        base.Dispose(disposing);
    }

    private int Report(int count, ReadOnlySpan<byte> buffer)
    {
        if (count > 0)
        {
            exchange.Received(buffer[..count]);
        }
        else if (buffer.Length > 0)
        {
            exchange.End();
        }

        return count;
    }
}
