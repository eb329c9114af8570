using Amazon.S3.Model;
using Transfer.S3.Download;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

/// <summary>All bytes of a download are from the same state of the object, whatever identifies that state.</summary>
public sealed class ObjectStateTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const string Tag = "\"tag\"";
    private const string WeakTag = "W/\"tag\"";
    private static readonly DateTimeOffset Monday = new(2024, 1, 1, 10, 0, 0, TimeSpan.Zero);
    private static readonly DateTimeOffset Tuesday = Monday.AddDays(1);

    [Theory]
    [InlineData(null, "1", "2", true)]
    [InlineData(null, null, null, true)]
    [InlineData(null, "1", "2", false)]
    [InlineData(WeakTag, "1", "2", false)]
    [InlineData(WeakTag, null, null, true)]
    public async Task Object_ReplacedByOneOfTheSameLength_IsNotMixedWithIt(string? etag, string? version, string? nextVersion, bool timeChanges)
    {
        S3.Objects[FakeS3.Key] = new FakeObject(Sample.Bytes(3 * Part), etag);
        S3.Answer = (call, response) =>
        {
            bool isNext = call.First >= Part;
            response.VersionId = isNext ? nextVersion : version;
            response.LastModified = (isNext && timeChanges ? Tuesday : Monday).UtcDateTime;
        };
        MemoryStream target = new();

        TransferException error = await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within());

        Assert.Contains(version is null ? "modified at 2024-01-02 10:00:00Z" : "its version is 2", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Object_ReplacedWhileABodyIsResumed_IsNotMixedWithIt()
    {
        S3.Objects[FakeS3.Key] = new FakeObject(Sample.Bytes(Part), null);
        S3.Answer = (call, response) => response.LastModified = (call.First > 0 ? Tuesday : Monday).UtcDateTime;
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = 100, Cue = ScriptedStream.Throw(new IOException("reset")) };

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within());
    }

    [Theory]
    [InlineData(null)]
    [InlineData(WeakTag)]
    public async Task Object_NoStrongETag_UsesTheLastModifiedTime(string? etag)
    {
        byte[] content = Sample.Bytes(3 * Part);
        S3.Objects[FakeS3.Key] = new FakeObject(content, etag);
        S3.Answer = (_, response) => (response.LastModified, response.VersionId) = (Monday.UtcDateTime, "1");
        MemoryStream target = new();

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal([null, Monday.AddSeconds(1), Monday.AddSeconds(1)], S3.Gets.OrderBy(call => call.First).Select(UnmodifiedSince));
    }

    [Fact]
    public async Task Object_StrongETag_IgnoresTimeAndVersion()
    {
        byte[] content = S3.Put(3 * Part);
        S3.Answer = (call, response) => (response.LastModified, response.VersionId) = (Monday.AddDays(call.Number).UtcDateTime, $"{call.Number}");
        MemoryStream target = new();

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.All(S3.Gets, call => Assert.Null(UnmodifiedSince(call)));
    }

    [Fact]
    public async Task Object_HintWithoutETag_ConcurrentRangesAreOfOneState()
    {
        S3.Objects[FakeS3.Key] = new FakeObject(Sample.Bytes(3 * Part), null);
        S3.Answer = (call, response) => response.VersionId = call.First == Part ? "2" : "1";
        DownloadOptions options = new() { Hint = new ObjectHint { Length = 3 * Part } };

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), options).Within());
    }

    [Theory]
    [InlineData(Tag, null, null, Tag, "2", true, false)]
    [InlineData(Tag, "1", null, null, "2", true, true)]
    [InlineData(Tag, null, null, "\"other\"", null, false, true)]
    [InlineData(null, null, null, null, "2", true, false)]
    [InlineData(null, "1", "1", null, "1", false, false)]
    [InlineData(null, "1", "1", null, null, true, true)]
    [InlineData(WeakTag, null, null, WeakTag, null, false, false)]
    [InlineData(WeakTag, "1", null, WeakTag, "2", false, true)]
    public void Difference_ComparesOnlyPropertiesThatBothHave(string? etag, string? version, string? time, string? nextETag, string? nextVersion, bool nextTime, bool differs)
    {
        ObjectState state = new(etag, version, time is null ? null : Monday);

        Assert.Equal(differs, state.DifferenceFrom(new ObjectInfo { Length = 1, ETag = nextETag, VersionId = nextVersion, LastModified = nextTime ? Tuesday : null }) is not null);
    }

    [Fact]
    public void State_AddsPropertiesOfLaterResponses()
    {
        ObjectState state = new ObjectState(WeakTag, null, null).With(new ObjectInfo { Length = 1, ETag = WeakTag, VersionId = "1", LastModified = Monday });

        Assert.Equal(new ObjectState(WeakTag, "1", Monday), state);
        Assert.Equal(Monday.AddSeconds(1), state.Condition.IfUnmodifiedSince);
        Assert.Null(state.Condition.IfMatch);
        Assert.Equal(Tag, new ObjectState(Tag, null, Monday).Condition.IfMatch);
        Assert.Null(new ObjectState(null, null, DateTimeOffset.MaxValue).Condition.IfUnmodifiedSince); // nothing is later
    }

    private static DateTimeOffset? UnmodifiedSince(S3Call call)
        => ((GetObjectRequest)call.Request!).UnmodifiedSinceDate is { Ticks: > 0 } time ? new DateTimeOffset(time) : null;
}
