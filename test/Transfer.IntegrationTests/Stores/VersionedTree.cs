using System.Text;
using Amazon.S3.Model;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>Objects under a prefix that have been replaced, deleted, and created since a time.</summary>
internal sealed class VersionedTree
{
    public const string Prefix = "p";

    /// <summary>Gets what was there before, by name. The first object is older than the versions of the bucket, and the last one has parts.</summary>
    public static IReadOnlyDictionary<string, string> Before { get; } = new Dictionary<string, string>
    {
        ["0"] = "from before versions",
        ["a"] = "one",
        ["b c"] = "two",
        ["d/x"] = "three",
        ["e/gone"] = "four",
        ["large"] = new string('l', 5 * 1024 * 1024) + "!",
    };

    /// <summary>Gets what is there now, by name.</summary>
    public static IReadOnlyDictionary<string, string> Now { get; } = new Dictionary<string, string>
    {
        ["0"] = "replaced",
        ["a"] = "replaced, too",
        ["d/x"] = "three",
        ["large"] = "small",
        ["new"] = "five",
    };

    /// <summary>Gets the time, by the clock of the store.</summary>
    public DateTimeOffset Time { get; private set; }

    public static async Task<VersionedTree> CreateAsync(Store store)
    {
        await PutAsync(store, "0", Before["0"]);
        await store.KeepVersionsAsync();
        foreach ((string name, string text) in Before.Skip(1))
        {
            await PutAsync(store, name, text);
        }

        VersionedTree tree = new() { Time = new DateTimeOffset((await ListAsync(store)).Max(version => version.LastModified!.Value.ToUniversalTime())) };
        do
        {
            await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "clock", ContentBody = "tick" }).Within();
        }
        while ((await ListAsync(store)).Max(version => version.LastModified!.Value.ToUniversalTime()) <= tree.Time.UtcDateTime);

        foreach (string name in Before.Keys.Except(Now.Keys))
        {
            await store.S3.DeleteObjectAsync(store.Bucket, $"{Prefix}/{name}").Within();
        }

        foreach ((string name, string text) in Now.Where(one => Before.GetValueOrDefault(one.Key) != one.Value))
        {
            await PutAsync(store, name, text);
        }

        return tree;
    }

    private static async Task<List<S3ObjectVersion>> ListAsync(Store store) => (await store.S3.ListVersionsAsync(store.Bucket).Within()).Versions;

    private static async Task PutAsync(Store store, string name, string text)
    {
        using MemoryStream body = new(Encoding.UTF8.GetBytes(text));
        await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = $"{Prefix}/{name}", InputStream = body }).Within();
    }
}
