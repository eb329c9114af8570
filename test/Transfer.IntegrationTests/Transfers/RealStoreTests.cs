using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>What must hold in every store, tried with stores that others wrote. What they do differently is in docs/stores.md.</summary>
public sealed class RealStoreTests : TransferSuite
{
    private const long Part = 5 * Sizes.MiB;

    /// <summary>Names that stores and folders may sort differently.</summary>
    private static readonly string[] Names = ["test/a", "test/b c", "test-123.txt", "test.txt", "test 1", "a+b&c=%41", "é/ü", "\uFF21", "\U0001F600", "z/y/x"];

    [RealStoreTheory]
    [RealStores(OurWireOnly = true)]
    public async Task Probe_FindsWhatTheGuideSays(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);

        StoreReport report = await client.ProbeStoreAsync(store.Bucket).Within();

        Assert.Empty(report.LeftBehind);
        Assert.Empty(await store.OpenUploadsAsync());
        string[][] rows = [.. MarkdownPages.Lines("docs/stores.md")
            .SkipWhile(line => !line.StartsWith("| Ability | Amazon S3", StringComparison.Ordinal)).TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Trim('|').Split('|').Select(cell => cell.Trim().Trim('`')).ToArray())];
        int column = Array.FindIndex(rows[0], cell => cell.Equals(storeName, StringComparison.OrdinalIgnoreCase));
        Dictionary<string, string> told = column < 0 ? [] : rows.Skip(2).ToDictionary(row => row[0], row => row[column]);
        Dictionary<string, string> found = report.Abilities.ToDictionary(one => one.Name, one => one.Support switch
        {
            StoreSupport.Supported => "yes",
            StoreSupport.Ignored => "ignored",
            StoreSupport.Refused => "refused",
            _ => "not known",
        });
        Assert.True(column < 0 || rows.Length - 2 == found.Count, "the table has another number of abilities");
        Assert.All(told, one => Assert.Equal($"{one.Key} {one.Value}", $"{one.Key} {found[one.Key]}"));
    }

    [RealStoreTheory]
    [RealStores(Except = "moto")]
    public async Task Object_ThereAndBack_IsTheSame(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, options => options.MultipartThresholdBytes = options.UploadPartSizeBytes = Part);
        foreach (long length in (long[])[0, 1, Part + 1])
        {
            string file = NewFile($"{length}", length);
            string back = Path.Combine(Folder, $"{length}-back");

            await client.UploadAsync(file, store.Bucket, "d/k").Within();
            await client.CopyAsync(new S3Uri(store.Bucket, "d/k"), new S3Uri(store.Bucket, "d/copy")).Within();
            await client.DownloadAsync(store.Bucket, "d/copy", back).Within();

            AssertPattern(back, length);
            Assert.True((await client.VerifyAsync(back, store.Bucket, "d/k").Within()).IsSame);
        }

        Assert.Equal(2, (await client.DeleteTreeAsync(store.Bucket, "d").Within()).Counts.Deleted);
        Assert.Empty(await ListAsync(client, store));
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [RealStoreTheory]
    [RealStores]
    public async Task Sync_Converges(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, options => options.StateDirectory = Path.Combine(Folder, "state"));
        string source = Path.Combine(Folder, "source");
        string down = Path.Combine(Folder, "down");
        foreach (string name in Names)
        {
            Write(source, name, $"content of {name}");
        }

        await AssertRunAsync(copied: Names.Length, kept: 0, deleted: 0);
        await AssertRunAsync(copied: 0, kept: Names.Length, deleted: 0);

        Write(source, "test.txt", "CONTENT OF test.txt");
        File.Delete(Path.Combine(source, "test-123.txt"));
        await AssertRunAsync(copied: 1, kept: Names.Length - 2, deleted: 1);
        await AssertRunAsync(copied: 0, kept: Names.Length - 1, deleted: 0);

        Assert.Equal(Show(source), Show(down));
        Assert.True((await client.VerifyTreeAsync(Place.InDirectory(source), Place.InBucket(store.Bucket, "copy")).Within()).Counts.IsComplete);

        async Task AssertRunAsync(long copied, long kept, long deleted)
        {
            SyncOptions options = new() { Delete = true };
            DirectoryResult[] results =
            [
                await client.SyncAsync(Place.InDirectory(source), Place.InBucket(store.Bucket, "up"), options).Within(),
                await client.SyncAsync(Place.InBucket(store.Bucket, "up"), Place.InBucket(store.Bucket, "copy"), options).Within(),
                await client.SyncAsync(Place.InBucket(store.Bucket, "copy"), Place.InDirectory(down), options).Within(),
            ];
            Assert.All(results, result => Assert.EachEqual((copied, kept, deleted, true), (result.Counts.Copied + result.Counts.Replaced, result.Counts.Same, result.Counts.Deleted, result.Counts.IsComplete)));
        }
    }

    [RealStoreTheory]
    [RealStores]
    public async Task Sync_TwiceAtOnce_LosesNothing(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        string source = Path.Combine(Folder, "source");
        foreach (string name in Names)
        {
            Write(source, name, $"content of {name}");
        }

        SyncOptions options = new() { Delete = true, OnFailure = FailurePolicy.Continue };
        await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => client.SyncAsync(Place.InDirectory(source), Place.InBucket(store.Bucket, "up"), options))).Within();

        Assert.True((await client.SyncAsync(Place.InDirectory(source), Place.InBucket(store.Bucket, "up"), options).Within()).Counts.IsComplete);
        Assert.True((await client.VerifyTreeAsync(Place.InDirectory(source), Place.InBucket(store.Bucket, "up")).Within()).Counts.IsComplete);
    }

    [RealStoreTheory]
    [RealStores]
    public async Task Write_ObjectIsAnotherOne_StaysAsItIs(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        string? former = (await client.UploadAsync(Bytes("one"), store.Bucket, "k").Within()).ETag;
        await client.UploadAsync(Bytes("two"), store.Bucket, "k").Within();

        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => client.UploadAsync(Bytes("three"), store.Bucket, "k", new UploadOptions { Overwrite = false })).Within();
        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => client.UploadAsync(Bytes("three"), store.Bucket, "k", new UploadOptions { IfMatch = former })).Within();

        Assert.Equal("two", await ReadAsync(client, store, "k"));
    }

    [RealStoreTheory]
    [RealStores(Except = "moto")]
    public async Task Move_EveryObject_IsAtTheTargetOnly(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        string source = Path.Combine(Folder, "source");
        foreach (string name in Names)
        {
            Write(source, name, $"content of {name}");
        }

        DirectoryOptions moves = new() { DeleteSource = true, SymbolicLinks = SymbolicLinks.Skip };
        await client.UploadDirectoryAsync(source, store.Bucket, "one", moves).Within();
        await client.CopyTreeAsync(Place.InBucket(store.Bucket, "one"), Place.InBucket(store.Bucket, "two"), new DirectoryOptions { DeleteSource = true }).Within();

        Assert.Empty(Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories));
        Assert.Equal(Names.Select(name => $"two/{name}").Order(StringComparer.Ordinal), (await ListAsync(client, store)).Order(StringComparer.Ordinal));
        foreach (string name in Names)
        {
            Assert.Equal($"content of {name}", await ReadAsync(client, store, $"two/{name}"));
        }
    }

    private static MemoryStream Bytes(string text) => new(System.Text.Encoding.UTF8.GetBytes(text));

    private static async Task<string> ReadAsync(TransferClient client, Store store, string key)
    {
        using MemoryStream content = new();
        await client.DownloadAsync(store.Bucket, key, content).Within();
        return System.Text.Encoding.UTF8.GetString(content.ToArray());
    }

    private static async Task<List<string>> ListAsync(TransferClient client, Store store)
    {
        List<string> keys = [];
        await foreach (ListedObject item in client.ListObjectsAsync(store.Bucket))
        {
            keys.Add(item.Key);
        }

        return keys;
    }

    private static void Write(string folder, string name, string content)
    {
        string path = Path.Combine(folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, content);
    }

    private static string Show(string folder) => string.Join('\n', Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
        .Select(path => $"{Path.GetRelativePath(folder, path)}={File.ReadAllText(path)}").Order(StringComparer.Ordinal));
}
