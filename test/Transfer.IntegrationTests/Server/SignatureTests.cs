using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class SignatureTests : RawServerTest
{
    [Theory]
    [InlineData("/bucket/a/../b")]
    [InlineData("/bucket/./a//b/.")]
    [InlineData("/bucket/%C3%A9%20%2B%25~")]
    [InlineData("/bucket/..")]
    public async Task Request_KeyWithDotsAndEscapes_IsKeptUnchanged(string path)
    {
        await PutAsync(path, [1, 2, 3]);

        RawAnswer answer = await Raw.SendSignedAsync("GET", path);

        Assert.Equal([1, 2, 3], answer.Body);
        Assert.Equal(Uri.UnescapeDataString(path["/bucket/".Length..]), Server.Requests[^1].Key);
    }

    [Fact]
    public async Task Request_EncodedDifferently_IsAccepted()
    {
        // The request is signed for %2E and ~, and sent with a plain dot and an escaped tilde. The canonical form is the same.
        HttpRequestMessage request = Raw.Signed("PUT", "/bucket/a.b~c", [1]);
        request.RequestUri = Raw.Plain("PUT", "/bucket/a%2Eb%7Ec").RequestUri;

        Assert.Equal(200, (await Raw.SendAsync(request)).Status);
        Assert.Equal("a.b~c", Server.Requests[^1].Key);
    }

    [Fact]
    public async Task Request_WithoutSignature_IsAccessDenied() =>
        Fails(await Raw.SendAsync(Raw.Plain("GET", "/bucket")), 403, "AccessDenied");

    [Fact]
    public async Task Request_WrongSecret_DoesNotMatch()
    {
        Raw.Secret = "wrong";
        RawAnswer answer = await Raw.SendSignedAsync("GET", "/bucket");

        Fails(answer, 403, "SignatureDoesNotMatch");
        Assert.StartsWith("GET\n/bucket\n", answer.Element("CanonicalRequest"), StringComparison.Ordinal);
        Assert.DoesNotContain(Server.SecretAccessKey, answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Request_WrongKeyOrRegion_ErrorNamesIt()
    {
        Raw.Region = "eu-west-1";
        RawAnswer region = await Raw.SendSignedAsync("GET", "/bucket");
        Fails(region, 400, "AuthorizationHeaderMalformed");
        Assert.Equal("us-east-1", region.Element("Region"));

        Raw.AccessKeyId = "unknown";
        Fails(await Raw.SendSignedAsync("GET", "/bucket"), 403, "InvalidAccessKeyId");
    }

    [Theory]
    [InlineData(-16)]
    [InlineData(16)]
    public async Task Request_ClockFarOff_IsTooSkewed(int minutes)
    {
        Raw.Now += TimeSpan.FromMinutes(minutes);
        RawAnswer answer = await Raw.SendSignedAsync("GET", "/bucket");

        Fails(answer, 403, "RequestTimeTooSkewed");
        Assert.Equal("900000", answer.Element("MaxAllowedSkewMilliseconds"));
        Assert.NotNull(answer.Element("ServerTime"));
        Assert.NotNull(answer.Header("Date"));
    }

    [Fact]
    public async Task Request_HeaderChangedAfterSigning_DoesNotMatch()
    {
        HttpRequestMessage request = Raw.Signed("GET", "/bucket/k", headers: ("x-amz-checksum-mode", "ENABLED"));
        request.Headers.Remove("x-amz-checksum-mode");
        request.Headers.Add("x-amz-checksum-mode", "enabled");
        Fails(await Raw.SendAsync(request), 403, "SignatureDoesNotMatch");

        request = Raw.Signed("GET", "/bucket/k");
        request.Headers.Add("x-amz-checksum-mode", "ENABLED");
        RawAnswer answer = await Raw.SendAsync(request);
        Fails(answer, 403, "AccessDenied");
        Assert.Equal("x-amz-checksum-mode", answer.Element("HeadersNotSigned"));
    }

    [Fact]
    public async Task Body_DiffersFromItsHash_IsRejectedAndStoresNothing()
    {
        string hash = new('0', 64);

        Fails(await Raw.SendAsync(Raw.Signed("PUT", "/bucket/k", [1], hash)), 400, "XAmzContentSHA256Mismatch");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k"), 404, "NoSuchKey");
        Assert.Equal(200, (await Raw.SendAsync(Raw.Signed("PUT", "/bucket/k", [1], "UNSIGNED-PAYLOAD"))).Status);
        Fails(await Raw.SendAsync(Raw.Signed("PUT", "/bucket/k", [1], "nonsense")), 400, "InvalidArgument");
    }

    [Fact]
    public async Task Presigned_GetAndPut_AreAcceptedUntilTheyExpire()
    {
        Assert.Equal(200, (await Raw.SendAsync(Raw.Plain("PUT", Raw.Presigned("PUT", "/bucket/a/../k", 60), [1, 2, 3]))).Status);

        HttpRequestMessage ranged = Raw.Plain("GET", Raw.Presigned("GET", "/bucket/a/../k", 60), null, ("Range", "bytes=1-1"));
        RawAnswer answer = await Raw.SendAsync(ranged);
        Assert.EachEqual((206, "2"), (answer.Status, string.Concat(answer.Body)));

        Fails(await Raw.SendAsync(Raw.Plain("PUT", Raw.Presigned("GET", "/bucket/k", 60), [1])), 403, "SignatureDoesNotMatch");
        Fails(await Raw.SendAsync(Raw.Plain("GET", Raw.Presigned("GET", "/bucket/k", 604_801))), 400, "AuthorizationQueryParametersError");
        Fails(await Raw.SendAsync(Raw.Plain("GET", Raw.Presigned("GET", "/bucket/k", -1))), 400, "AuthorizationQueryParametersError");
        Fails(await Raw.SendAsync(Raw.Plain("GET", Raw.Presigned("GET", "/bucket/k", 0))), 403, "AccessDenied"); // has expired
        Raw.Now -= TimeSpan.FromSeconds(120);
        RawAnswer expired = await Raw.SendAsync(Raw.Plain("GET", Raw.Presigned("GET", "/bucket/k", 60)));
        Fails(expired, 403, "AccessDenied");
        Assert.Equal("Request has expired", expired.Element("Message"));
    }

    [Fact]
    public async Task VirtualHost_Bucket_IsReadFromTheHost()
    {
        await PutAsync("/bucket/k", [7]);
        HttpRequestMessage request = Raw.Signed("GET", "/k", headers: ("Host", "bucket.localhost"));
        request.Headers.Host = "bucket.localhost";

        RawAnswer answer = await Raw.SendAsync(request);

        Assert.EachEqual((200, (byte)7), (answer.Status, answer.Body[0]));
    }
}
