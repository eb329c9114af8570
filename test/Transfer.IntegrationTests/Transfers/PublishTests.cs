using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Synchronizations that publish everything at once, over real connections to every store.</summary>
public sealed class PublishTests : TransferSuite
{
    private const int Part = 5 * 1024 * 1024;

    private static SyncOptions AllAtOnce => new() { Publish = PublishMode.AllAtOnce, Delete = true, MaxDelete = DeletionLimit.Percent(100), Upload = new UploadOptions { PartSizeBytes = Part, MultipartThresholdBytes = Part } };

    [Theory]
    [Stores]
    public async Task Sync_UpAndInside_PublishesSmallLargeAndEmptyObjects(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, options => options.StateDirectory = Path.Combine(Folder, "state"));
        string site = Directory.CreateDirectory(Path.Combine(Folder, "site")).FullName;
        await File.WriteAllTextAsync(Path.Combine(site, "index.html"), "new page");
        await File.WriteAllTextAsync(Path.Combine(site, "empty"), string.Empty);
        Directory.CreateDirectory(Path.Combine(site, "d"));
        NewFile("site/d/large.bin", (2 * Part) + 1);
        await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "live/index.html", ContentBody = "old page" });
        await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "live/gone", ContentBody = "x" });

        DirectoryResult up = await client.SyncAsync(Place.InDirectory(site), Place.InBucket(store.Bucket, "live/"), AllAtOnce);
        DirectoryResult inside = await client.SyncAsync(Place.InBucket(store.Bucket, "live/"), Place.InBucket(store.Bucket, "copy/"), AllAtOnce);
        DirectoryResult again = await client.SyncAsync(Place.InDirectory(site), Place.InBucket(store.Bucket, "live/"), AllAtOnce);

        Assert.Equal((2, 1, 1, true), (up.Counts.Copied, up.Counts.Replaced, up.Counts.Deleted, up.Counts.IsComplete));
        Assert.Equal((3, true), (inside.Counts.Copied, inside.Counts.IsComplete));
        Assert.Equal((3, null), (again.Counts.Same, again.PublishWindow));
        Assert.True(up.PublishWindow > TimeSpan.Zero && inside.PublishWindow > TimeSpan.Zero);
        Assert.Equal(3, up.Counts.Verified);
        foreach (string prefix in new[] { "live/", "copy/" })
        {
            string back = Path.Combine(Folder, prefix);
            await client.DownloadDirectoryAsync(store.Bucket, prefix, back);
            Assert.Equal("new page", await File.ReadAllTextAsync(Path.Combine(back, "index.html")));
            Assert.Equal(0, new FileInfo(Path.Combine(back, "empty")).Length);
            AssertPattern(Path.Combine(back, "d/large.bin"), (2 * Part) + 1);
            Assert.Equal(3, Directory.GetFiles(back, "*", SearchOption.AllDirectories).Length);
        }

        GetObjectMetadataResponse head = await store.S3.GetObjectMetadataAsync(store.Bucket, "copy/index.html");
        Assert.Equal("text/html", head.Headers.ContentType.Split(';')[0]);
        Assert.Empty(await store.OpenUploadsAsync());
        Assert.DoesNotContain(Directory.GetFiles(Path.Combine(Folder, "state")), file => file.EndsWith(".journal", StringComparison.Ordinal));
    }
}
