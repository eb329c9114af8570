using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Uploads, copies, and downloads directory trees.</summary>
public class DirectoryTests : TransferSuite
{
    private const int Part = 5 * 1024 * 1024;
    private static readonly string[] Names =
    [
        "a", "b c", "d+e", "f%41g", "h&i=j?k", "ü/日本語/😀", "deep/er/and/deeper/x.txt", "deep/er/y", "quote'\"<>", "~tilde", ".hidden/.file", "semi;colon,comma", "hash#", "per%cent%",
        "..dots", "n\u0001n",
    ];

    [Theory]
    [Stores]
    public async Task Tree_UploadedCopiedAndDownloaded_IsTheSame(string storeName)
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
            AllowSpecialNames = true,
            Copy = new CopyOptions { PartSizeBytes = Part, MultipartThresholdBytes = Part },
            Upload = new UploadOptions { KeepLastModified = true },
            Download = new DownloadOptions { KeepLastModified = true },
        };

        await using Store other = await Store.StartAsync(Store.Embedded);
        DirectoryResult up = await client.UploadDirectoryAsync(Path.Combine(Folder, "source"), store.Bucket, "a tree/ü", options);
        DirectoryResult inside = await client.CopyTreeAsync(Place.InBucket(store.Bucket, "a tree/ü"), Place.InBucket(store.Bucket, "b"), options);
        DirectoryResult between = await client.CopyTreeAsync(Place.InBucket(store.Bucket, "b"), Client(other), Place.InBucket(other.Bucket, "+%/é"), options);
        DirectoryResult down = await Client(other).DownloadDirectoryAsync(other.Bucket, "+%/é", Path.Combine(Folder, "target"), options);

        string target = Path.Combine(Folder, "target");
        Assert.Equal(files.Keys.Order(StringComparer.Ordinal), Directory.EnumerateFiles(target, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
            .Select(path => Path.GetRelativePath(target, path)).Order(StringComparer.Ordinal));
        Assert.All(files, file => Assert.Equal(file.Value, File.ReadAllBytes(Path.Combine(target, file.Key))));
        Assert.True(Directory.Exists(Path.Combine(target, "empty/folder")));
        Assert.Equal(time, File.GetLastWriteTimeUtc(Path.Combine(target, "a")));
        Assert.All([up, inside, between], result => Assert.EachEqual((files.Count + 1, up.Counts.Bytes), (result.Counts.Copied, result.Counts.Bytes)));
        Assert.Equal(files.Count, down.Counts.Copied);
        Assert.EachEqual((files.Sum(file => (long)file.Value.Length), up.Counts.Bytes), (down.Counts.Bytes, down.Counts.Bytes));
        Assert.EachEqual((up.Counts.Copied, up.Counts.Copied, down.Counts.Copied), (up.Counts.Verified, between.Counts.Verified, down.Counts.Verified));
        Assert.Empty(await store.OpenUploadsAsync());
        Assert.Empty(await other.OpenUploadsAsync());
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
