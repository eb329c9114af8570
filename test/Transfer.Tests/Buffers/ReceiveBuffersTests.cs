using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

public sealed class ReceiveBuffersTests
{
    [Fact]
    public void TryRent_NoBufferLeft_ReturnsFalse()
    {
        ReceiveBuffers buffers = new(16, 2);

        Assert.True(buffers.TryRent(out byte[]? first));
        Assert.True(buffers.TryRent(out byte[]? second));
        Assert.NotSame(first, second);
        Assert.Equal(16, first.Length);
        Assert.False(buffers.TryRent(out _));
        Assert.Equal(2, buffers.Rented);
    }

    [Fact]
    public void TryRent_AfterReturn_ReturnsTheSameArray()
    {
        ReceiveBuffers buffers = new(16, 1);
        Assert.True(buffers.TryRent(out byte[]? first));

        buffers.Return(first);

        Assert.Equal(0, buffers.Rented);
        Assert.True(buffers.TryRent(out byte[]? again));
        Assert.Same(first, again);
    }
}
