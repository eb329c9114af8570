using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Stores;

namespace Transfer.S3.Tests.Stores;

/// <summary>What a probe has shown is known to later clients of the same store for seven days.</summary>
public sealed class StoreMemoryTests : IDisposable
{
    private const string Store = "https://store.example";
    private const string Bucket = "bucket";
    private readonly TemporaryFolder _folder = new();
    private readonly FakeTimeProvider _time = new(new DateTimeOffset(1971, 1, 1, 0, 0, 0, TimeSpan.Zero));

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Recall_SavedFacts_AreKnownUntilTheyExpire()
    {
        StoreProfile probed = New();
        probed.Teach(new StoreFact(StoreTrait.Tags, Bucket, StoreSupport.Refused, "not implemented", StoreMemory.Lifetime));
        probed.Learn(StoreTrait.ListV2, Bucket, StoreSupport.Ignored); // known for minutes only, so it isn't saved
        string? path = StoreMemory.Save(_folder.Path, Store, probed.Facts, _time);
        _time.Advance(TimeSpan.FromDays(6));

        StoreProfile later = New();
        StoreMemory.Recall(_folder.Path, Store, later, _time);

        Assert.True(File.Exists(path));
        StoreFact fact = Assert.Single(later.Facts);
        Assert.EachEqual((StoreTrait.Tags, Bucket, StoreSupport.Refused, "not implemented", TimeSpan.FromDays(1)), (fact.Trait, fact.Scope, fact.Support, fact.Reason, fact.Left));
        _time.Advance(TimeSpan.FromHours(25));
        Assert.Empty(later.Facts);
        StoreProfile last = New();
        StoreMemory.Recall(_folder.Path, Store, last, _time);
        Assert.Empty(last.Facts);
    }

    [Theory]
    [InlineData("https://other.example")]
    [InlineData("")]
    public void Recall_OtherStore_TeachesNothing(string store)
    {
        Save();

        Assert.Empty(Recall(store).Facts);
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{\"store\":\"https://store.example\"}")]
    [InlineData("{\"store\":\"https://store.example\",\"facts\":[{\"trait\":\"Unheard\",\"scope\":\"\",\"support\":\"Refused\",\"reason\":\"\",\"until\":\"1971-01-02T00:00:00Z\"}]}")]
    [InlineData("{\"store\":\"https://store.example\",\"facts\":[null]}")]
    [InlineData("{\"store\":\"https://another.example\",\"facts\":[{\"trait\":\"Tags\",\"scope\":\"b\",\"support\":\"Refused\",\"reason\":\"\",\"until\":\"1971-01-02T00:00:00Z\"}]}")]
    public void Recall_DamagedFile_TeachesNothing(string content)
    {
        File.WriteAllText(Save(), content);

        Assert.Empty(Recall(Store).Facts);
    }

    [Fact]
    public void Recall_ClockWasSetBack_TeachesNothing()
    {
        Save();
        FakeTimeProvider before = new();
        StoreProfile profile = New();

        StoreMemory.Recall(_folder.Path, Store, profile, before);

        Assert.Empty(profile.Facts);
    }

    [Fact]
    public void Save_ShorterThanBefore_ReplacesTheFile()
    {
        Save(new string('x', 10_000));
        Save("short");

        Assert.Equal("short", Assert.Single(Recall(Store).Facts).Reason);
    }

    [Fact]
    public void Save_NoDirectory_ReturnsNull() => Assert.Null(StoreMemory.Save(null, Store, [], _time));

    [Fact]
    public void Save_FolderIsAFile_ReturnsNull()
    {
        string path = Path.Combine(_folder.Path, "file");
        File.WriteAllText(path, string.Empty);

        Assert.Null(StoreMemory.Save(path, Store, [], _time));
    }

    [Theory]
    [InlineData("https://account.r2.cloudflarestorage.com", "Cloudflare R2", true, null)]
    [InlineData("https://s3.fr-par.scw.cloud", "Scaleway", false, 1_000)]
    [InlineData("https://s3.eu-central-1.wasabisys.com", "Wasabi", false, null)]
    public void KnownStore_Endpoint_IsRecognized(string endpoint, string name, bool equal, int? parts)
    {
        KnownStore store = KnownStore.Find(endpoint)!;

        Assert.EachEqual((name, equal, parts), (store.Name, store.RequiresEqualParts, store.MaxParts));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("https://r2.cloudflarestorage.com.example")]
    [InlineData("https://evilscw.cloud")]
    [InlineData("not an address")]
    public void KnownStore_OtherEndpoint_IsNotRecognized(string? endpoint) => Assert.Null(KnownStore.Find(endpoint));

    private string Save(string reason = "reason")
    {
        StoreProfile profile = New();
        profile.Teach(new StoreFact(StoreTrait.Tags, Bucket, StoreSupport.Refused, reason, StoreMemory.Lifetime));
        return StoreMemory.Save(_folder.Path, Store, profile.Facts, _time)!;
    }

    private StoreProfile Recall(string store)
    {
        StoreProfile profile = New();
        StoreMemory.Recall(_folder.Path, store, profile, _time);
        return profile;
    }

    private StoreProfile New() => new(_time, NullLogger.Instance);
}
