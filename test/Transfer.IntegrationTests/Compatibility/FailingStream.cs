namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>A stream that has a length, but fails when it is read.</summary>
internal sealed class FailingStream(int length, Exception failure) : MemoryStream(new byte[length])
{
    public override int Read(byte[] buffer, int offset, int count) => throw failure;

    public override int Read(Span<byte> buffer) => throw failure;

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => throw failure;

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => throw failure;
}
