using System.Buffers;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Tests.Server;

public sealed class ContentTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 3_500_000)]
    [InlineData(1, 1)]
    [InlineData(1048575, 2)]
    [InlineData(1999999, 3)]
    [InlineData(2000000, 1500000)]
    [InlineData(3499999, 1)]
    public async Task ReadAsync_RangeAcrossParts_ReturnsTheRange(int offset, int count)
    {
        byte[] data = new byte[3_500_000];
        new Random(7).NextBytes(data);
        Content content = Content.Join([await StoreAsync(data[..2_000_000]), await StoreAsync([]), await StoreAsync(data[2_000_000..])]);

        Assert.Equal(data.AsSpan(offset, count).ToArray(), await ReadAsync(content, offset, count));
        Assert.Equal(data.AsSpan(offset, count).ToArray(), await ReadAsync(content.Slice(offset, count), 0, count));
    }

    [Fact]
    public async Task Release_LastHolder_ReleasesTheBlobs()
    {
        var blob = new CountedBlob();
        Content first = Content.Adopt(blob);
        Content copy = Content.Join([first]);
        Assert.True(first.TryHold());

        first.Release();
        Assert.Equal(2, blob.Holders);
        first.Release();
        Assert.Equal(1, blob.Holders);
        Assert.False(first.TryHold());
        copy.Release();

        Assert.Equal(0, blob.Holders);
        await Task.CompletedTask;
    }

    private static async Task<Content> StoreAsync(byte[] data)
    {
        await using IBlobWriter writer = new MemoryBlobStore().CreateWriter(data.Length);
        foreach (byte[] piece in data.Chunk(77_777))
        {
            await writer.WriteAsync(new ReadOnlySequence<byte>(piece), CancellationToken.None);
        }

        return Content.Adopt(await writer.CompleteAsync(CancellationToken.None));
    }

    private static async Task<byte[]> ReadAsync(Content content, long offset, long count)
    {
        var read = new ArrayBufferWriter<byte>();
        using ContentReader reader = content.OpenReader(offset, count);
        while (await reader.ReadAsync(300_000, CancellationToken.None) is { IsEmpty: false } bytes)
        {
            read.Write(bytes.Span);
        }

        return read.WrittenSpan.ToArray();
    }

    private sealed class CountedBlob : IBlob
    {
        public int Holders { get; private set; } = 1;

        public long Length => 10;

        public bool KeepsBytes => true;

        public IBlobReader OpenReader() => throw new InvalidOperationException("This blob must not be read.");

        public void AddReference() => Holders++;

        public void Release() => Holders--;
    }
}
