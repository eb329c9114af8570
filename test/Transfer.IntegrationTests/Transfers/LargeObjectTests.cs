using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

[Trait("size", "large")]
public class LargeObjectTests : TransferSuite
{
    private const long MiB = 1024 * 1024;
    private const long Memory = 64 * MiB;

    // At least four times the memory and, for one store, larger than int.MaxValue.
    private const long Larger = 256 * MiB;
    private static readonly long Largest = LongTests.Choose(full: 3 * 1024 * MiB, quick: Larger);

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task ObjectLargerThanMemory_UploadedAndDownloaded_IsTheSame(string storeName)
    {
        long length = storeName == Store.Embedded ? Largest : Larger;
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, options => options.MemoryBytes = Memory);
        using PatternSink sink = new();

        UploadResult up = await client.UploadAsync(new PatternSource(length, canSeek: true), store.Bucket, "key");
        DownloadResult down = await client.DownloadAsync(store.Bucket, "key", sink);

        Assert.Equal(length, sink.Written);
        Assert.True(up.Verdict.IsVerified, up.Verdict.ToString());
        Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
        Assert.InRange(client.PeakRentedBytes, 1, Memory);
    }
}
