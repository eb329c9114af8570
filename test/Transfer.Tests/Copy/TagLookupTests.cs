using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Copy;

/// <summary>Tags that a response doesn't tell are requested, and tags that can't be read are lost, never silently.</summary>
public sealed class TagLookupTests
{
    private readonly SourceStore _store = new();
    private readonly List<string> _asked = [];

    /// <summary>As Amazon S3 does for objects whose tags the credentials can't read.</summary>
    [Fact]
    public async Task CountIsHiddenForSomeObjects_TheirTagsAreRequested()
    {
        _store.Keys = ["source/0open", "source/1secret", "source/2secret"];
        _store.TagCount = static key => key.Contains("open", StringComparison.Ordinal) ? 1 : null;
        _store.Tags = Tags(static key => FakeHttp.Answer(HttpStatusCode.OK, SourceStore.TagSet(("k", key[^1..]))));

        Assert.All(await CopyAllAsync(), outcome => Assert.Empty(outcome.LostProperties));

        Assert.Equal(["k=n", "k=t", "k=t"], _store.Writes.Select(write => SourceStore.Sent(write, "x-amz-tagging")).Order());
    }

    [Fact]
    public async Task ThreeUntaggedObjectsInABucketThatTellsTheCount_ProveThatNoHeaderMeansNoTags()
    {
        _store.Keys = ["source/0", "source/1", "source/2", "source/3", "source/4", "source/5"];
        _store.TagCount = static key => key.EndsWith('0') ? 1 : null;
        _store.Tags = Tags(static key => FakeHttp.Answer(HttpStatusCode.OK, SourceStore.TagSet(key.EndsWith('0') ? [("a", "b")] : [])));

        Assert.All(await CopyAllAsync(), outcome => Assert.Empty(outcome.LostProperties));

        Assert.Equal(["source/0", "source/1", "source/2", "source/3"], _asked);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ABucketThatNeverTellsTheCountOrRefusesOnce_IsAskedForEachObject(bool tellsTheCount)
    {
        _store.Keys = ["source/0", "source/1", "source/2", "source/3", "source/4", "source/5"];
        _store.TagCount = key => tellsTheCount && key.EndsWith('0') ? 1 : null;
        _store.Tags = Tags(key => tellsTheCount && key.EndsWith('1') ? FakeHttp.Error(HttpStatusCode.Forbidden, "AccessDenied") : FakeHttp.Answer(HttpStatusCode.OK, SourceStore.TagSet()));

        List<Outcome> outcomes = await CopyAllAsync();

        Assert.Equal(_store.Keys, _asked);
        Assert.Equal(tellsTheCount ? ["1"] : [], outcomes.Where(outcome => outcome.LostProperties.Count > 0).Select(outcome => outcome.Name));
    }

    [Theory]
    [InlineData(HttpStatusCode.MethodNotAllowed)]
    [InlineData(HttpStatusCode.Forbidden)]
    [InlineData(HttpStatusCode.BadRequest)]
    public async Task OneRefusal_IsALossOfThatObjectOnly(HttpStatusCode status)
    {
        _store.Keys = ["source/0", "source/1", "source/2"];
        _store.Tags = Tags(key => key.EndsWith('0') ? FakeHttp.Error(status, "Refused") : FakeHttp.Answer(HttpStatusCode.OK, SourceStore.TagSet(("a", "b"))));

        List<Outcome> outcomes = await CopyAllAsync();

        Assert.EachEqual(("0", "tags"), (Assert.Single(outcomes, outcome => outcome.LostProperties.Count > 0).Name, outcomes[0].LostProperties.Single()));
        Assert.Equal(2, _store.Writes.Count(write => SourceStore.Sent(write, "x-amz-tagging") == "a=b"));
    }

    [Fact]
    public async Task StoreWithoutTags_IsAskedOnce()
    {
        _store.Keys = ["source/0", "source/1", "source/2"];
        _store.Tags = Tags(static _ => FakeHttp.Error(HttpStatusCode.NotImplemented, "NotImplemented"));

        Assert.All(await CopyAllAsync(), outcome => Assert.Empty(outcome.LostProperties));

        Assert.Equal(["source/0"], _asked);
    }

    [Fact]
    public async Task TagsThatTheResponseTells_AreLostIfTheStoreDoesNotImplementTheRequest()
    {
        _store.TagCount = static _ => 2;
        _store.Tags = Tags(static _ => FakeHttp.Error(HttpStatusCode.NotImplemented, "NotImplemented"));

        Assert.Equal(["tags"], Assert.Single(await CopyAllAsync()).LostProperties);
    }

    private Func<string, HttpResponseMessage> Tags(Func<string, HttpResponseMessage> answer) => key =>
    {
        lock (_asked)
        {
            _asked.Add(key);
        }

        return answer(key);
    };

    private async Task<List<Outcome>> CopyAllAsync()
    {
        using AmazonS3Client s3 = _store.Http.NewS3();
        await using TransferClient from = new(s3, new TransferClientOptions { StateDirectory = null });
        await using TransferClient to = new(s3, new TransferClientOptions { StateDirectory = null });
        List<Outcome> outcomes = [];
        DirectoryResult result = await from.CopyTreeAsync(
            Place.InBucket(FakeHttp.Bucket, "source/"), to, Place.InBucket(FakeHttp.Bucket, "target/"), new DirectoryOptions { ObjectEnded = outcomes.Add, MaxConcurrentObjects = 1 }).Within();
        Assert.Equal(_store.Keys.Count, result.Counts.Copied);
        return [.. outcomes.OrderBy(outcome => outcome.Name, StringComparer.Ordinal)];
    }
}
