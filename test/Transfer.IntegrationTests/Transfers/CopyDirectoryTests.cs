using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public sealed class CopyDirectoryTests : TransferSuite
{
    private const long Part = 5 * 1024 * 1024;

    [Theory]
    [Stores]
    public async Task CopyDirectory_AnyNames_CopiesAllObjects(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        string[] names = ["a", "d/b c+d%25é", "d/ünï?&%/e", "d/folder/", "large", "..hidden", "n\u0001n"];
        foreach (string name in names)
        {
            using PatternSource content = new(name == "large" ? Part + 1 : name.EndsWith('/') ? 0 : 10);
            await client.UploadAsync(content, store.Bucket, "in/" + name);
        }

        await client.UploadAsync(new PatternSource(1), store.Bucket, "inside");
        DirectoryOptions inParts = new() { Copy = new CopyOptions { PartSizeBytes = Part, MultipartThresholdBytes = Part } };

        DirectoryResult result = await client.CopyTreeAsync(Place.InBucket(store.Bucket, "in"), Place.InBucket(store.Bucket, "out"), inParts);
        DirectoryResult again = await client.CopyTreeAsync(Place.InBucket(store.Bucket, "in"), Place.InBucket(store.Bucket, "out"), inParts with { SkipExisting = true });

        Assert.EachEqual((names.Length, Part + 1 + (10 * (names.Length - 2)), 0), (result.Counts.Copied, result.Counts.Bytes, result.Failures.Count));
        Assert.EachEqual((0, names.Length), (again.Counts.Copied, again.Counts.Skipped));
        ListObjectsV2Response listing = await store.S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = store.Bucket, Prefix = "out/", Encoding = Amazon.S3.EncodingType.Url });
        Assert.Equal(names.Length, listing.S3Objects.Count);
        foreach (string name in names.Where(name => !name.EndsWith('/')))
        {
            using PatternSink sink = new();
            await client.DownloadAsync(store.Bucket, "out/" + name, sink);
            Assert.Equal(name == "large" ? Part + 1 : 10, sink.Written);
        }

        Assert.Empty(await store.OpenUploadsAsync());
    }
}
