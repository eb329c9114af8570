using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>A file that is written. What can't be written is an <see cref="IOException"/>, also if the file may not become so large (<see cref="FileContent"/>).</summary>
internal sealed class WrittenFileStream : FileStream
{
    public WrittenFileStream(string path, FileStreamOptions options)
        : base(path, options)
    {
    }

    public WrittenFileStream(SafeFileHandle file, int bufferSize)
        : base(file, FileAccess.Write, bufferSize)
    {
    }

    public override long Position
    {
        get => base.Position;
        set
        {
            Flush(); // what is in the buffer can't fail elsewhere
            base.Position = value;
        }
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            base.Write(buffer);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw FileContent.TooLarge(e);
        }
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        try
        {
            base.Write(buffer, offset, count);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw FileContent.TooLarge(e);
        }
    }

    public override void WriteByte(byte value) => Write([value]);

    public override async Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        try
        {
#pragma warning disable CA1835 // the other overload of the base class calls this one
            await base.WriteAsync(buffer, offset, count, cancellationToken).ConfigureAwait(false);
#pragma warning restore CA1835
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw FileContent.TooLarge(e);
        }
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            await base.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw FileContent.TooLarge(e);
        }
    }

    public override void Flush(bool flushToDisk)
    {
        try
        {
            base.Flush(flushToDisk);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw FileContent.TooLarge(e);
        }
    }

    protected override void Dispose(bool disposing)
    {
        try
        {
            base.Dispose(disposing);
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw FileContent.TooLarge(e);
        }
    }
}
