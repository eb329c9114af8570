using System.Net;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Objects as they were at a time: listed, downloaded, copied, compared, and restored.</summary>
public sealed class AsOfTests : TransferSuite
{
    private const long Part = 5 * 1024 * 1024;

    [Theory]
    [Stores]
    public async Task Past_IsListedDownloadedAndCompared(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        VersionedTree tree = await VersionedTree.CreateAsync(store);
        TransferClient client = Client(store, options => options.DownloadPartSizeBytes = Part);
        string folder = Path.Combine(Folder, "past");

        Assert.Equal(["0", "a", "b c", "d/x", "e/gone", "large"], await NamesAsync(client, store, new ListObjectsOptions { AsOf = tree.Time }));
        Assert.Equal(["0", "a", "b c", "d/", "e/", "large"], await NamesAsync(client, store, new ListObjectsOptions { AsOf = tree.Time, Delimiter = "/" }));
        Assert.Equal(["0", "a", "d/", "large", "new"], await NamesAsync(client, store, new ListObjectsOptions { AsOf = DateTimeOffset.MaxValue, Delimiter = "/" }));
        Assert.Empty(await NamesAsync(client, store, new ListObjectsOptions { AsOf = tree.Time.AddDays(-1), Delimiter = "/" }));

        DirectoryResult result = await client.DownloadDirectoryAsync(store.Bucket, VersionedTree.Prefix, folder, new DirectoryOptions { AsOf = tree.Time }).Within();

        Assert.EachEqual((6, 0), (result.Counts.Copied, result.Failures.Count));
        Assert.All(VersionedTree.Before, one => Assert.Equal(one.Value, File.ReadAllText(Path.Combine(folder, one.Key))));
        DirectoryResult then = await client.VerifyTreeAsync(Place.InDirectory(folder), Place.InBucket(store.Bucket, VersionedTree.Prefix), new VerifyDirectoryOptions { AsOf = tree.Time }).Within();
        DirectoryResult now = await client.VerifyTreeAsync(Place.InDirectory(folder), Place.InBucket(store.Bucket, VersionedTree.Prefix)).Within();
        Assert.EachEqual((6, 0, 0, 0), (then.Counts.Same, then.Counts.Different, then.Counts.OnlyAtTarget, then.Counts.OnlyAtSource));
        Assert.EachEqual((1, 3, 1, 2), (now.Counts.Same, now.Counts.Different, now.Counts.OnlyAtTarget, now.Counts.OnlyAtSource));
    }

    [Theory]
    [Stores]
    public async Task Past_IsCopiedAndRestored(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        VersionedTree tree = await VersionedTree.CreateAsync(store);
        TransferClient client = Client(store);
        DirectoryOptions past = new() { AsOf = tree.Time, Copy = new CopyOptions { PartSizeBytes = Part, MultipartThresholdBytes = Part } };

        Assert.Equal(6, (await client.CopyTreeAsync(Place.InBucket(store.Bucket, VersionedTree.Prefix), Place.InBucket(store.Bucket, "copy"), past).Within()).Counts.Copied);
        Assert.Equal(6, (await client.CopyTreeAsync(Place.InBucket(store.Bucket, VersionedTree.Prefix), Client(store), Place.InBucket(store.Bucket, "through"), past with { Copy = null }).Within()).Counts.Copied);
        await AssertAsync(client, store, "copy", VersionedTree.Before);
        await AssertAsync(client, store, "through", VersionedTree.Before);
        SyncOptions all = new() { Delete = true, UseState = false, AsOf = past.AsOf, Copy = past.Copy };
        List<Outcome> actions = await client.PlanSyncAsync(Place.InBucket(store.Bucket, VersionedTree.Prefix), Place.InBucket(store.Bucket, "copy"), all).ToListAsync().AsTask().Within();
        Assert.Equal(6, actions.Count);
        Assert.All(actions, action => Assert.True(action.Status == OutcomeStatus.Same || action is { Name: "large", Reason: "no evidence" }, $"{action}")); // its parts can have another size

        TransferJob job = new(client, JobFolder.InBucket(client, store.Bucket, "run"));
        JobPlan plan = await job.PlanAsync(new Place { Bucket = store.Bucket, Prefix = VersionedTree.Prefix }, new Place { Bucket = store.Bucket, Prefix = "job" }, new JobOptions { Shards = 1, Transfer = past }).Within();
        Assert.Equal(6, plan.Objects);

        // What is current and was at that time isn't copied onto itself.
        DirectoryResult restored = await client.CopyTreeAsync(Place.InBucket(store.Bucket, VersionedTree.Prefix), Place.InBucket(store.Bucket, VersionedTree.Prefix), past).Within();
        Assert.EachEqual((5, 1, 0), (restored.Counts.Copied, restored.Counts.Skipped, restored.Failures.Count));
        await AssertAsync(client, store, VersionedTree.Prefix, new Dictionary<string, string>(VersionedTree.Before) { ["new"] = VersionedTree.Now["new"] });
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores]
    public async Task Version_OfATime_IsFound(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        VersionedTree tree = await VersionedTree.CreateAsync(store);
        TransferClient client = Client(store);

        foreach ((string name, string text) in VersionedTree.Before)
        {
            ListedObject version = await client.FindVersionAsync(store.Bucket, $"p/{name}", tree.Time).Within();
            string path = Path.Combine(Folder, "one");
            await client.DownloadAsync(store.Bucket, $"p/{name}", path, new DownloadOptions { VersionId = version.VersionId }).Within();
            Assert.Equal(text, File.ReadAllText(path));
        }

        await MissingAsync("p/new", tree.Time, "its oldest version is from");
        await MissingAsync("p/b c", DateTimeOffset.MaxValue, "it was deleted at");
        await MissingAsync("p", tree.Time, "it has no versions at all");

        async Task MissingAsync(string key, DateTimeOffset time, string reason)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.FindVersionAsync(store.Bucket, key, time).Within());
            Assert.Equal(HttpStatusCode.NotFound, e.StatusCode);
            Assert.Contains(reason, e.Message, StringComparison.Ordinal);
        }
    }

    /// <summary>A bucket without versions has only its current objects, which have the version "null".</summary>
    [Theory]
    [Stores]
    public async Task Past_WithoutVersions_HasTheCurrentObjects(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        await client.UploadAsync(new PatternSource(10), store.Bucket, "p/a").Within();

        Assert.Equal("null", (await client.FindVersionAsync(store.Bucket, "p/a", DateTimeOffset.MaxValue).Within()).VersionId);
        DirectoryResult result = await client.DownloadDirectoryAsync(store.Bucket, "p", Folder, new DirectoryOptions { AsOf = DateTimeOffset.MaxValue }).Within();
        Assert.EachEqual((1, 10L, 0), (result.Counts.Copied, result.Counts.Bytes, result.Failures.Count));
        Assert.Empty(await NamesAsync(client, store, new ListObjectsOptions { AsOf = DateTimeOffset.UtcNow.AddDays(-1) }));
    }

    private static async Task<List<string>> NamesAsync(TransferClient client, Store store, ListObjectsOptions options)
    {
        List<ListedObject> listed = await client.ListObjectsAsync(store.Bucket, VersionedTree.Prefix + "/", options).ToListAsync().AsTask().Within();
        return [.. listed.Select(item => item.Key[2..])];
    }

    private static async Task AssertAsync(TransferClient client, Store store, string prefix, IReadOnlyDictionary<string, string> expected)
    {
        List<ListedObject> listed = await client.ListObjectsAsync(store.Bucket, prefix + "/").ToListAsync().AsTask().Within();
        Assert.Equal(expected.Keys.Order(StringComparer.Ordinal), listed.Select(item => item.Key[(prefix.Length + 1)..]));
        foreach (ListedObject item in listed)
        {
            using MemoryStream content = new();
            await client.DownloadAsync(store.Bucket, item.Key, content).Within();
            Assert.Equal(expected[item.Key[(prefix.Length + 1)..]], System.Text.Encoding.UTF8.GetString(content.ToArray()));
        }
    }
}
