using System.Net;
using Amazon.S3;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Stores;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>What is sent again without a feature that the store may have rejected, and what is learned from it.</summary>
public sealed class FeatureNegotiationTests
{
    private const string Store = "https://one.example";
    private static readonly WireException Denied = new(FailureKind.Final, "no") { StatusCode = HttpStatusCode.Forbidden, ErrorCode = "AccessDenied" };
    private static readonly WireException Busy = new(FailureKind.Transient, "busy") { StatusCode = HttpStatusCode.InternalServerError };
    private readonly FakeTimeProvider _time = new();
    private readonly StoreProfile _profile;

    public FeatureNegotiationTests()
    {
        _profile = new StoreProfile(_time, NullLogger.Instance);
    }

    [Theory]
    [InlineData("https://store.example", false)]
    [InlineData("http://127.0.0.1:9000", false)]
    [InlineData("http://[::1]:9000", false)]
    [InlineData("http://localhost", false)]
    [InlineData("http://10.0.0.1:9000", true)]
    [InlineData("http://store.example", true)]
    public async Task Auto_SignsBodiesThatCouldBeChangedOnTheNetwork(string address, bool signs)
    {
        foreach (PayloadSigning signing in Enum.GetValues<PayloadSigning>())
        {
            FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\"")));
            using AmazonS3Client s3 = http.NewS3(config =>
            {
                config.ServiceURL = address;
                config.ForcePathStyle = true;
            });
            await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { PayloadSigning = signing, Wire = TransferWire.Http } });

            await client.UploadAsync(new MemoryStream([1, 2, 3]), FakeHttp.Bucket, FakeHttp.Key).Within();

            string? hash = FakeHttp.Header(http.Requests.First(request => request.Method == HttpMethod.Put), "x-amz-content-sha256");
            Assert.Equal(signing == PayloadSigning.Always || (signing == PayloadSigning.Auto && signs), hash != "UNSIGNED-PAYLOAD");
        }
    }

    [Fact]
    public void Rejection_IsLearnedForOneStoreWhenTheRequestSucceedsWithoutTheFeature()
    {
        FeatureNegotiation before = New();
        Assert.True(before.TryUse(Store, isWanted: true)); // it was sent before the rejection was learned
        FeatureNegotiation first = New();
        Assert.True(first.TryUse(Store, isWanted: true));
        Assert.True(first.TryWithout(Denied));
        Assert.Equal(StoreSupport.Unknown, _profile.GetSupport(StoreTrait.UnsignedBodies, Store));
        Assert.False(first.TryUse(Store, isWanted: true));
        Assert.False(first.TryWithout(Denied));
        first.Learn();

        Assert.False(New().TryUse(Store, isWanted: true));
        Assert.True(New().TryUse("https://two.example", isWanted: true));
        Assert.True(before.TryWithout(Denied));
        _time.Advance(StoreProfile.MemoryTime);
        Assert.True(New().TryUse(Store, isWanted: true));
    }

    [Fact]
    public void Feature_WasAccepted_IsNotTheCauseOfAnError()
    {
        FeatureNegotiation first = New();
        first.TryUse(Store, isWanted: true);
        first.Learn();
        FeatureNegotiation second = New();
        Assert.True(second.TryUse(Store, isWanted: true));

        Assert.False(second.TryWithout(Denied));
        Assert.Same(Denied, second.GetCause(Denied));
    }

    [Fact]
    public void Feature_IsNotWanted_NothingIsLearned()
    {
        FeatureNegotiation negotiation = New();

        Assert.False(negotiation.TryUse(Store, isWanted: false));
        Assert.False(negotiation.TryWithout(Denied));
        negotiation.Learn();
        Assert.Equal(StoreSupport.Unknown, _profile.GetSupport(StoreTrait.UnsignedBodies, Store));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Request_FailsWithoutTheFeatureToo_ThrowsTheFirstErrorUnlessTheSecondIsTemporary(bool isBody)
    {
        StoreTrait feature = isBody ? StoreTrait.UnsignedBodies : StoreTrait.ChecksumMode;
        FeatureNegotiation negotiation = new(_profile, feature);
        WireException rejection = new(FailureKind.Final, "no") { StatusCode = HttpStatusCode.BadRequest, ErrorCode = "InvalidArgument" };
        negotiation.TryUse(Store, isWanted: true);
        Assert.True(negotiation.TryWithout(rejection));
        negotiation.TryUse(Store, isWanted: true);

        Assert.Same(Busy, negotiation.GetCause(Busy));
        Assert.Equal(StoreSupport.Unknown, _profile.GetSupport(feature, Store));
        Assert.Same(rejection, negotiation.GetCause(Denied));
        Assert.Equal(isBody ? StoreSupport.Supported : StoreSupport.Unknown, _profile.GetSupport(feature, Store)); // so that not every body is sent twice
    }

    private FeatureNegotiation New() => new(_profile, StoreTrait.UnsignedBodies);
}
