using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

/// <summary>The last ranges of a download are smaller, so that all connections end at about the same time.</summary>
public sealed class LastRangesTests : TransferTest
{
    private const long Length = (40 * Sizes.MiB) + 1;
    private static readonly DownloadOptions Unverified = new() { Verify = false }; // no requests other than those for the data

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task PartSizeIsNotGiven_RangesBecomeSmaller(bool toFile)
    {
        List<long> ranges = await DownloadAsync(toFile, partSize: null);

        Assert.InRange(ranges.Count, 8, 20);
        Assert.Equal(8 * Sizes.MiB, ranges.Max());
        Assert.InRange(ranges[^1], 1, 2 * Sizes.MiB);
        Assert.All(ranges.SkipLast(1), range => Assert.InRange(range, 2 * Sizes.MiB, 8 * Sizes.MiB));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task PartSizeIsGiven_RangesAreParts(bool toFile)
    {
        List<long> ranges = await DownloadAsync(toFile, partSize: 8 * Sizes.MiB);

        Assert.Equal([8 * Sizes.MiB, 8 * Sizes.MiB, 8 * Sizes.MiB, 8 * Sizes.MiB, (8 * Sizes.MiB) + 1], ranges);
    }

    /// <summary>Downloads an object with four connections.</summary>
    /// <returns>The sizes of the ranges, in order of their offsets.</returns>
    private async Task<List<long>> DownloadAsync(bool toFile, long? partSize)
    {
        byte[] content = S3.Put(Length);
        TransferClient client = NewClient(o =>
        {
            o.MaxConcurrency = 4;
            o.Advanced.ChunkSizeBytes = 64 * 1024;
            o.DownloadPartSizeBytes = partSize;
            o.MemoryBytes = 256 * Sizes.MiB;
        });
        string file = Folder.File("target");
        MemoryStream memory = new();

        DownloadResult result = toFile
            ? await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, file, Unverified).Within()
            : await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, memory, Unverified).Within();

        byte[] downloaded = toFile ? await File.ReadAllBytesAsync(file) : memory.ToArray();
        Assert.True(content.AsSpan().SequenceEqual(downloaded));
        long at = 0;
        List<long> ranges = [];
        foreach (S3Call call in S3.Gets.OrderBy(call => call.First))
        {
            Assert.Equal(at, call.First);
            ranges.Add(call.Last!.Value + 1 - at);
            at = call.Last.Value + 1;
        }

        Assert.Equal(Length, at);
        Assert.Equal(ranges.Count, result.Parts);
        return ranges;
    }
}
