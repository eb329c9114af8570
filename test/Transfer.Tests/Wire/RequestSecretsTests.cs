using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

public sealed class RequestSecretsTests
{
    [Fact]
    public void Hide_RemovesOnlyTheSecretsOfTheRequest()
    {
        using HttpRequestMessage request = new(HttpMethod.Get, "http://host/k");
        request.Headers.TryAddWithoutValidation("Authorization", "AWS4-HMAC-SHA256 Credential=id/day/region/s3/aws4_request, SignedHeaders=host, Signature=5161");
        request.Headers.TryAddWithoutValidation("x-amz-security-token", "token==");
        request.Headers.TryAddWithoutValidation("x-amz-server-side-encryption-customer-key", "key=");

        Assert.Equal("of id: ... with ... and ..., again ...", RequestSecrets.Hide("of id: 5161 with token== and key=, again 5161", request));
        Assert.Equal("nothing to hide", RequestSecrets.Hide("nothing to hide", request));
        Assert.Equal("5161", RequestSecrets.Hide("5161", null));
    }

    [Fact]
    public void Hide_RequestWithoutSecrets_KeepsTheText()
    {
        using HttpRequestMessage request = new(HttpMethod.Get, "http://host/k");

        Assert.Equal("Signature=", RequestSecrets.Hide("Signature=", request));
    }
}
