using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public class AbortUploadsTests : TransferSuite
{
    [Theory]
    [Stores]
    public async Task UploadsOfAKey_OnlyTheseAreAborted(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        string[] ids = [await BeginAsync(store, "a/ä b+c"), await BeginAsync(store, "a/ä b+c")];
        string other = await BeginAsync(store, "b");

        AbortUploadsResult young = await client.AbortUploadsAsync(store.Bucket, "a/ä b+c", new AbortUploadsOptions { OlderThan = TimeSpan.FromDays(1) }).Within();
        AbortUploadsResult dry = await client.AbortUploadsAsync(store.Bucket, "a/ä b+c", new AbortUploadsOptions { DryRun = true }).Within();
        AbortUploadsResult all = await client.AbortUploadsAsync(store.Bucket, "a/ä b+c").Within();
        AbortUploadsResult again = await client.AbortUploadsAsync(store.Bucket, "a/ä b+c").Within();

        Assert.EachEqual((0, 2), (young.Aborted.Count, young.KeptCount));
        Assert.Equal(ids.Order(), dry.Aborted.Select(upload => upload.UploadId).Order());
        Assert.Equal(ids.Order(), all.Aborted.Select(upload => upload.UploadId).Order());
        Assert.All(all.Aborted, upload => Assert.Equal("a/ä b+c", upload.Key));
        Assert.Empty(again.Aborted);
        Assert.Equal([other], (await client.AbortUploadsAsync(store.Bucket, "b").Within()).Aborted.Select(upload => upload.UploadId));
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores]
    public async Task UploadsUnderAPrefix_OnlyTheseAreAborted(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        string[] ids = [await BeginAsync(store, "a/one"), await BeginAsync(store, "a/two")];
        string other = await BeginAsync(store, "b");

        AbortUploadsResult result = await Client(store).AbortUploadsAsync(store.Bucket, "a/").Within();

        Assert.Equal(ids.Order(), result.Aborted.Select(upload => upload.UploadId).Order());
        Assert.Equal([other], (await Client(store).AbortUploadsAsync(store.Bucket, string.Empty).Within()).Aborted.Select(upload => upload.UploadId));
    }

    /// <summary>Uses more uploads than a page of S3 holds. MinIO's pages hold ten times as many.</summary>
    [Theory]
    [InlineData(Store.Embedded)]
    [InlineData(Store.Embedded + Store.BySdk)]
    public async Task ManyUploads_AreAborted(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        string[] ids = await Task.WhenAll(Enumerable.Range(0, 1005).Select(i => BeginAsync(store, $"many/{i % 7}"))).Within();
        await BeginAsync(store, "other");

        AbortUploadsResult result = await Client(store).AbortUploadsAsync(store.Bucket, "many/").Within();

        Assert.Equal(ids.Order(), result.Aborted.Select(upload => upload.UploadId).Order());
        Assert.Empty(result.Failures);
        Assert.Equal(["other"], (await store.OpenUploadsAsync()).Select(upload => upload.Key));
    }

    [Theory]
    [Stores]
    public async Task MissingBucket_Throws(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => Client(store).AbortUploadsAsync("no-" + store.Bucket, string.Empty)).Within();
        Assert.Equal("NoSuchBucket", e.ErrorCode);
    }

    [Theory]
    [InlineData(Store.Embedded, 2)]
    [InlineData(Store.Embedded, -2)]
    [InlineData(Store.Embedded + Store.BySdk, 2)]
    [InlineData(Store.Embedded + Store.BySdk, -2)]
    public async Task Ages_AreMeasuredByTheClockOfTheStore(string storeName, int days)
    {
        await using Store store = await Store.StartAsync(storeName);
        string id = await BeginAsync(store, "a");
        TransferClient client = Client(store, options => options.Advanced.TimeProvider = new ShiftedTime(TimeSpan.FromDays(days)));

        AbortUploadsResult young = await client.AbortUploadsAsync(store.Bucket, string.Empty, new AbortUploadsOptions { OlderThan = TimeSpan.FromDays(1) }).Within();
        AbortUploadsResult old = await client.AbortUploadsAsync(store.Bucket, string.Empty, new AbortUploadsOptions { OlderThan = TimeSpan.Zero }).Within();

        Assert.EachEqual((0, 1), (young.Aborted.Count, young.KeptCount));
        Assert.Equal(id, Assert.Single(old.Aborted).UploadId);
    }

    [Theory]
    [InlineData("\r\nDate: Mon, 02 Mar 2026 10:00:00 GMT", true, 1)]
    [InlineData("\r\nDate: Mon, 02 Mar 2026 10:00:00 GMT", false, 1)]
    [InlineData("\r\nDate: Mon, 02 Mar 2026 09:20:00 GMT", true, 0)]
    [InlineData("\r\nDate: 1772445600", true, 0)]
    [InlineData("", true, 0)]
    public async Task Ages_AreMeasuredByTheDateHeaderOrTheClockOfTheClient(string date, bool isPlain, int old)
    {
        const string uploads = "<ListMultipartUploadsResult><Bucket>bucket</Bucket><IsTruncated>false</IsTruncated><Upload><Key>k</Key><UploadId>u</UploadId>"
            + "<Initiated>2026-03-02T09:00:00.000Z</Initiated></Upload></ListMultipartUploadsResult>";
        await using ScriptedServer server = new(_ => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1" + date, uploads));
        using AmazonS3Client s3 = isPlain ? new AmazonS3Client(Credentials, Config(server.Url)) : new DecoratedS3(server.Url);
        DateTimeOffset now = new(2026, 3, 2, 9, 10, 0, TimeSpan.Zero);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { TimeProvider = new ShiftedTime(now - DateTimeOffset.UtcNow) } });

        // Run two at once, so that one starts with the client in the state in which the other leaves it.
        AbortUploadsResult[] results = await Task.WhenAll(Enumerable.Range(0, 2)
            .Select(_ => client.AbortUploadsAsync("bucket", string.Empty, new AbortUploadsOptions { OlderThan = TimeSpan.FromMinutes(30), DryRun = true }))).Within();

        Assert.All(results, result => Assert.EachEqual((old, 1 - old), (result.Aborted.Count, result.KeptCount)));
    }

    private static BasicAWSCredentials Credentials => new("transfer", "transfer-secret");

    private static AmazonS3Config Config(string url) => new() { ServiceURL = url, ForcePathStyle = true, AuthenticationRegion = "us-east-1" };

    private static async Task<string> BeginAsync(Store store, string key)
        => (await store.S3.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = store.Bucket, Key = key })).UploadId;

    /// <summary>A subclass of the S3 client, written by the caller.</summary>
    private sealed class DecoratedS3(string url) : AmazonS3Client(Credentials, Config(url));
}
