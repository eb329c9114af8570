namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>A stream that accepts only the pattern, starting at the given byte. It compares and counts what is written.</summary>
internal sealed class PatternSink(long start = 0) : Stream
{
    public long Written { get; private set; }

    /// <summary>Gets a value that indicates whether a wrong byte only sets <see cref="IsRight"/> instead of failing the test.</summary>
    public bool OnlyNotes { get; init; }

    public bool IsRight { get; private set; } = true;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => Written;

    public override long Position
    {
        get => Written;
        set => throw new NotSupportedException();
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        int right = Pattern.CountRight(buffer, start + Written);
        IsRight &= right == buffer.Length;
        Assert.True(IsRight || OnlyNotes, $"byte {Written + right} is wrong");
        Written += buffer.Length;
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
