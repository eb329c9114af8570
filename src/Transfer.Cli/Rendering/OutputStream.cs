using System.Runtime.CompilerServices;
using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Cli.Rendering;

/// <summary>
/// Standard output. It distinguishes a broken standard output from other broken pipes, and what .NET throws if a file may not become so large (EFBIG) from wrong arguments.
/// </summary>
internal sealed class OutputStream(Stream inner) : ForwardStream
{
    private const int BrokenPipe = 32; // EPIPE

    public override bool CanWrite => true;

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            inner.Write(buffer);
        }
        catch (IOException e) when (e.HResult == BrokenPipe)
        {
            throw new OutputClosedException(e);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw TooLarge(e);
        }
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(buffer.AsSpan(offset, count));
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))] // called for every chunk
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            await inner.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (IOException e) when (e.HResult == BrokenPipe)
        {
            throw new OutputClosedException(e);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw TooLarge(e);
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override void Flush() => inner.Flush();

    public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }

    private static IOException TooLarge(ArgumentOutOfRangeException e) => new("standard output would be larger than the process or the file system allows", e);
}
