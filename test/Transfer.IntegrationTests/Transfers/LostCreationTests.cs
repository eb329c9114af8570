using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>An upload that the store has created, but whose ID the client never received. The next run aborts it, unless it can be somebody else's.</summary>
public sealed class LostCreationTests : TransferSuite
{
    private const int Part = 5 * 1024 * 1024;

    [Theory]
    [InlineData(0, false, 0)]
    [InlineData(0, true, 1)]
    [InlineData(1, false, 2)]
    public async Task NextRun_AbortsTheUploadThatBeganThenAndHasNoParts(int others, bool hasPart, int left)
    {
        await using EmbeddedStore store = (EmbeddedStore)await Store.StartAsync(Store.Embedded);
        string state = Path.Combine(Folder, "state");
        string path = NewFile("source", (2 * Part) + 1);
        UploadOptions options = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part, Checksum = ChecksumAlgorithm.Crc32 };
        TransferClient client = Client(store, o => (o.StateDirectory, o.MaxAttempts) = (state, 1));
        store.Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.LoseReply) { Operation = "CreateMultipartUpload", Times = 1 }] });

        TransferException lost = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(path, store.Bucket, "key", options).Within());
        Assert.Contains("the response to the creation of a multipart upload was lost", lost.CleanupError!.Message, StringComparison.Ordinal);
        MultipartUpload open = Assert.Single(await store.OpenUploadsAsync());
        if (hasPart)
        {
            await store.S3.UploadPartAsync(new UploadPartRequest { BucketName = store.Bucket, Key = "key", UploadId = open.UploadId, PartNumber = 1, InputStream = new MemoryStream([1]) }).Within();
        }

        for (int i = 0; i < others; i++)
        {
            await store.S3.InitiateMultipartUploadAsync(store.Bucket, "key").Within();
        }

        await store.S3.InitiateMultipartUploadAsync(store.Bucket, "key-of-another").Within();
        UploadResult again = await client.UploadAsync(path, store.Bucket, "key", options).Within();

        Assert.True(again.Verdict.IsVerified);
        Assert.Equal(left, (await store.OpenUploadsAsync()).Count(upload => upload.Key == "key"));
        Assert.Single(await store.OpenUploadsAsync(), upload => upload.Key == "key-of-another");
        Assert.Empty(Directory.EnumerateFiles(state));
    }
}
