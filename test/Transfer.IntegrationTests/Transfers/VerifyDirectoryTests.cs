using System.Text;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Compares a folder with a prefix, in the order in which real stores list keys.</summary>
public class VerifyDirectoryTests : TransferSuite
{
    /// <summary>Names whose orders in UTF-8 and UTF-16 differ, as do the orders of "a" and "a/".</summary>
    private static readonly string[] Names =
    [
        "a!", "a/!", "a/b", "a/b!/c", "a/b-/c", "a/\U0001F600", "a/\uFF21", "a-b", "a b", "a+b", "a%b", "a0", "ab", "A", "é", "e\u0301", "\uE000/x", "\U0001F600/x", "\U0001F600!", "z/y/x/w",
    ];

    [Theory]
    [Stores]
    public async Task OwnUpload_IsTheSameAndEveryDifferenceIsFound(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        foreach (string name in Names)
        {
            Write(name, name);
        }

        await client.UploadDirectoryAsync(Folder, store.Bucket, "p");
        await PutAsync(store, "p-other/a", "unrelated");
        DirectoryResult same = await client.VerifyTreeAsync(Place.InDirectory(Folder), Place.InBucket(store.Bucket, "p/"));
        Assert.True(same.Counts.IsComplete, string.Join('\n', same.Failures));
        Assert.EachEqual((Names.Length, Names.Sum(name => Encoding.UTF8.GetByteCount(name))), (same.Counts.Same, same.Counts.Bytes));

        Write("a/b", "B/a");
        Write("a!", "a! longer");
        Write("a/zz/only here", "x");
        Write("\U0001F600/here", "x");
        File.Delete(Path.Combine(Folder, "a/\uFF21"));
        await PutAsync(store, "p/a/\uFF22", "x");
        await PutAsync(store, "p/C:/d", "x");

        DirectoryResult result = await client.VerifyTreeAsync(Place.InDirectory(Folder), Place.InBucket(store.Bucket, "p"));

        Assert.Equal(
            ["Different a!", "Different a/b", "OnlyAtSource a/zz/only here", "OnlyAtSource \U0001F600/here", "OnlyAtTarget C:/d", "OnlyAtTarget a/\uFF21", "OnlyAtTarget a/\uFF22"],
            result.Failures.OrderBy(one => one.Status).Select(one => $"{one.Status} {one.Name}"));
        Assert.EachEqual((Names.Length - 3, 2, 3, 2), (result.Counts.Same, result.Counts.Different, result.Counts.OnlyAtTarget, result.Counts.OnlyAtSource));
    }

    /// <summary>Uses more than one page, with multipart objects and a folder marker.</summary>
    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task ManyObjects_AreComparedPageByPage(string storeName)
    {
        const int count = 2100;
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        for (int i = 0; i < count; i++)
        {
            Write($"{i % 7}/{i}", $"{i}");
        }

        NewFile("large", (11 * 1024 * 1024) + 1);
        await client.UploadDirectoryAsync(Folder, store.Bucket, string.Empty);
        await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "3/", ContentBody = string.Empty });

        DirectoryResult result = await client.VerifyTreeAsync(Place.InDirectory(Folder), Place.InBucket(store.Bucket, string.Empty));

        Assert.True(result.Counts.IsComplete, string.Join('\n', result.Failures.Take(10)));
        Assert.Equal(count + 2, result.Counts.Same);
        Assert.InRange(result.Statistics.Requests, 4, 6); // three pages, and the requests for the large object
    }

    private static async Task PutAsync(Store store, string key, string content)
        => await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = key, ContentBody = content });

    private void Write(string name, string content)
    {
        string path = Path.Combine(Folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, content);
    }
}
