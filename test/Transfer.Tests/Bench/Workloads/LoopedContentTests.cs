using System.Buffers;
using Transfer.S3.Bench.Workloads;

namespace Transfer.S3.Tests.Bench.Workloads;

public sealed class LoopedContentTests
{
    private const int MiB = 1 << 20;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(8 * MiB)]
    [InlineData(20 * MiB)]
    public async Task Content_AsSequenceStreamAndFile_IsTheSame(int length)
    {
        using TemporaryFolder folder = new();
        LoopedContent content = new(20 * MiB, new Random(1));

        byte[] sequence = content.ToSequence(length).ToArray();
        using MemoryStream copy = new();
        await using Stream stream = content.OpenRead(length);
        await stream.CopyToAsync(copy, 1_000_003);
        await content.WriteAsync(folder.File("file"), length, CancellationToken.None);

        Assert.Equal(length, sequence.Length);
        Assert.Equal(length, stream.Length);
        Assert.True(sequence.AsSpan().SequenceEqual(copy.ToArray()));
        byte[] file = await File.ReadAllBytesAsync(folder.File("file"));
        Assert.True(sequence.AsSpan().SequenceEqual(file));
    }

    [Fact]
    public void Content_PartsOf8MiB_Differ()
    {
        byte[] all = new LoopedContent(24 * MiB, new Random(1)).ToSequence(24 * MiB).ToArray();
        Assert.False(all.AsSpan(0, 8 * MiB).SequenceEqual(all.AsSpan(8 * MiB, 8 * MiB)));
    }

    [Fact]
    public void OpenRead_Seek_ReadsTheSameAgain()
    {
        using Stream stream = new LoopedContent(10 * MiB, new Random(1)).OpenRead(10 * MiB);
        byte[] first = new byte[1000];
        byte[] again = new byte[1000];
        Assert.Equal(9 * MiB, stream.Seek(-MiB, SeekOrigin.End));
        stream.ReadExactly(first);
        Assert.Equal(9 * MiB, stream.Seek(-1000, SeekOrigin.Current));
        stream.ReadExactly(again);

        Assert.Equal(first, again);
        Assert.Equal(0, stream.Seek(20 * MiB, SeekOrigin.Begin) - (20 * MiB));
        Assert.Equal(0, stream.Read(again));
    }

    [Fact]
    public void Content_SmallObjects_TakesLittleMemory() => Assert.Equal(5, new LoopedContent(5, new Random(1)).ToSequence(5).First.Length);
}
