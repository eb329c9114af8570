using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public class AlignmentTests : TransferSuite
{
    private const long Stored = 5 * 1024 * 1024;
    private const long Asked = 2 * 1024 * 1024;
    private const long Length = (3 * Stored) + 100;

    private string Target => Path.Combine(Folder, "target");

    [Theory]
    [Stores]
    public async Task MultipartObject_IsDownloadedInItsParts(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Asked);
        UploadResult up = await client.UploadAsync(new PatternSource(Length, canSeek: true), store.Bucket, "key", new UploadOptions { PartSizeBytes = Stored });

        foreach (ObjectHint? hint in (ObjectHint?[])[null, new ObjectHint { Length = Length, ETag = up.ETag }])
        {
            DownloadResult file = await client.DownloadAsync(store.Bucket, "key", Target, new DownloadOptions { AlignToStoredParts = true, Hint = hint });
            DownloadResult read = await client.DownloadAsync(store.Bucket, "key", new PatternSink(), new DownloadOptions { AlignToStoredParts = true, Hint = hint });

            AssertPattern(Target, Length);
            Assert.EachEqual((4, 4), (file.Parts, read.Parts));
            Assert.True(file.Verdict.IsVerified && read.Verdict.IsVerified);
        }
    }

    [Fact]
    public async Task Ranges_MatchTheStoredPartsAlsoWithinARange()
    {
        await using EmbeddedStore store = await EmbeddedStore.StartAsync();
        await store.S3.PutBucketAsync(store.Bucket);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Asked);
        await client.UploadAsync(new PatternSource(Length, canSeek: true), store.Bucket, "key", new UploadOptions { PartSizeBytes = Stored });

        Assert.Equal(
            [$"0-{Stored - 1}", $"{Stored}-{(2 * Stored) - 1}", $"{2 * Stored}-{(3 * Stored) - 1}", $"{3 * Stored}-{Length - 1}"], await RangesAsync(null));
        Assert.Equal([$"{Stored - 10}-{Stored - 1}", $"{Stored}-{Stored + 9}"], await RangesAsync(ObjectRange.From(Stored - 10, 20)));
        Assert.Equal(["0-0", $"{(3 * Stored) - 1}-{(3 * Stored) - 1}", $"{3 * Stored}-{Length - 1}"], await RangesAsync(ObjectRange.Last(101)));

        async Task<IEnumerable<string>> RangesAsync(ObjectRange? range)
        {
            store.Server.ClearRequests();
            await client.DownloadAsync(store.Bucket, "key", Target, new DownloadOptions { AlignToStoredParts = true, Range = range });
            Assert.EachEqual(("HEAD", 1), (store.Server.Requests[0].Method, store.Server.Requests[0].PartNumber));
            return store.Server.Requests.Where(r => r.Range is not null)
                .Select(r => r.Range!["bytes=".Length..]).OrderBy(r => long.Parse(r.Split('-')[0], provider: null));
        }
    }

    [Theory]
    [Stores]
    public async Task ObjectWithUnequalParts_IsDownloadedInRangesOfThePartSize(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, o => (o.DownloadPartSizeBytes, o.MultipartThresholdBytes) = (Asked, 2 * Length));
        await client.UploadAsync(new PatternSource(Length, canSeek: true), store.Bucket, "whole");
        string uploadId = (await store.S3.InitiateMultipartUploadAsync(store.Bucket, "uneven")).UploadId;
        byte[] content = Pattern.Bytes(Length);
        List<Amazon.S3.Model.PartETag> parts = [];
        foreach ((int number, int from, int to) in ((int, int, int)[])[(1, 0, (int)(2 * Stored)), (2, (int)(2 * Stored), (int)(3 * Stored)), (3, (int)(3 * Stored), (int)Length)])
        {
            Amazon.S3.Model.UploadPartResponse part = await store.S3.UploadPartAsync(new()
            {
                BucketName = store.Bucket,
                Key = "uneven",
                UploadId = uploadId,
                PartNumber = number,
                InputStream = new MemoryStream(content[from..to]),
            });
            parts.Add(new(part));
        }

        await store.S3.CompleteMultipartUploadAsync(new() { BucketName = store.Bucket, Key = "uneven", UploadId = uploadId, PartETags = parts });

        foreach (string key in (string[])["whole", "uneven"])
        {
            DownloadResult down = await client.DownloadAsync(store.Bucket, key, Target, new DownloadOptions { AlignToStoredParts = true });

            AssertPattern(Target, Length);
            Assert.Equal(8, down.Parts); // 15 MiB and a small remainder, in ranges of 2 MiB
        }

        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => client.DownloadAsync(store.Bucket, "none", Target, new DownloadOptions { AlignToStoredParts = true }));
        Assert.Equal("NoSuchKey", e.ErrorCode);
    }
}
