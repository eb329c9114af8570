using Amazon.S3.Model;
using Transfer.IntegrationTests.Infrastructure;
using Transfer.IntegrationTests.Stores;

namespace Transfer.IntegrationTests.Transfers;

public class AbortUploadsTests : TransferSuite
{
    [Theory]
    [Stores]
    public async Task UploadsOfAKey_AreAborted_AndNoOthers(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        string[] ids = [await BeginAsync(store, "a/ä b+c"), await BeginAsync(store, "a/ä b+c")];
        string other = await BeginAsync(store, "b");

        AbortUploadsResult young = await client.AbortUploadsAsync(store.Bucket, "a/ä b+c", TimeSpan.FromDays(1)).InTime();
        AbortUploadsResult dry = await client.AbortUploadsAsync(store.Bucket, "a/ä b+c", dryRun: true).InTime();
        AbortUploadsResult all = await client.AbortUploadsAsync(store.Bucket, "a/ä b+c").InTime();
        AbortUploadsResult again = await client.AbortUploadsAsync(store.Bucket, "a/ä b+c").InTime();

        Assert.Equal((0, 2), (young.Aborted.Count, young.Kept));
        Assert.Equal(ids.Order(), dry.Aborted.Select(upload => upload.UploadId).Order());
        Assert.Equal(ids.Order(), all.Aborted.Select(upload => upload.UploadId).Order());
        Assert.All(all.Aborted, upload => Assert.Equal("a/ä b+c", upload.Key));
        Assert.Empty(again.Aborted);
        Assert.Equal([other], (await client.AbortUploadsAsync(store.Bucket, "b").InTime()).Aborted.Select(upload => upload.UploadId));
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores]
    public async Task UploadsUnderAPrefix_AreAborted_AndNoOthers(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        string[] ids = [await BeginAsync(store, "a/one"), await BeginAsync(store, "a/two")];
        string other = await BeginAsync(store, "b");

        AbortUploadsResult result = await Client(store).AbortUploadsAsync(store.Bucket, "a/").InTime();

        Assert.Equal(ids.Order(), result.Aborted.Select(upload => upload.UploadId).Order());
        Assert.Equal([other], (await Client(store).AbortUploadsAsync(store.Bucket, string.Empty).InTime()).Aborted.Select(upload => upload.UploadId));
    }

    /// <summary>More than a page; MinIO's pages hold ten times as many.</summary>
    [Theory]
    [InlineData(Store.Embedded)]
    [InlineData(Store.Embedded + Store.BySdk)]
    public async Task ManyUploads_AreAborted(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        string[] ids = await Task.WhenAll(Enumerable.Range(0, 1005).Select(i => BeginAsync(store, $"many/{i % 7}"))).InTime();
        await BeginAsync(store, "other");

        AbortUploadsResult result = await Client(store).AbortUploadsAsync(store.Bucket, "many/").InTime();

        Assert.Equal(ids.Order(), result.Aborted.Select(upload => upload.UploadId).Order());
        Assert.Empty(result.Failures);
        Assert.Equal(["other"], (await store.OpenUploadsAsync()).Select(upload => upload.Key));
    }

    [Theory]
    [Stores]
    public async Task MissingBucket_IsAnError(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => Client(store).AbortUploadsAsync("no-" + store.Bucket, string.Empty)).InTime();
        Assert.Equal("NoSuchBucket", e.ErrorCode);
    }

    private static async Task<string> BeginAsync(Store store, string key)
        => (await store.S3.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = store.Bucket, Key = key })).UploadId;
}
