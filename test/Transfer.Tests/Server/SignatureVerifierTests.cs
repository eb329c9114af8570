using Microsoft.AspNetCore.Http;
using Transfer.S3.Server;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Signing;

namespace Transfer.S3.Tests.Server;

/// <summary>The worked examples of "Authenticating Requests (AWS Signature Version 4)" in the Amazon S3 API reference.</summary>
public sealed class SignatureVerifierTests
{
    private const string Host = "examplebucket.s3.amazonaws.com";
    private const string EmptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    internal static readonly DateTimeOffset Signed = new(2013, 5, 24, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Build_RangedGet_KnownHashAndSignature()
    {
        HeaderDictionary headers = Headers();
        headers["range"] = "bytes=0-9";
        RequestTarget target = RequestTarget.Parse("/test.txt", Host);

        string canonical = CanonicalRequest.Build(
            "GET", target.RawPath, target.Query, headers, ["host", "range", "x-amz-content-sha256", "x-amz-date"], EmptyHash);

        Assert.Equal("7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972", SigningKey.Sha256Hex(System.Text.Encoding.UTF8.GetBytes(canonical)));
        Assert.Equal(
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            Key().Sign(SigningKey.StringToSign("20130524T000000Z", "20130524/us-east-1/s3/aws4_request", canonical)));
    }

    [Theory]
    [InlineData("/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")]
    [InlineData("/?prefix=J&max-keys=2", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")]
    [InlineData("/?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")]
    [InlineData("/?lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")]
    public void Verify_KnownQuerySignature_IsAccepted(string rawTarget, string signature)
    {
        HeaderDictionary headers = Headers();
        headers["authorization"] = Authorization("host;x-amz-content-sha256;x-amz-date", signature);

        var (verified, payload) = Verifier(Signed).Verify("GET", RequestTarget.Parse(rawTarget, Host), headers);

        Assert.Equal(signature, verified!.Claim.Signature);
        Assert.Equal(PayloadKind.Sha256, payload.Kind);
    }

    [Theory]
    [InlineData("/?max-keys=3&prefix=J", "SignatureDoesNotMatch", 403)]
    [InlineData("/x?max-keys=2&prefix=J", "SignatureDoesNotMatch", 403)]
    public void Verify_OtherRequest_DoesNotMatch(string rawTarget, string code, int status)
    {
        HeaderDictionary headers = Headers();
        headers["authorization"] = Authorization(
            "host;x-amz-content-sha256;x-amz-date", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");

        S3Exception error = Assert.Throws<S3Exception>(() => Verifier(Signed).Verify("GET", RequestTarget.Parse(rawTarget, Host), headers));

        Assert.Equal(code, error.Code);
        Assert.Equal(status, error.Status);
    }

    [Theory]
    [InlineData(0, null)]
    [InlineData(15 * 60, null)]
    [InlineData(-15 * 60, null)]
    [InlineData((15 * 60) + 1, "RequestTimeTooSkewed")]
    [InlineData((-15 * 60) - 1, "RequestTimeTooSkewed")]
    public void Verify_ServerClock_MayDifferByFifteenMinutes(int seconds, string? code)
    {
        HeaderDictionary headers = Headers();
        headers["authorization"] = Authorization(
            "host;x-amz-content-sha256;x-amz-date", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");

        Exception? error = Record.Exception(
            () => Verifier(Signed.AddSeconds(seconds)).Verify("GET", RequestTarget.Parse("/?lifecycle", Host), headers));

        Assert.Equal(code, (error as S3Exception)?.Code);
        if (error is S3Exception skewed)
        {
            Assert.Contains(new KeyValuePair<string, string>("MaxAllowedSkewMilliseconds", "900000"), skewed.Details);
            Assert.Contains(skewed.Details, static detail => detail.Key == "ServerTime");
        }
    }

    [Theory]
    [InlineData(0, null)]
    [InlineData(86400, null)]
    [InlineData(86401, "AccessDenied")]
    [InlineData(-16 * 60, "AccessDenied")]
    public void Verify_PresignedQuery_IsAcceptedUntilItExpires(int seconds, string? code)
    {
        const string Target = "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
        var headers = new HeaderDictionary { ["host"] = Host, ["range"] = "bytes=0-1" };

        Exception? error = Record.Exception(() =>
            Verifier(Signed.AddSeconds(seconds)).Verify("GET", RequestTarget.Parse(Target, Host), headers));

        Assert.Equal(code, (error as S3Exception)?.Code);
    }

    [Theory]
    [InlineData("X-Amz-Expires=-1", "AuthorizationQueryParametersError")]
    [InlineData("X-Amz-Expires=0", "AccessDenied")] // expired at once
    [InlineData("X-Amz-Expires=604801", "AuthorizationQueryParametersError")]
    [InlineData("X-Amz-Expires=604800", "SignatureDoesNotMatch")]
    public void Verify_PresignedLifetime_MustBeAtMostSevenDays(string expires, string code)
    {
        string target = "/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + $"&X-Amz-Date=20130524T000000Z&{expires}&X-Amz-SignedHeaders=host&X-Amz-Signature=00";
        var headers = new HeaderDictionary { ["host"] = Host };

        Assert.Equal(code, Assert.Throws<S3Exception>(() => Verifier(Signed).Verify("GET", RequestTarget.Parse(target, Host), headers)).Code);
    }

    [Theory]
    [InlineData("AKIAOTHER", "us-east-1", "s3", "InvalidAccessKeyId")]
    [InlineData("AKIAIOSFODNN7EXAMPLE", "eu-west-1", "s3", "AuthorizationHeaderMalformed")]
    [InlineData("AKIAIOSFODNN7EXAMPLE", "us-east-1", "ec2", "AuthorizationHeaderMalformed")]
    public void Verify_OtherCredential_IsRejected(string accessKeyId, string region, string service, string code)
    {
        HeaderDictionary headers = Headers();
        headers["authorization"] = $"AWS4-HMAC-SHA256 Credential={accessKeyId}/20130524/{region}/{service}/aws4_request,"
            + "SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=00";

        Assert.Equal(code, Assert.Throws<S3Exception>(() => Verifier(Signed).Verify("GET", RequestTarget.Parse("/", Host), headers)).Code);
    }

    [Fact]
    public void Verify_AmazonHeaderNotSigned_IsRejected()
    {
        HeaderDictionary headers = Headers();
        headers["x-amz-acl"] = "private";
        headers["authorization"] = Authorization(
            "host;x-amz-content-sha256;x-amz-date", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");

        S3Exception error = Assert.Throws<S3Exception>(() => Verifier(Signed).Verify("GET", RequestTarget.Parse("/?lifecycle", Host), headers));

        Assert.Equal("AccessDenied", error.Code);
        Assert.Contains(new KeyValuePair<string, string>("HeadersNotSigned", "x-amz-acl"), error.Details);
    }

    [Fact]
    public void Verify_NoSignature_NeedsAnonymousAccess()
    {
        var headers = new HeaderDictionary { ["host"] = Host };
        RequestTarget target = RequestTarget.Parse("/k", Host);

        Assert.Equal("AccessDenied", Assert.Throws<S3Exception>(() => Verifier(Signed).Verify("GET", target, headers)).Code);
        Assert.Null(Verifier(Signed, allowAnonymous: true).Verify("GET", target, headers).Signature);
    }

    [Fact]
    public void Verify_NoContentHash_IsInvalidRequest()
    {
        var headers = new HeaderDictionary { ["host"] = Host, ["x-amz-date"] = "20130524T000000Z" };
        headers["authorization"] = Authorization("host;x-amz-date", "00");

        Assert.Equal("InvalidRequest", Assert.Throws<S3Exception>(() => Verifier(Signed).Verify("GET", RequestTarget.Parse("/k", Host), headers)).Code);
    }

    internal static SigningKey Key() => new("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "20130524", "us-east-1", "s3");

    private static HeaderDictionary Headers() =>
        new() { ["host"] = Host, ["x-amz-content-sha256"] = EmptyHash, ["x-amz-date"] = "20130524T000000Z" };

    private static string Authorization(string signedHeaders, string signature) =>
        $"AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders={signedHeaders}, Signature={signature}";

    internal static SignatureVerifier Verifier(DateTimeOffset now, bool allowAnonymous = false) =>
        new(ResolvedOptions.From(new EmbeddedS3ServerOptions
        {
            AccessKeyId = "AKIAIOSFODNN7EXAMPLE",
            SecretAccessKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            AllowAnonymous = allowAnonymous,
            TimeProvider = new FakeTimeProvider(now),
        }));
}
