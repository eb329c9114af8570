using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>What the documentation says about MinIO, and shows in the test report whether the theories also ran with it.</summary>
public class MinioTests
{
    [MinioFact]
    public async Task Minio_Configured_Responds()
    {
        await using Store store = await Store.StartAsync(Store.Minio);
        Assert.Empty(await store.OpenUploadsAsync());
    }

    /// <summary>The embedded server rejects a completed object of another size, as Amazon S3 does.</summary>
    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task SizeInACompletion_IsOnlyCheckedByOthers(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        string id = (await store.S3.InitiateMultipartUploadAsync(store.Bucket, "key").Within()).UploadId;
        UploadPartResponse part = await store.S3.UploadPartAsync(
            new UploadPartRequest { BucketName = store.Bucket, Key = "key", UploadId = id, PartNumber = 1, InputStream = new MemoryStream(new byte[3]) }).Within();
        CompleteMultipartUploadRequest completion = new() { BucketName = store.Bucket, Key = "key", UploadId = id, MpuObjectSize = 4 };
        completion.AddPartETags(part);

        if (store is MinioStore)
        {
            await store.S3.CompleteMultipartUploadAsync(completion).Within();
            Assert.Equal(3, (await store.S3.GetObjectMetadataAsync(store.Bucket, "key").Within()).ContentLength);
        }
        else
        {
            Assert.Equal("InvalidRequest", (await Assert.ThrowsAsync<AmazonS3Exception>(() => store.S3.CompleteMultipartUploadAsync(completion))).ErrorCode);
            await store.S3.AbortMultipartUploadAsync(store.Bucket, "key", id).Within();
        }
    }

    /// <summary>MinIO has no archive: it ignores the request for the states of restorations, and refuses the storage classes.</summary>
    [Theory]
    [Stores]
    public async Task StatesOfRestorations_RequestedFromAStoreWithoutAnArchive_AreHarmless(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = store.Wire } });
        using TemporaryFolder folder = new();
        foreach (string key in (string[])["p/a", "p/b"])
        {
            await client.UploadAsync(new MemoryStream(new byte[1]), store.Bucket, key).Within();
        }

        ListObjectsV2Response listed = await store.S3.ListObjectsV2Async(
            new ListObjectsV2Request { BucketName = store.Bucket, OptionalObjectAttributes = [OptionalObjectAttributes.RestoreStatus] }).Within();
        DirectoryResult result = await client.DownloadDirectoryAsync(store.Bucket, "p", folder.Path, new DirectoryOptions { Archived = ArchivedObjects.Restore }).Within();

        Assert.All(listed.S3Objects, item => Assert.Null(item.RestoreStatus));
        Assert.EachEqual((2, 0, 0), (result.Counts.Copied, result.Counts.Failed, result.Counts.Restoring));
        if (store is MinioStore)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(
                () => client.UploadAsync(new MemoryStream(new byte[1]), store.Bucket, "archived", new UploadOptions { StorageClass = "GLACIER" }));
            Assert.Equal("InvalidStorageClass", e.ErrorCode);
        }
    }
}
