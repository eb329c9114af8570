namespace Transfer.S3.TransferUtility;

/// <summary>The stream of an object for callers of the SDK. Reads throw the exceptions of the SDK.</summary>
internal sealed class SdkReadStream(ObjectReadStream stream) : Stream
{
    public ObjectInfo Info => stream.Info;

    /// <summary>Gets the first response; null if it wasn't kept.</summary>
    public object? Answer => stream.First.Answer;

    public override bool CanRead => stream.CanRead;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => stream.Length;

    public override long Position
    {
        get => stream.Position;
        set => stream.Position = value;
    }

    public override int Read(Span<byte> buffer)
    {
        try
        {
            return stream.Read(buffer);
        }
        catch (Exception e)
        {
            SdkFailures.Throw(e);
            throw;
        }
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ValueTask<int> read = stream.ReadAsync(buffer, cancellationToken);
        return read.IsCompletedSuccessfully ? read : TranslateAsync(read);

        static async ValueTask<int> TranslateAsync(ValueTask<int> read)
        {
            try
            {
                return await read.ConfigureAwait(false);
            }
            catch (Exception e)
            {
                SdkFailures.Throw(e);
                throw;
            }
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override async Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        try
        {
            await stream.CopyToAsync(destination, bufferSize, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            SdkFailures.Throw(e);
            throw;
        }
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => stream.Seek(offset, origin);

    public override void SetLength(long value) => stream.SetLength(value);

    public override void Write(byte[] buffer, int offset, int count) => stream.Write(buffer, offset, count);

    public override async ValueTask DisposeAsync()
    {
        await stream.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            stream.Dispose();
        }

        base.Dispose(disposing);
    }
}
