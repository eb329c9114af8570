using Transfer.S3.Bench.Measuring;

namespace Transfer.S3.Bench.Operations;

/// <summary>Counts and discards what is written to it.</summary>
internal sealed class MeteredStream(RunMeter? meter) : ForwardStream
{
    public override bool CanWrite => true;

    public override void Write(byte[] buffer, int offset, int count) => meter?.AddBytes(count);

    public override void Write(ReadOnlySpan<byte> buffer) => meter?.AddBytes(buffer.Length);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        meter?.AddBytes(buffer.Length);
        return ValueTask.CompletedTask;
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
