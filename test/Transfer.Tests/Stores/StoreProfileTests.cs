using System.Net;
using Microsoft.Extensions.Logging;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Stores;

/// <summary>What a client has learned about its store is known for a scope, is forgotten after five minutes, and is logged once.</summary>
public sealed class StoreProfileTests : IDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly LogLines _lines = new();
    private readonly LoggerFactory _factory;
    private readonly StoreProfile _profile;

    public StoreProfileTests()
    {
        _factory = new LoggerFactory([_lines]);
        _profile = new StoreProfile(_time, _factory.CreateLogger("Transfer"));
    }

    public void Dispose()
    {
        _factory.Dispose();
        _lines.Dispose();
    }

    [Fact]
    public void Fact_OfEachTrait_IsKnownInItsScopeForAWhileAndTheFirstOneCounts()
    {
        foreach (StoreTrait trait in Enum.GetValues<StoreTrait>())
        {
            _profile.Learn(trait, "a", StoreSupport.Refused, "first");
            _profile.Learn(trait, "a", StoreSupport.Supported);
            _profile.Learn(trait, "b", StoreSupport.Supported);
            _profile.Learn(trait, "b", StoreSupport.Refused, "second");
        }

        Assert.All(Enum.GetValues<StoreTrait>(), trait => Assert.EachEqual((StoreSupport.Refused, StoreSupport.Supported, StoreSupport.Unknown), (Of(trait, "a"), Of(trait, "b"), Of(trait, "c"))));
        _time.Advance(StoreProfile.MemoryTime - TimeSpan.FromTicks(1));
        Assert.All(Enum.GetValues<StoreTrait>(), trait => Assert.Equal(StoreSupport.Refused, Of(trait, "a")));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.All(Enum.GetValues<StoreTrait>(), trait => Assert.EachEqual((StoreSupport.Unknown, StoreSupport.Unknown), (Of(trait, "a"), Of(trait, "b"))));
        _profile.Learn(StoreTrait.Tags, "a", StoreSupport.Supported);
        Assert.Equal(StoreSupport.Supported, Of(StoreTrait.Tags, "a"));
    }

    [Fact]
    public void Absence_IsLoggedOnceInOneFormWithItsScopeReasonAndConsequence()
    {
        for (int i = 0; i < 3; i++)
        {
            _profile.Learn(StoreTrait.Tags, "b", StoreSupport.Refused, "NotImplemented");
            _profile.Learn(StoreTrait.ChecksumMode, "https://store.example", StoreSupport.Refused, "InvalidArgument");
            _profile.Learn(StoreTrait.Crc32C, StoreProfile.EveryBucket, StoreSupport.Refused, "InvalidRequest");
            _profile.Learn(StoreTrait.UnsignedBodies, "https://store.example", StoreSupport.Supported);
            _time.Advance(StoreProfile.MemoryTime);
        }

        Assert.Equal(
            [
                "Warning: s3://b does not support tags (Refused: NotImplemented). No tags are copied",
                "Information: https://store.example does not support x-amz-checksum-mode (Refused: InvalidArgument). Requests are sent without this header, so some downloads can't be verified",
                "Information: The store does not support CRC-32C checksums (Refused: InvalidRequest). Uploads use Content-MD5",
            ],
            _lines.Written);
    }

    [Fact]
    public async Task ManyLearnAtOnce_OneFactAndOneMessage()
    {
        using Barrier start = new(8);
        await Task.WhenAll(Enumerable.Range(0, 8).Select(i => Task.Factory.StartNew(
            () =>
            {
                start.SignalAndWait();
                for (int bucket = 0; bucket < 200; bucket++)
                {
                    _profile.Learn(StoreTrait.Tags, $"b{bucket}", StoreSupport.Refused, $"{i}");
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default))).Within();

        Assert.Equal(200, _lines.Written.Count);
    }

    [Theory]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented", true, true)]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied", true, false)]
    [InlineData(HttpStatusCode.NotFound, "NoSuchKey", false, false)]
    [InlineData(HttpStatusCode.BadRequest, "ExpiredToken", false, false)]
    public void Attributes_AreRefusedByABucketOrByTheStoreForAWhile(HttpStatusCode status, string code, bool refusedHere, bool refusedElsewhere)
    {
        _profile.LearnAttributes("a", new WireException(FailureKind.Final, "no") { StatusCode = status, ErrorCode = code });

        Assert.EachEqual((refusedHere, refusedElsewhere), (_profile.RefusesAttributes("a"), _profile.RefusesAttributes("b")));
        Assert.Equal(refusedElsewhere ? "no" : null, _profile.NoAttributes);
        _time.Advance(StoreProfile.MemoryTime);
        Assert.EachEqual((false, false), (_profile.RefusesAttributes("a"), _profile.RefusesAttributes("b")));
    }

    [Fact]
    public void Checksum_IsTheBestThatWasNotRefusedAndIsTriedAgainAfterAWhile()
    {
        Assert.Equal(ChecksumAlgorithm.Crc64Nvme, _profile.Checksum);
        _profile.LearnChecksum(ChecksumAlgorithm.ContentMd5, "no");
        _profile.LearnChecksum(ChecksumAlgorithm.ContentMd5, "no");
        Assert.Equal(ChecksumAlgorithm.ContentMd5, _profile.Checksum);

        _time.Advance(StoreProfile.MemoryTime);

        Assert.Equal(ChecksumAlgorithm.Crc64Nvme, _profile.Checksum);
        _profile.LearnChecksum(ChecksumAlgorithm.Crc32C, "no");
        Assert.Equal(ChecksumAlgorithm.Crc32C, _profile.Checksum);
        Assert.Equal(2, _lines.Written.Count); // of CRC-64/NVME and CRC-32C; nothing was new after a while
    }

    [Fact]
    public void Condition_IsKnownForABucketAndAnOperation_AndWarnsOnceForABucket()
    {
        Assert.True(_profile.TryBeginProof(StoreTrait.PutCondition, "a"));
        Assert.False(_profile.TryBeginProof(StoreTrait.PutCondition, "a"));
        _profile.LearnCondition(StoreTrait.PutCondition, "a", StoreSupport.Ignored, "published twice");
        _profile.EndProof(StoreTrait.PutCondition, "a");
        _profile.LearnCondition(StoreTrait.CompleteCondition, "a", StoreSupport.Refused, "501");
        _profile.LearnCondition(StoreTrait.PutCondition, "a", StoreSupport.Supported); // what was learned first counts

        Assert.Equal(
            (StoreSupport.Ignored, StoreSupport.Refused, StoreSupport.Unknown, StoreSupport.Unknown),
            (Of(StoreTrait.PutCondition, "a"), Of(StoreTrait.CompleteCondition, "a"), Of(StoreTrait.CopyCondition, "a"), Of(StoreTrait.PutCondition, "b")));
        Assert.False(_profile.TryBeginProof(StoreTrait.PutCondition, "a"));
        _time.Advance(StoreProfile.MemoryTime);
        Assert.Equal(StoreSupport.Unknown, Of(StoreTrait.PutCondition, "a"));
        _profile.LearnCondition(StoreTrait.PutCondition, "a", StoreSupport.Ignored, "published twice");
        Assert.StartsWith("Warning: s3://a does not support If-None-Match (Ignored: published twice)", Assert.Single(_lines.Written), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Proof_IsWaitedForOnce_UntilItEndsOrTakesTooLong()
    {
        Assert.True(WhenProven().IsCompletedSuccessfully); // none is in progress
        Assert.True(_profile.TryBeginProof(StoreTrait.PutCondition, "a"));
        Assert.True(_profile.WhenProvenAsync(StoreTrait.PutCondition, "b", CancellationToken.None).IsCompletedSuccessfully);
        Task late = WhenProven();
        _time.Advance(TimeSpan.FromSeconds(1.9));
        Assert.False(late.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(0.2));
        await late;

        using CancellationTokenSource canceled = new();
        Task waiting = WhenProven();
        Task given = _profile.WhenProvenAsync(StoreTrait.PutCondition, "a", canceled.Token);
        await canceled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);
        Assert.False(waiting.IsCompleted);
        _profile.EndProof(StoreTrait.PutCondition, "a"); // without a result
        await waiting;

        Assert.True(_profile.TryBeginProof(StoreTrait.PutCondition, "a"));
        Assert.True(WhenProven().IsCompletedSuccessfully); // otherwise, objects would fail one after the other
        _profile.LearnCondition(StoreTrait.PutCondition, "a", StoreSupport.Supported);
        _profile.EndProof(StoreTrait.PutCondition, "a");
        _time.Advance(StoreProfile.MemoryTime);

        Assert.True(_profile.TryBeginProof(StoreTrait.PutCondition, "a"));
        Assert.False(WhenProven().IsCompleted);
        _profile.EndProof(StoreTrait.PutCondition, "a");

        Task WhenProven() => _profile.WhenProvenAsync(StoreTrait.PutCondition, "a", CancellationToken.None);
    }

    [Fact]
    public void Observations_SeveralWithinAWhile_Prove()
    {
        for (int i = 0; i < 2; i++)
        {
            Observe();
            Observe();
            Assert.Equal(StoreSupport.Unknown, Of(StoreTrait.UntaggedWithoutCount, "a"));
            _time.Advance(StoreProfile.MemoryTime); // they are too old to be counted with later ones
        }

        Observe();
        Observe();
        _profile.Observe(StoreTrait.UntaggedWithoutCount, "b", 3, StoreSupport.Supported);
        Assert.Equal(StoreSupport.Unknown, Of(StoreTrait.UntaggedWithoutCount, "a"));
        Observe();
        Assert.EachEqual((StoreSupport.Supported, StoreSupport.Unknown), (Of(StoreTrait.UntaggedWithoutCount, "a"), Of(StoreTrait.UntaggedWithoutCount, "b")));
        _time.Advance(StoreProfile.MemoryTime);
        Assert.Equal(StoreSupport.Unknown, Of(StoreTrait.UntaggedWithoutCount, "a"));

        void Observe() => _profile.Observe(StoreTrait.UntaggedWithoutCount, "a", 3, StoreSupport.Supported);
    }

    [Fact]
    public void Counterexample_ReplacesWhatWasKnownAndCannotBeOutvotedForAWhile()
    {
        _profile.Learn(StoreTrait.TagCount, "a", StoreSupport.Supported);
        _time.Advance(StoreProfile.MemoryTime / 2);
        _profile.Disprove(StoreTrait.TagCount, "a", "hidden");
        _profile.Learn(StoreTrait.TagCount, "a", StoreSupport.Supported);
        _profile.Disprove(StoreTrait.TagCount, "a", "hidden again");

        _time.Advance(StoreProfile.MemoryTime - TimeSpan.FromTicks(1));
        Assert.Equal(StoreSupport.Ignored, Of(StoreTrait.TagCount, "a"));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(StoreSupport.Unknown, Of(StoreTrait.TagCount, "a"));
        Assert.Contains("(Ignored: hidden)", Assert.Single(_lines.Written), StringComparison.Ordinal);
    }

    [Fact]
    public void Skip_ThousandUsesAfterThreeInARow_AndThenOneIsTried()
    {
        const StoreTrait trait = StoreTrait.SmallObjectChecksums;
        Miss();
        Miss();
        _profile.Forget(trait, "a"); // they were not consecutive
        Miss();
        Miss();
        Assert.False(_profile.TrySkip(trait, "a", 1_000));
        Miss();

        for (int round = 0; round < 2; round++)
        {
            Assert.Equal(1_000, Enumerable.Range(0, 1_000).Count(_ => _profile.TrySkip(trait, "a", 1_000)));
            Assert.False(_profile.TrySkip(trait, "a", 1_000));
            Miss();
        }

        Assert.False(_profile.TrySkip(trait, "b", 1_000));
        _profile.Forget(trait, "a");
        Assert.False(_profile.TrySkip(trait, "a", 1_000));
        Miss();
        Miss();
        Miss();
        Assert.True(_profile.TrySkip(trait, "a", 1_000));
        _time.Advance(StoreProfile.MemoryTime);
        Assert.False(_profile.TrySkip(trait, "a", 1_000));
        Assert.Single(_lines.Written);

        void Miss() => _profile.Observe(trait, "a", 3, StoreSupport.Ignored, "none");
    }

    [Fact]
    public void ManyScopes_AreForgottenButWhatTheEndpointTells()
    {
        Amazon.S3.AmazonS3Config config = new() { ServiceURL = "https://account.r2.cloudflarestorage.com" };
        StoreProfile profile = StoreProfile.Create(config, _time, _factory.CreateLogger("Transfer"));
        for (int i = 0; i < 10_000; i++)
        {
            profile.Learn(StoreTrait.Tags, $"b{i}", StoreSupport.Supported);
        }

        _time.Advance(StoreProfile.MemoryTime);

        Assert.Equal(StoreSupport.Refused, profile.GetSupport(StoreTrait.UnequalParts, StoreProfile.EveryBucket));
        Assert.Contains("parts of different sizes (Refused: the endpoint is Cloudflare R2)", Assert.Single(_lines.Written), StringComparison.Ordinal);
    }

    private StoreSupport Of(StoreTrait trait, string scope) => _profile.GetSupport(trait, scope);
}
