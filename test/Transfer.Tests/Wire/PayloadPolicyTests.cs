using System.Net;
using Transfer.Wire;
using Transfer.Wire.Http;

namespace Transfer.Tests.Wire;

/// <summary>Which request bodies are signed, depending on their destination.</summary>
public sealed class PayloadPolicyTests
{
    private static readonly WireException Denied = new(FailureKind.Final, "no") { StatusCode = HttpStatusCode.Forbidden, ErrorCode = "AccessDenied" };

    [Theory]
    [InlineData("https://store.example", false)]
    [InlineData("http://127.0.0.1:9000", false)]
    [InlineData("http://[::1]:9000", false)]
    [InlineData("http://localhost", false)]
    [InlineData("http://10.0.0.1:9000", true)]
    [InlineData("http://store.example", true)]
    public void Auto_SignsBodiesThatCouldBeChangedOnTheNetwork(string address, bool signs)
    {
        StoreEndpoint endpoint = At(address);

        Assert.Equal(signs, new PayloadPolicy(PayloadSigning.Auto).Signs(endpoint));
        Assert.True(new PayloadPolicy(PayloadSigning.Always).Signs(endpoint));
        Assert.False(new PayloadPolicy(PayloadSigning.Never).Signs(endpoint));
    }

    [Fact]
    public void Learn_AppliesToOneStoreAndIsNotChangedLater()
    {
        PayloadPolicy policy = new(PayloadSigning.Auto);
        Assert.True(policy.MayBeRefusal(At("https://one.example"), Denied));

        policy.Learn(At("https://one.example"), refuses: true);
        policy.Learn(At("https://two.example"), refuses: false);
        policy.Learn(At("https://two.example"), refuses: true);

        Assert.True(policy.Signs(At("https://one.example")));
        Assert.False(policy.Signs(At("https://two.example")));
        Assert.False(policy.MayBeRefusal(At("https://two.example"), Denied));
        Assert.True(policy.MayBeRefusal(At("https://one.example"), Denied)); // for a body that was sent before the policy was learned
        Assert.True(policy.MayBeRefusal(At("https://three.example"), Denied));
    }

    [Theory]
    [InlineData(PayloadSigning.Always)]
    [InlineData(PayloadSigning.Never)]
    public void Configured_NothingIsLearned(PayloadSigning signing)
    {
        PayloadPolicy policy = new(signing);
        policy.Learn(At("https://one.example"), refuses: signing == PayloadSigning.Never);

        Assert.Equal(signing == PayloadSigning.Always, policy.Signs(At("https://one.example")));
        Assert.False(policy.MayBeRefusal(At("https://one.example"), Denied));
    }

    private static StoreEndpoint At(string address) => StoreEndpoint.At(new Uri(address), "/bucket/", "us-east-1");
}
