using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Which requests a transfer sends, as counted by the server.</summary>
public class RequestTests : TransferSuite
{
    private const long Part = 8 * 1024 * 1024;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Download_OfThreeParts_SendsThreeRangesAndNoHead(bool withHint)
    {
        await using EmbeddedStore store = await EmbeddedStore.StartAsync();
        await store.S3.PutBucketAsync(store.Bucket);
        TransferClient client = Client(store);
        UploadResult up = await client.UploadAsync(new PatternSource(Part * 3), store.Bucket, "key");
        store.Server.ClearRequests();

        DownloadOptions options = new() { PartSizeBytes = Part, Hint = withHint ? new ObjectHint { Length = Part * 3, ETag = up.ETag } : null };
        DownloadResult down = await client.DownloadAsync(store.Bucket, "key", new PatternSink(), options);

        IReadOnlyList<RequestRecord> requests = store.Server.Requests;
        Assert.DoesNotContain(requests, r => r.Method == "HEAD");
        Assert.Equal(
            [$"bytes=0-{Part - 1}", $"bytes={Part}-{(2 * Part) - 1}", $"bytes={2 * Part}-{(3 * Part) - 1}"],
            requests.Where(r => r.Operation == "GetObject").Select(r => r.Range!).OrderBy(r => r.Length).ThenBy(r => r));
        Assert.Equal(requests.Count, down.Statistics.Requests);
        Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
    }

    [Fact]
    public async Task Upload_BelowTheThreshold_IsOnePut()
    {
        await using EmbeddedStore store = await EmbeddedStore.StartAsync();
        await store.S3.PutBucketAsync(store.Bucket);
        store.Server.ClearRequests();

        await Client(store).UploadAsync(new PatternSource(Part - 1, canSeek: true), store.Bucket, "key");

        Assert.Equal(["PutObject"], store.Server.Requests.Select(r => r.Operation));
    }

    [Fact]
    public async Task Upload_FromTheThreshold_IsCreatePartsAndComplete()
    {
        await using EmbeddedStore store = await EmbeddedStore.StartAsync();
        await store.S3.PutBucketAsync(store.Bucket);
        store.Server.ClearRequests();

        UploadResult up = await Client(store).UploadAsync(new PatternSource((Part * 2) + 1, canSeek: true), store.Bucket, "key");

        Assert.Equal(
            ["CreateMultipartUpload", "UploadPart", "UploadPart", "UploadPart", "CompleteMultipartUpload"],
            store.Server.Requests.Select(r => r.Operation));
        Assert.EachEqual((3, 5), (up.Parts, up.Statistics.Requests));
    }
}
