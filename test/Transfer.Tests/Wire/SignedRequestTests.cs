using System.Globalization;
using Amazon.Runtime;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>
/// The examples of the Amazon S3 API Reference, "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk".
/// </summary>
public class SignedRequestTests
{
    private static readonly StoreEndpoint Example = new("https://examplebucket.s3.amazonaws.com", "examplebucket.s3.amazonaws.com", "/", "us-east-1", KeepsBodiesWhole: true);
    private static readonly ImmutableCredentials Credentials = new("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", null);
    private static readonly DateTimeOffset Time = DateTimeOffset.Parse("2013-05-24T00:00:00Z", CultureInfo.InvariantCulture);

    [Fact]
    public void Build_Query_HasThePublishedSignature()
    {
        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("max-keys", "2");
        request.Query("prefix", "J");

        Assert.Equal("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7", Signature(request));
    }

    [Fact]
    public void Build_QueryWithoutValue_HasThePublishedSignature()
    {
        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("lifecycle", string.Empty);

        Assert.Equal("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543", Signature(request));
    }

    [Fact]
    public void Build_SignedRangeHeader_HasThePublishedSignature()
    {
        SignedRequest request = new(HttpMethod.Get, "test.txt");
        request.Amz("range", "bytes=0-9");

        Assert.Equal("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41", Signature(request));
    }

    /// <summary>Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters".</summary>
    [Fact]
    public void Presign_HasThePublishedSignature()
    {
        Uri url = new SignedRequest(HttpMethod.Get, "test.txt").Presign(Example, Credentials, new RequestSigner(), TimeSpan.FromDays(1), Time);

        Assert.Equal(
            "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
            url.OriginalString);
        Assert.Equal(url.OriginalString, url.AbsoluteUri);
    }

    [Fact]
    public void Presign_SessionTokenAndParameters_AreInOrder()
    {
        ImmutableCredentials temporary = new("key", "secret", "a/b+c");
        SignedRequest request = new(HttpMethod.Put, "key");
        request.Query("partNumber", "3");
        request.Query("uploadId", "a+/=");
        request.Amz("content-length", "5");

        string[] parameters = [.. request.Presign(Example, temporary, new RequestSigner(), TimeSpan.FromSeconds(90.5), Time).Query[1..].Split('&')];

        Assert.Equal(parameters[..^1].Order(StringComparer.Ordinal), parameters[..^1]);
        Assert.Superset(
            new HashSet<string> { "X-Amz-Expires=90", "X-Amz-Security-Token=a%2Fb%2Bc", "X-Amz-SignedHeaders=content-length%3Bhost", "partNumber=3", "uploadId=a%2B%2F%3D" }, parameters.ToHashSet());
    }

    [Theory]
    [InlineData("a/b", "/a/b")]
    [InlineData("a b+c&d=e?f#g", "/a%20b%2Bc%26d%3De%3Ff%23g")]
    [InlineData("a//b/../c/./d", "/a//b/../c/./d")]
    [InlineData("%2E/ünïcode~-._", "/%252E/%C3%BCn%C3%AFcode~-._")]
    public void Build_AnyKey_IsSentAsItIsSigned(string key, string path)
    {
        using HttpRequestMessage message = new SignedRequest(HttpMethod.Get, key).Build(Example, Credentials, new RequestSigner(), signsBody: false, Time);

        Assert.Equal("https://examplebucket.s3.amazonaws.com" + path, message.RequestUri!.OriginalString);
        Assert.Equal(path, message.RequestUri.PathAndQuery);
    }

    [Fact]
    public void Build_WithSessionToken_SignsIt()
    {
        ImmutableCredentials temporary = new("AKIAIOSFODNN7EXAMPLE", "secret", "token");
        using HttpRequestMessage message = new SignedRequest(HttpMethod.Get, "k").Build(Example, temporary, new RequestSigner(), signsBody: false, Time);

        Assert.Equal(["token"], message.Headers.GetValues("x-amz-security-token"));
        Assert.Contains("x-amz-date;x-amz-security-token", message.Headers.GetValues("Authorization").Single(), StringComparison.Ordinal);
    }

    [Fact]
    public void Build_WithoutCredentials_IsNotSigned()
    {
        using HttpRequestMessage message = new SignedRequest(HttpMethod.Get, "k").Build(Example, null, new RequestSigner(), signsBody: false, Time);

        Assert.False(message.Headers.Contains("Authorization"));
    }

    [Theory]
    [InlineData(false, "UNSIGNED-PAYLOAD")]
    [InlineData(true, "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e")]
    public void Build_Body_IsSignedIfRequiredAndCanUseExpectContinue(bool signs, string hash)
    {
        SignedRequest request = new(HttpMethod.Put, "k") { Body = new Transfer.S3.Buffers.SequenceBytes(new System.Buffers.ReadOnlySequence<byte>("Hello World"u8.ToArray())), ExpectContinue = signs };
        request.Amz("content-md5", "sQqNsWTgdUEFt6mb5y4/5Q==");
        using HttpRequestMessage message = request.Build(Example, Credentials, new RequestSigner(), signs, Time);

        Assert.Equal([hash], message.Headers.GetValues("x-amz-content-sha256"));
        Assert.Equal(signs ? true : null, message.Headers.ExpectContinue);
        Assert.Equal(["sQqNsWTgdUEFt6mb5y4/5Q=="], message.Content!.Headers.GetValues("Content-MD5"));
        Assert.Contains("SignedHeaders=content-md5;host;x-amz-content-sha256;x-amz-date,", message.Headers.GetValues("Authorization").Single(), StringComparison.Ordinal);
    }

    private static string Signature(SignedRequest request)
    {
        using HttpRequestMessage message = request.Build(Example, Credentials, new RequestSigner(), signsBody: false, Time);
        return message.Headers.GetValues("Authorization").Single().Split("Signature=")[1];
    }
}
