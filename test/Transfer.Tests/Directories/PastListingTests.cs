using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Objects of an earlier time, from listings of versions.</summary>
public sealed class PastListingTests : TransferTest
{
    private const string Prefix = "p/";
    private static readonly DateTimeOffset Start = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    /// <summary>Compares listings of generated histories with what was there when each event had happened.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Histories_AreListedAsTheyWere(bool markersLast)
    {
        S3.ListsMarkersLast = markersLast;
        TransferClient client = NewClient();
        for (int seed = 0; seed < LongTests.Choose(400, 60); seed++)
        {
            Random random = new(seed);
            List<Event> events = Generate(random, ties: !markersLast);
            Store(events);
            S3.PageSize = random.Next(1, 9);
            DateTimeOffset time = At(random.Next(-1, events.Count == 0 ? 1 : events[^1].Second + 2));
            Dictionary<string, string> expected = Replay(events, time);

            List<ListedObject> all = await ListAsync(client, new ListObjectsOptions { AsOf = time });
            List<ListedObject> level = await ListAsync(client, new ListObjectsOptions { AsOf = time, Delimiter = "/" });

            string of = $"seed {seed}";
            Assert.True(expected.OrderBy(one => one.Key, StringComparer.Ordinal).Select(one => (one.Key, one.Value)).SequenceEqual(all.Select(item => (item.Key, item.VersionId!))), of);
            Assert.True(
                expected.Keys.Select(GetLevel).Distinct().Order(StringComparer.Ordinal).SequenceEqual(level.Select(item => item.Key).Order(StringComparer.Ordinal)), of);
            Assert.All(level, item => Assert.Equal(item.Key.EndsWith('/'), item.IsPrefix));
            foreach (string key in events.Select(one => one.Key).Distinct())
            {
                Assert.True(expected.GetValueOrDefault(key) == await FindAsync(client, key, time), $"{of}, {key}");
            }
        }
    }

    /// <summary>The time of a multipart upload is that of its beginning, so a current object can have an older one's time before it.</summary>
    [Fact]
    public async Task CurrentVersion_OlderThanTheOneBefore_IsTheObjectOfNow()
    {
        Add("p/a", "2", 1, isLatest: true);
        Add("p/a", "1", 5);
        Add("p/b", "2", 1, isLatest: true);
        Add("p/b", "m", 5, isMarker: true);
        Add("p/c", "m", 1, isMarker: true, isLatest: true);
        Add("p/c", "1", 5);

        List<ListedObject> listed = await ListAsync(NewClient(), new ListObjectsOptions { AsOf = At(9) });

        Assert.Equal([("p/a", "2"), ("p/b", "2")], listed.Select(item => (item.Key, item.VersionId)));
    }

    [Fact]
    public async Task Level_FolderOfManyObjects_IsListedOnce()
    {
        for (int i = 0; i < 100; i++)
        {
            Add($"p/d/{i:000}", "1", 1, isLatest: true);
        }

        Add("p/e", "1", 1, isLatest: true);
        S3.PageSize = 5;

        List<ListedObject> level = await ListAsync(NewClient(), new ListObjectsOptions { AsOf = At(9), Delimiter = "/" });

        Assert.Equal(["p/d/", "p/e"], level.Select(item => item.Key));
        Assert.InRange(S3.GetCount(S3Call.List), 2, 3); // one page is read ahead
    }

    [Fact]
    public async Task Version_OfManyVersions_IsFoundWithoutTheOlderOnes()
    {
        for (int i = 100; i > 0; i--)
        {
            Add("p/a", $"v{i}", i, isLatest: i == 100);
        }

        Add("p/a/b", "1", 1);
        S3.PageSize = 10;

        Assert.Equal("v85", (await NewClient().FindVersionAsync(FakeS3.Bucket, "p/a", At(85)).Within()).VersionId);
        Assert.InRange(S3.GetCount(S3Call.List), 2, 3); // one page is read ahead
    }

    [Theory]
    [InlineData("p/a", 0, "its oldest version is from 2026-01-02T03:04:08Z")]
    [InlineData("p/a", 5, "it was deleted at 2026-01-02T03:04:10Z")]
    [InlineData("p", 5, "it has no versions at all")]
    public async Task Version_ThatWasNotThere_IsNamed(string key, int second, string reason)
    {
        Add("p/a", "3", 7, isLatest: true);
        Add("p/a", "m", 5, isMarker: true);
        Add("p/a", "1", 3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().FindVersionAsync(FakeS3.Bucket, key, At(second)).Within());

        Assert.Equal(HttpStatusCode.NotFound, e.StatusCode);
        Assert.Contains($"s3://bucket/{key} did not exist at 2026-01-02T03:04:{5 + second:00}Z: {reason}", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Version_WithoutATime_FailsInsteadOfBeingGuessed()
    {
        S3.Versions.Add(new S3ObjectVersion { Key = "p/a", VersionId = "1", Size = 1 });
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ListAsync(NewClient(), new ListObjectsOptions { AsOf = At(1) }));
        Assert.Contains("s3://bucket/p/a: the store lists version 1 without its time", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied", "needs the permission s3:ListBucketVersions")]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented", "the store may not support versions (ListObjectVersions)")]
    public async Task Listing_Refused_SaysWhatIsNeeded(HttpStatusCode status, string code, string hint)
    {
        S3.Before = (_, _) => throw new AmazonS3Exception(code, Amazon.Runtime.ErrorType.Sender, code, "r", status);
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ListAsync(NewClient(), new ListObjectsOptions { AsOf = At(1) }));
        Assert.Contains("the listing of versions failed", e.Message, StringComparison.Ordinal);
        Assert.Contains(hint, e.Message, StringComparison.Ordinal);
    }

    /// <summary>Every request for an object of the past names its version.</summary>
    [Fact]
    public async Task Download_OfThePast_RequestsItsVersions()
    {
        S3.Put("p/a", 3);
        S3.Put("p/large", 200_000);
        Add("p/a", "new", 5, length: 9, isLatest: true);
        Add("p/a", "null", 1);
        Add("p/large", "v1", 1, length: 200_000, isLatest: true);
        Add("p/gone", "m", 1, isMarker: true);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, new DirectoryOptions { AsOf = At(2) }).Within();

        Assert.EachEqual((2, 200_003, 0), (result.Counts.Copied, result.Counts.Bytes, result.Failures.Count));
        GetObjectRequest[] gets = [.. S3.Calls.Select(call => call.Request).OfType<GetObjectRequest>()];
        Assert.True(gets.Length > 2);
        Assert.All(gets, get => Assert.Equal(get.Key == "p/a" ? "null" : "v1", get.VersionId));
        Assert.All(S3.Calls.Select(call => call.Request).OfType<GetObjectMetadataRequest>(), head => Assert.NotNull(head.VersionId));
    }

    [Fact]
    public async Task AsOf_WithWhatItCannotBeUsedFor_IsRejected()
    {
        TransferClient client = NewClient();
        DirectoryOptions past = new() { AsOf = At(1) };
        await Assert.ThrowsAsync<ArgumentException>(() => client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", past));
        await Assert.ThrowsAsync<ArgumentException>(() => client.DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, past with { DeleteSource = true }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, past with { Keys = AsyncEnumerable.Empty<ObjectKey>() }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), new VerifyDirectoryOptions { AsOf = At(1), Keys = AsyncEnumerable.Empty<string>() }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.SyncAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), new SyncOptions { AsOf = At(1) }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.FindVersionAsync(FakeS3.Bucket, "p", At(1), new ObjectAccessOptions { VersionId = "v" }));
        Assert.Empty(S3.Calls);
    }

    private static DateTimeOffset At(int second) => Start.AddSeconds(second);

    private static string GetLevel(string key) => key.IndexOf('/', Prefix.Length) is > 0 and var slash ? key[..(slash + 1)] : key;

    private static async Task<List<ListedObject>> ListAsync(TransferClient client, ListObjectsOptions options)
        => await client.ListObjectsAsync(FakeS3.Bucket, Prefix, options).ToListAsync().AsTask().Within();

    private static async Task<string?> FindAsync(TransferClient client, string key, DateTimeOffset time)
    {
        try
        {
            return (await client.FindVersionAsync(FakeS3.Bucket, key, time).Within()).VersionId;
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return null;
        }
    }

    /// <summary>Generates writes and deletions, some of them in the same second, because many stores have no fractions of seconds.</summary>
    private static List<Event> Generate(Random random, bool ties)
    {
        string[] keys = ["p/a", "p/a/b", "p/a/c", "p/b", "p/c/d/e", "p/c/f", "p/z"];
        List<Event> events = [];
        int second = 0;
        for (int i = random.Next(30); i > 0; i--)
        {
            second += random.Next(ties ? 0 : 1, 3);
            events.Add(new Event(keys[random.Next(keys.Length)], $"v{events.Count}", second, random.Next(3) == 0));
        }

        return events;
    }

    /// <summary>Carries out the events up to a time.</summary>
    private static Dictionary<string, string> Replay(List<Event> events, DateTimeOffset time)
    {
        Dictionary<string, string> objects = [];
        foreach (Event one in events.Where(one => At(one.Second) <= time))
        {
            objects.Remove(one.Key);
            if (!one.IsDeletion)
            {
                objects.Add(one.Key, one.Id);
            }
        }

        return objects;
    }

    private void Store(List<Event> events)
    {
        S3.Versions.Clear();
        foreach (IGrouping<string, Event> key in events.GroupBy(one => one.Key).OrderBy(group => group.Key, StringComparer.Ordinal))
        {
            foreach (Event one in key.Reverse())
            {
                Add(one.Key, one.Id, one.Second, one.IsDeletion, one == key.Last());
            }
        }
    }

    private void Add(string key, string id, int second, bool isMarker = false, bool isLatest = false, long length = 3)
        => S3.Versions.Add(new S3ObjectVersion
        {
            Key = key,
            VersionId = id,
            Size = isMarker ? 0 : length,
            LastModified = At(second).UtcDateTime,
            IsDeleteMarker = isMarker,
            IsLatest = isLatest,
        });

    private sealed record Event(string Key, string Id, int Second, bool IsDeletion);
}
