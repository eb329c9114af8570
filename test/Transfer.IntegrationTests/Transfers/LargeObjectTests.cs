using Transfer.IntegrationTests.Stores;
using Transfer.Tests.Infrastructure;

namespace Transfer.IntegrationTests.Transfers;

[Trait("size", "large")]
public class LargeObjectTests : TransferSuite
{
    private const long MiB = 1024 * 1024;
    private const long Memory = 64 * MiB;

    // Larger than int.MaxValue, or at least four times the memory.
    private static readonly long Length = LongTests.Choose(full: 3 * 1024 * MiB, quick: 256 * MiB);

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task ObjectLargerThanMemory_UploadedAndDownloaded_IsTheSame(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, options => options.MemoryBytes = Memory);
        using PatternSink sink = new();

        UploadResult up = await client.UploadAsync(new PatternSource(Length, canSeek: true), store.Bucket, "key");
        DownloadResult down = await client.DownloadAsync(store.Bucket, "key", sink);

        Assert.Equal(Length, sink.Written);
        Assert.True(up.Verdict.IsVerified, up.Verdict.ToString());
        Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
        Assert.InRange(client.PeakRentedBytes, 1, Memory);
    }
}
