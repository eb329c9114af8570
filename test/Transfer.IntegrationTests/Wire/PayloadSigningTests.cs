using System.Security.Cryptography;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Which bodies are signed, and how a store is handled that rejects unsigned bodies.</summary>
public sealed class PayloadSigningTests : UploadTest
{
    private const string Unsigned = "UNSIGNED-PAYLOAD";

    [Theory]
    [InlineData(PayloadSigning.Auto, Unsigned)]
    [InlineData(PayloadSigning.Never, Unsigned)]
    [InlineData(PayloadSigning.Always, null)]
    public async Task Bodies_OnThisMachine_AreSignedAsConfigured(PayloadSigning signing, string? hash)
    {
        foreach (byte[] content in new[] { Small, Large })
        {
            TinyStore store = new();
            await using ScriptedServer server = new(store.Answer);

            await UploadAsync(server, content, configure: o => o.Advanced.PayloadSigning = signing);

            Assert.Equal(content, store.Content);
            Assert.All(
                server.Requests,
                request => Assert.Equal(request.Method == "PUT" && hash is not null ? hash : Convert.ToHexStringLower(SHA256.HashData(request.Body)), request.Header("x-amz-content-sha256")));
        }
    }

    [Fact]
    public async Task Always_OverTheSdk_SignsOverTlsToo()
    {
        using System.Security.Cryptography.X509Certificates.X509Certificate2 certificate = TestCertificate.Create();
        foreach (PayloadSigning signing in Enum.GetValues<PayloadSigning>())
        {
            TinyStore store = new();
            await using ScriptedServer server = new(store.Answer, certificate);
            using AmazonS3Client s3 = S3(server.Url, config => config.HttpClientFactory = new TrustingHttpClientFactory(certificate));
            await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = TransferWire.Sdk, PayloadSigning = signing } });

            await client.UploadAsync(new MemoryStream(Small), Bucket, Key).Within();

            string expected = signing == PayloadSigning.Always ? Convert.ToHexStringLower(SHA256.HashData(Small)) : Unsigned;
            Assert.Equal(expected, Assert.Single(server.Requests).Header("x-amz-content-sha256"));
        }
    }

    [Theory]
    [InlineData(403, "AccessDenied")]
    [InlineData(400, "XAmzContentSHA256Mismatch")]
    [InlineData(400, "InvalidArgument")]
    public async Task StoreRejectsUnsignedBodies_SignsThemAndRemembersIt(int status, string code)
    {
        TinyStore store = new() { Instead = request => request.Header("x-amz-content-sha256") == Unsigned ? ScriptedAnswer.Error(status, code) : null };
        await using ScriptedServer server = new(store.Answer);
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3);

        for (int i = 0; i < 3; i++)
        {
            UploadResult result = await client.UploadAsync(new MemoryStream(Small), Bucket, Key).Within();
            Assert.True(result.Verdict.IsVerified);
            Assert.Equal(ChecksumAlgorithm.Crc64Nvme, result.Verdict.Algorithm); // the checksum was not rejected
        }

        Assert.Equal(4, server.Requests.Count);
        Assert.Single(server.Requests, request => request.Header("x-amz-content-sha256") == Unsigned);
    }

    [Fact]
    public async Task StoreRejectsEverything_IsRetriedOnce()
    {
        TinyStore store = new() { Instead = _ => ScriptedAnswer.Error(403, "AccessDenied") };
        await using ScriptedServer server = new(store.Answer);
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3);

        foreach (int requests in new[] { 2, 3, 4 })
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(Small), Bucket, Key).Within());
            Assert.Equal("AccessDenied", e.ErrorCode);
            Assert.Equal(requests, server.Requests.Count);
        }
    }

    [Fact]
    public async Task StoreAcceptedAnUnsignedBody_IsNotRetried()
    {
        bool denies = false;
        TinyStore store = new() { Instead = _ => denies ? ScriptedAnswer.Error(403, "AccessDenied") : null };
        await using ScriptedServer server = new(store.Answer);
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3);
        await client.UploadAsync(new MemoryStream(Small), Bucket, Key).Within();

        denies = true;
        await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(Small), Bucket, Key).Within());

        Assert.Equal(2, server.Requests.Count);
    }

    [Fact]
    public async Task ExpectContinue_IsSentOnlyWithBodiesAndTheStoreGetsThem()
    {
        await using EmbeddedS3Server store = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        using AmazonS3Client s3 = S3(store.Endpoint.ToString());
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { ExpectContinue = true }, UploadPartSizeBytes = Part });

        UploadResult result = await client.UploadAsync(new MemoryStream(Large), Bucket, Key).Within();

        Assert.True(result.Verdict.IsVerified);
        Assert.Equal(3, result.Parts);
    }
}
