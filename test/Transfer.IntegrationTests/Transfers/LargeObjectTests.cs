using Transfer.IntegrationTests.Stores;

namespace Transfer.IntegrationTests.Transfers;

[Trait("size", "large")]
public class LargeObjectTests : TransferSuite
{
    private const long Length = 3L * 1024 * 1024 * 1024;
    private const long Memory = 64L * 1024 * 1024;

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task ThreeGiB_UpAndDown_IsTheSame(string storeName)
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
