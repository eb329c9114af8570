using System.Net;
using Microsoft.Extensions.Logging;
using Transfer.Scheduling;
using Transfer.Tests.Infrastructure;
using Transfer.Wire;

namespace Transfer.Tests.Scheduling;

/// <summary>What a client has learned about its store is known for a bucket or for all, and is forgotten after five minutes.</summary>
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

    [Theory]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented", true, true)]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied", true, false)]
    [InlineData(HttpStatusCode.NotFound, "NoSuchKey", false, false)]
    [InlineData(HttpStatusCode.BadRequest, "ExpiredToken", false, false)]
    public void Attributes_AreRefusedByABucketOrByTheStoreForAWhile(HttpStatusCode status, string code, bool refusedHere, bool refusedElsewhere)
    {
        _profile.LearnAttributes("a", new WireException(FailureKind.Final, "no") { StatusCode = status, ErrorCode = code });

        Assert.Equal((refusedHere, refusedElsewhere), (_profile.RefusesAttributes("a"), _profile.RefusesAttributes("b")));
        Assert.Equal(refusedElsewhere ? "no" : null, _profile.NoAttributes);
        _time.Advance(StoreProfile.MemoryTime);
        Assert.Equal((false, false), (_profile.RefusesAttributes("a"), _profile.RefusesAttributes("b")));
    }

    [Fact]
    public void Checksum_IsTheBestThatWasNotRefusedAndIsTriedAgainAfterAWhile()
    {
        Assert.Equal(ChecksumAlgorithm.Crc64Nvme, _profile.Checksum);
        Assert.True(_profile.LearnChecksum(ChecksumAlgorithm.Md5));
        Assert.False(_profile.LearnChecksum(ChecksumAlgorithm.Md5));
        Assert.Equal(ChecksumAlgorithm.Md5, _profile.Checksum);

        _time.Advance(StoreProfile.MemoryTime);

        Assert.Equal(ChecksumAlgorithm.Crc64Nvme, _profile.Checksum);
        Assert.False(_profile.LearnChecksum(ChecksumAlgorithm.Crc32C)); // it is not new, so it isn't logged again
        Assert.Equal(ChecksumAlgorithm.Crc32C, _profile.Checksum);
    }

    [Fact]
    public void Condition_IsKnownForABucketAndAnOperation_AndWarnsOnceForABucket()
    {
        Assert.True(_profile.TryBeginProof("a", PublishOperation.Put));
        Assert.False(_profile.TryBeginProof("a", PublishOperation.Put));
        _profile.IgnoresCondition("a", PublishOperation.Put);
        _profile.EndProof("a", PublishOperation.Put);
        _profile.RefusesCondition("a", PublishOperation.Complete, "501");
        _profile.HonorsCondition("a", PublishOperation.Put); // what was learned first counts

        Assert.Equal(
            (StoreSupport.Ignored, StoreSupport.Refused, StoreSupport.Unknown, StoreSupport.Unknown),
            (_profile.ConditionOf("a", PublishOperation.Put), _profile.ConditionOf("a", PublishOperation.Complete), _profile.ConditionOf("a", PublishOperation.Copy), _profile.ConditionOf("b", PublishOperation.Put)));
        Assert.False(_profile.TryBeginProof("a", PublishOperation.Put));
        _time.Advance(StoreProfile.MemoryTime);
        Assert.Equal(StoreSupport.Unknown, _profile.ConditionOf("a", PublishOperation.Put));
        _profile.IgnoresCondition("a", PublishOperation.Put);
        Assert.Single(_lines.Written, line => line.Contains("If-None-Match", StringComparison.Ordinal));
    }
}
