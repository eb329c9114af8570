using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Download;

/// <summary>What a connection is told about the body that it receives.</summary>
public sealed class BodyReceivingTests : TransferTest
{
    private readonly List<(long? Told, long Left)> _reads = [];

    [Fact]
    public async Task Body_IsLarge_ConnectionKnowsWhatIsLeftOfIt()
    {
        await DownloadAsync(2 * BodyReceiving.LeastBytes);

        Assert.True(_reads.Count > 4);
        Assert.All(_reads, read => Assert.Equal(read.Left, read.Told));
    }

    [Fact]
    public async Task Body_IsSmall_IsWantedAtOnce()
    {
        await DownloadAsync(BodyReceiving.LeastBytes - 1);

        Assert.All(_reads, read => Assert.Null(read.Told));
    }

    /// <summary>With a rate limit, the connection is read slowly, and what it holds says nothing.</summary>
    [Fact]
    public async Task Body_HasARateLimit_IsWantedAtOnce()
    {
        await DownloadAsync(2 * BodyReceiving.LeastBytes, new DownloadOptions { RateLimit = new RateLimit(Time) { TotalBytesPerSecond = 1L << 40 } });

        Assert.All(_reads, read => Assert.Equal(0, read.Told));
    }

    private async Task DownloadAsync(int length, DownloadOptions? options = null)
    {
        byte[] content = S3.Put(length);
        S3.Body = (_, bytes) => new ToldStream(bytes.ToArray(), _reads);
        MemoryStream target = new();

        await NewClient(o => o.DownloadPartSizeBytes = length).DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, options).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Null(BodyReceiving.Current);
    }

    private sealed class ToldStream(byte[] content, List<(long?, long)> reads) : MemoryStream(content)
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            reads.Add((BodyReceiving.Current?.LeftBytes, Length - Position));
            return base.ReadAsync(buffer, cancellationToken);
        }
    }
}
