using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Uploads and downloads directory trees.</summary>
public class DirectoryTests : TransferSuite
{
    private const int Part = 5 * 1024 * 1024;
    private static readonly string[] Names =
    [
        "a", "b c", "d+e", "f%41g", "h&i=j?k", "ü/日本語/😀", "deep/er/and/deeper/x.txt", "deep/er/y", "quote'\"<>", "~tilde", ".hidden/.file", "semi;colon,comma", "hash#", "per%cent%",
    ];

    [Theory]
    [Stores]
    public async Task Tree_UploadedAndDownloaded_IsTheSame(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, options => (options.UploadPartSizeBytes, options.MultipartThresholdBytes, options.DownloadPartSizeBytes) = (Part, Part, Part));
        Dictionary<string, byte[]> files = [];
        long[] lengths = [0, 1, 65_535, 65_536, 65_537, Part - 1, Part, Part + 1];
        foreach ((string name, long length) in Names.Select((name, i) => (name, (long)i)).Concat(lengths.Select(length => ($"sizes/{length}", length))))
        {
            files[name] = Sample.Bytes((int)length);
            Write(Path.Combine("source", name), files[name]);
        }

        Directory.CreateDirectory(Path.Combine(Folder, "source/empty/folder"));
        DateTime time = new(2011, 12, 13, 14, 15, 16, DateTimeKind.Utc);
        File.SetLastWriteTimeUtc(Path.Combine(Folder, "source/a"), time);
        DirectoryOptions options = new()
        {
            EmptyFolders = true,
            Upload = new UploadOptions { KeepLastModified = true },
            Download = new DownloadOptions { KeepLastModified = true },
        };

        DirectoryResult up = await client.UploadDirectoryAsync(Path.Combine(Folder, "source"), store.Bucket, "a tree/ü", options);
        DirectoryResult down = await client.DownloadDirectoryAsync(store.Bucket, "a tree/ü", Path.Combine(Folder, "target"), options);

        string target = Path.Combine(Folder, "target");
        Assert.Equal(files.Keys.Order(StringComparer.Ordinal), Directory.EnumerateFiles(target, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
            .Select(path => Path.GetRelativePath(target, path)).Order(StringComparer.Ordinal));
        Assert.All(files, file => Assert.Equal(file.Value, File.ReadAllBytes(Path.Combine(target, file.Key))));
        Assert.True(Directory.Exists(Path.Combine(target, "empty/folder")));
        Assert.Equal(time, File.GetLastWriteTimeUtc(Path.Combine(target, "a")));
        Assert.EachEqual((files.Count + 1, files.Count), (up.Counts.Copied, down.Counts.Copied));
        Assert.EachEqual((files.Sum(file => (long)file.Value.Length), up.Counts.Bytes), (down.Counts.Bytes, down.Counts.Bytes));
        Assert.EachEqual((up.Counts.Copied, down.Counts.Copied), (up.Counts.Verified, down.Counts.Verified));
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [InlineData("embedded")]
    [InlineData("embedded-sdk")]
    public async Task Requests_AreOnlyThoseOfObjectsAndPages(string storeName)
    {
        const int count = 2345;
        await using EmbeddedStore store = (EmbeddedStore)await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes(100);
        for (int i = 0; i < count; i++)
        {
            Write($"source/{i / 100}/{i}", content);
        }

        long before = store.Server.Statistics.TotalRequests;
        DirectoryResult up = await client.UploadDirectoryAsync(Path.Combine(Folder, "source"), store.Bucket, "p");
        long between = store.Server.Statistics.TotalRequests;
        DirectoryResult down = await client.DownloadDirectoryAsync(store.Bucket, "p", Path.Combine(Folder, "target"));
        long after = store.Server.Statistics.TotalRequests;

        Assert.EachEqual((count, count + 3), (between - before, after - between));
        Assert.EachEqual((count, count + 3), (up.Statistics.Requests, down.Statistics.Requests));
        Assert.EachEqual((count, count), (up.Counts.Verified, down.Counts.Verified));
        Assert.Equal(count, Directory.EnumerateFiles(Path.Combine(Folder, "target"), "*", SearchOption.AllDirectories).Count());
    }

    [Theory]
    [Stores]
    public async Task HostileKeys_AreRejectedAndTheRestIsDownloaded(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);

        // MinIO itself rejects the other keys.
        string[] hostile = storeName.StartsWith(Store.Embedded, StringComparison.Ordinal)
            ? ["p/../../up", "p//x", "p/a/./b", "p/a/..", "p/C:/x", "p/a\\b", "p/a\nb", "p/a\u001bb", "p/\u007f"]
            : ["p/C:/x", "p/a\u007fb"];
        foreach (string key in hostile.Append("p/good").Append("p/a b"))
        {
            await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = key, ContentBody = "x" });
        }

        DirectoryResult result = await Client(store).DownloadDirectoryAsync(
            store.Bucket, "p", Path.Combine(Folder, "below/target"), new DirectoryOptions { OnFailure = FailurePolicy.Continue });

        Assert.Equal(hostile.Order(StringComparer.Ordinal), result.Failures.Select(failure => "p/" + failure.Name).Order(StringComparer.Ordinal));
        Assert.Equal(
            ["below/target/a b", "below/target/good"],
            Directory.EnumerateFiles(Folder, "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(Folder, path)).Order(StringComparer.Ordinal));
    }

    [Theory]
    [Stores]
    public async Task SkipExisting_TransfersOnlyNewFiles(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, options => (options.UploadPartSizeBytes, options.MultipartThresholdBytes) = (Part, Part));
        Write("source/small", Sample.Bytes(10));
        Write("source/large", Sample.Bytes(Part + 1));
        await client.UploadDirectoryAsync(Path.Combine(Folder, "source"), store.Bucket, string.Empty);
        Write("source/small", Sample.Bytes(20));
        Write("source/large", Sample.Bytes(Part + 2));
        Write("source/new", Sample.Bytes(30));

        DirectoryResult up = await client.UploadDirectoryAsync(Path.Combine(Folder, "source"), store.Bucket, string.Empty, new DirectoryOptions { SkipExisting = true });

        Assert.EachEqual((1, 2, 30), (up.Counts.Copied, up.Counts.Skipped, up.Counts.Bytes));
        Assert.Equal(10, (await store.S3.GetObjectMetadataAsync(store.Bucket, "small")).ContentLength);

        Write("target/small", [1]);
        DirectoryResult down = await client.DownloadDirectoryAsync(store.Bucket, string.Empty, Path.Combine(Folder, "target"), new DirectoryOptions { SkipExisting = true });
        Assert.EachEqual((2, 1), (down.Counts.Copied, down.Counts.Skipped));
        Assert.Equal([1], await File.ReadAllBytesAsync(Path.Combine(Folder, "target/small")));
    }

    [Theory]
    [Stores]
    public async Task Bucket_Missing_ErrorSaysSo(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        Write("source/a", [1]);
        TransferClient client = Client(store);
        string missing = $"missing-{Guid.NewGuid():N}";

        TransferException down = await Assert.ThrowsAsync<TransferException>(() => client.DownloadDirectoryAsync(missing, "p", Path.Combine(Folder, "target")));
        TransferException up = await Assert.ThrowsAsync<TransferException>(() => client.UploadDirectoryAsync(Path.Combine(Folder, "source"), missing, "p"));

        Assert.EachEqual(("NoSuchBucket", "NoSuchBucket"), (down.ErrorCode, up.ErrorCode));
    }

    private void Write(string name, byte[] content)
    {
        string path = Path.Combine(Folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
    }
}
