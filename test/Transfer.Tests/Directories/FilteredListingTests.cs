using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Filters of listings, which select what transfers and deletions with the same filter select.</summary>
public sealed class FilteredListingTests : TransferTest
{
    private static readonly DateTimeOffset Start = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    /// <summary>Paths are relative to the folder of the prefix, also if the prefix is the beginning of a name.</summary>
    [Theory]
    [InlineData("photos/", "*.jpg", "photos/a.jpg photos/raw/b.jpg")]
    [InlineData("photos/", "raw/*", "photos/raw/b.jpg photos/raw/c.txt")]
    [InlineData("photos/r", "raw/*", "photos/raw/b.jpg photos/raw/c.txt")]
    [InlineData("photos/r", "*.jpg", "photos/raw/b.jpg")]
    [InlineData("photos", "photos/*.jpg", "photos/a.jpg")]
    [InlineData("photos", "*.jpg", "photos-old/d.jpg photos/a.jpg photos/raw/b.jpg")]
    [InlineData("", "photos", "photos photos/ photos/a.jpg photos/raw/b.jpg photos/raw/c.txt")]
    public async Task Include_SelectsPathsBelowTheFolderOfThePrefix(string prefix, string pattern, string listed)
    {
        foreach (string key in (string[])["photos", "photos-old/d.jpg", "photos/", "photos/a.jpg", "photos/raw/b.jpg", "photos/raw/c.txt"])
        {
            S3.Put(key, 1);
        }

        Assert.Equal(listed.Split(' '), await ListAsync(prefix, new ListObjectsOptions { Include = [pattern] }));
    }

    [Fact]
    public async Task Properties_SelectObjects_AlsoThatOfTheFolderItself()
    {
        S3.Put("p/", 0);
        S3.Put("p/a", 10);
        S3.Put("p/b", 20);

        Assert.Equal(["p/b"], await ListAsync("p/", new ListObjectsOptions { Filter = new ObjectFilter { MinSizeBytes = 11 } }));
        Assert.Equal(["p/", "p/a"], await ListAsync("p/", new ListObjectsOptions { Filter = new ObjectFilter { MaxSizeBytes = 10 } }));
        Assert.Equal(["p/a"], await ListAsync("p/", new ListObjectsOptions { Exclude = ["b"], Filter = new ObjectFilter { MaxSizeBytes = 10 } }));
    }

    /// <summary>A prefix stands for objects that weren't looked at, so it is there if the patterns can select one of them.</summary>
    [Theory]
    [InlineData("*.jpg", "", "p/keep/ p/raw/ p/a.jpg")]
    [InlineData("", "raw/", "p/keep/ p/a.jpg p/b.txt")]
    [InlineData("raw/x/*", "", "p/raw/")]
    [InlineData("*", "*", "")]
    public async Task Delimiter_PrefixesWithoutASelectedObject_AreLeftOut(string include, string exclude, string listed)
    {
        S3.Put("p/a.jpg", 3);
        S3.Put("p/b.txt", 3);
        S3.Page = page => page.CommonPrefixes = ["p/keep/", "p/raw/"];
        string[] Patterns(string pattern) => pattern.Length == 0 ? [] : [pattern];

        ListObjectsOptions options = new() { Delimiter = "/", Include = Patterns(include), Exclude = Patterns(exclude) };

        Assert.Equal(listed.Split(' ', StringSplitOptions.RemoveEmptyEntries), await ListAsync("p/", options));
    }

    [Fact]
    public async Task AsOf_SelectsTheVersionsOfThatTime()
    {
        foreach ((string key, string id, int second, long size) in ((string, string, int, long)[])[("p/a", "2", 9, 1), ("p/a", "1", 1, 5), ("p/b", "1", 2, 5), ("p/c/d", "1", 2, 5), ("p/e", "1", 1, 2)])
        {
            S3.Versions.Add(new S3ObjectVersion { Key = key, VersionId = id, Size = size, LastModified = Start.AddSeconds(second).UtcDateTime, IsLatest = (key, id) != ("p/a", "1") });
        }

        ListObjectsOptions options = new() { AsOf = Start.AddSeconds(5), Exclude = ["c/"], Filter = new ObjectFilter { MinSizeBytes = 5 } };
        Assert.Equal(["p/a", "p/b"], await ListAsync("p/", options));
        Assert.Equal(["p/a", "p/b"], await ListAsync("p/", options with { Delimiter = "/" }));
        Assert.Equal(["p/b"], await ListAsync("p/", options with { Filter = new ObjectFilter { ModifiedSince = Start.AddSeconds(2) } }));
    }

    /// <summary>A folder of five pages in which nothing is selected costs one page and what was requested ahead.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ExcludedFolder_IsNotListed(bool versions)
    {
        S3.PageSize = 20;
        string[] keys = [.. Enumerable.Range(0, 100).Select(number => $"p/b/{number:000}"), "p/c"];
        foreach (string key in keys)
        {
            S3.Put(key, 1);
            S3.Versions.Add(new S3ObjectVersion { Key = key, VersionId = "1", Size = 1, LastModified = Start.UtcDateTime, IsLatest = true });
        }

        Assert.Equal(["p/c"], await ListAsync("p/", new ListObjectsOptions { AsOf = versions ? Start : null, Exclude = ["b/"] }));
        Assert.InRange(S3.GetCount(S3Call.List), 2, 4);
    }

    /// <summary>The object of the folder itself can be deleted and listed, but not copied, because it has no name at the target.</summary>
    [Fact]
    public async Task RandomRules_SelectWhatCopiesAndDeletionsSelect()
    {
        string[] patterns = ["*", "*.jpg", "raw/", "raw/*.jpg", "**/x/", "a*", "x", "/a.jpg", "new/**"];
        foreach (string key in (string[])
            ["photos", "photos-old/a.jpg", "photos.jpg", "photos/", "photos/a.jpg", "photos/b.txt", "photos/raw/", "photos/raw/a.jpg", "photos/raw/x/c.jpg", "photos/new/x/d", "photos/x/e.jpg", "photos//f.jpg"])
        {
            S3.Put(key, key.Length);
        }

        S3.PageSize = 3;
        TransferClient client = NewClient();
        int selected = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 1000, quick: 100); seed++)
        {
#pragma warning disable CA5394 // a seeded test
            Random random = new(seed);
            ObjectFilter filter = new()
            {
                Rules = [.. Enumerable.Range(0, random.Next(4)).Select(_ => new FilterRule(patterns[random.Next(patterns.Length)], random.Next(2) == 0))],
                MinSizeBytes = random.Next(3) == 0 ? random.Next(8, 20) : null,
            };
#pragma warning restore CA5394
            List<string> copied = [];
            List<string> deleted = [];

            await client.CopyTreeAsync(
                Place.InBucket(FakeS3.Bucket, "photos"), Place.InBucket(FakeS3.Bucket, "copy"), new DirectoryOptions { DryRun = true, Filter = filter, ObjectEnded = one => copied.Add("photos/" + one.Name) }).Within();
            await client.DeleteTreeAsync(
                FakeS3.Bucket, "photos", new DeleteDirectoryOptions { DryRun = true, Filter = filter, ObjectEnded = one => deleted.Add("photos/" + one.Name) }).Within();
            List<string> listed = await ListAsync("photos/", new ListObjectsOptions { Filter = filter }, client);

            string of = $"seed {seed}: {string.Join(' ', filter.Rules)} {filter.MinSizeBytes}";
            Assert.True(listed.SequenceEqual(deleted), of);
            Assert.True(listed.Where(key => key != "photos/").Order(StringComparer.Ordinal).SequenceEqual(copied.Order(StringComparer.Ordinal)), of);
            selected += listed.Count;
        }

        Assert.True(selected > 100);
    }

    private async Task<List<string>> ListAsync(string prefix, ListObjectsOptions options, TransferClient? client = null)
        => await (client ?? NewClient()).ListObjectsAsync(FakeS3.Bucket, prefix, options).Select(item => item.Key).ToListAsync().AsTask().Within();
}
