using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Stores that support fewer checksums than S3. Each client detects once what they accept.</summary>
[LongRunning]
public sealed class ChecksumNegotiationTests : UploadTest
{
    [Theory]
    [MemberData(nameof(WiresAndSizes))]
    public async Task Crc64Nvme_Rejected_Crc32CIsSent(TransferWire wire, bool isLarge)
    {
        byte[] content = isLarge ? Large : Small;
        TinyStore store = new() { Instead = request => Names(request, "crc64nvme") ? ScriptedAnswer.Error(400, "InvalidArgument") : null };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, content, wire: wire);

        Assert.Equal(content, store.Content);
        Assert.EachEqual((true, ChecksumAlgorithm.Crc32C), (result.Verdict.IsVerified, result.Verdict.Algorithm));
        Assert.False(store.HasOpenUpload);
    }

    [Theory]
    [MemberData(nameof(WiresAndSizes))]
    public async Task AllChecksums_Rejected_ContentMd5IsSentAndTheETagConfirmsIt(TransferWire wire, bool isLarge)
    {
        byte[] content = isLarge ? Large : Small;
        TinyStore store = new() { Instead = request => Names(request, "crc") ? ScriptedAnswer.Error(501, "NotImplemented") : null };
        await using ScriptedServer server = new(store.Answer);
        using AmazonS3Client s3 = S3(server.Url, config => config.RequestChecksumCalculation = Amazon.Runtime.RequestChecksumCalculation.WHEN_REQUIRED);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, UploadPartSizeBytes = Part, MultipartThresholdBytes = Part });

        UploadResult result = await client.UploadAsync(new MemoryStream(content), Bucket, Key).Within();

        Assert.Equal(content, store.Content);
        Assert.EachEqual((true, ChecksumAlgorithm.Md5), (result.Verdict.IsVerified, result.Verdict.Algorithm));
        Assert.All(server.Requests.Where(request => request.Method == "PUT" && !Names(request, "crc")), request => Assert.NotNull(request.Header("Content-MD5")));
    }

    /// <summary>The documented setting for stores that can't take the newer checksums. An algorithm in the options of the upload is sent all the same.</summary>
    [Theory]
    [InlineData(false, ChecksumAlgorithm.Auto)]
    [InlineData(true, ChecksumAlgorithm.Auto)]
    [InlineData(true, ChecksumAlgorithm.Crc32C)]
    public async Task OnlyRequiredChecksums_Configured_NoOtherHeaderIsSent(bool isLarge, ChecksumAlgorithm given)
    {
        byte[] content = isLarge ? Large : Small;
        TinyStore store = new();
        await using ScriptedServer server = new(store.Answer);
        using AmazonS3Client s3 = S3(server.Url, config => config.RequestChecksumCalculation = Amazon.Runtime.RequestChecksumCalculation.WHEN_REQUIRED);
        await using TransferClient client = new(s3, new TransferClientOptions { UploadPartSizeBytes = Part, MultipartThresholdBytes = Part });

        UploadResult result = await client.UploadAsync(new MemoryStream(content), Bucket, Key, new UploadOptions { Checksum = given }).Within();

        Assert.Equal(content, store.Content);
        Assert.True(result.Verdict.IsVerified);
        bool isGiven = given != ChecksumAlgorithm.Auto;
        Assert.Equal(isGiven ? given : ChecksumAlgorithm.Md5, result.Verdict.Algorithm);
        Assert.Equal(isGiven, server.Requests.Any(static request => request.Headers.Any(static header => header.Key.Contains("checksum", StringComparison.OrdinalIgnoreCase))));
    }

    [Fact]
    public async Task Rejection_IsRememberedByTheClient()
    {
        TinyStore store = new() { Instead = request => Names(request, "crc") ? ScriptedAnswer.Error(400, "InvalidArgument") : null };
        await using ScriptedServer server = new(store.Answer);
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { PayloadSigning = PayloadSigning.Never } });

        await client.UploadAsync(new MemoryStream(Small), Bucket, Key).Within();
        Assert.Equal(3, server.Requests.Count);
        await client.UploadAsync(new MemoryStream(Small), Bucket, Key).Within();
        Assert.Equal(4, server.Requests.Count);
    }

    [Fact]
    public async Task OnlyParts_Rejected_AreSentAgainWithAnotherChecksum()
    {
        TinyStore store = new() { Instead = request => TinyStore.IsPart(request) && Names(request, "crc64nvme") ? ScriptedAnswer.Error(400, "InvalidRequest") : null };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large);

        Assert.Equal(Large, store.Content);
        Assert.EachEqual((true, ChecksumAlgorithm.Crc32C), (result.Verdict.IsVerified, result.Verdict.Algorithm));
    }

    [Fact]
    public async Task OnlyComplete_Rejected_IsSentWithoutAChecksum()
    {
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) && Names(request, "crc") ? ScriptedAnswer.Error(501, "NotImplemented") : null };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large);

        Assert.Equal(Large, store.Content);
        Assert.False(result.Verdict.IsVerified);
        Assert.False(store.HasOpenUpload);
    }

    /// <summary>OpenStack Swift ignores the checksums of parts, and rejects a list of parts that contains them.</summary>
    [Theory]
    [InlineData(TransferWire.Http, ChecksumAlgorithm.Auto)]
    [InlineData(TransferWire.Http, ChecksumAlgorithm.Crc32C)]
    [InlineData(TransferWire.Http, ChecksumAlgorithm.Sha256)]
    [InlineData(TransferWire.Sdk, ChecksumAlgorithm.Auto)]
    [InlineData(TransferWire.Sdk, ChecksumAlgorithm.Crc32)]
    public async Task PartChecksums_NotReturned_AreLeftOutOfComplete(TransferWire wire, ChecksumAlgorithm checksum)
    {
        TinyStore store = new() { KnowsChecksums = false };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large, new UploadOptions { Checksum = checksum }, wire);

        Assert.Equal(Large, store.Content);
        Assert.False(result.Verdict.IsVerified);
        ScriptedRequest complete = Assert.Single(server.Requests, TinyStore.IsComplete);
        Assert.DoesNotContain(complete.Headers.Keys, name => name.StartsWith("x-amz-checksum", StringComparison.OrdinalIgnoreCase));
        Assert.False(store.HasOpenUpload);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task PartChecksums_NotReturnedButRequired_AreSentAfterAnError(TransferWire wire)
    {
        TinyStore store = new()
        {
            Instead = request => TinyStore.IsComplete(request) && !System.Text.Encoding.UTF8.GetString(request.Body).Contains("ChecksumCRC64NVME", StringComparison.Ordinal)
                ? ScriptedAnswer.Error(400, "InvalidPart")
                : null,
            Afterwards = (request, answer) => TinyStore.IsPart(request) ? ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"", string.Empty) : answer,
        };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Large, wire: wire);

        Assert.Equal(Large, store.Content);
        Assert.True(result.Verdict.IsVerified);
    }

    [Theory]
    [MemberData(nameof(WiresAndSizes))]
    public async Task AnotherError_FirstResponseIsTheErrorAndNothingIsRemembered(TransferWire wire, bool isLarge)
    {
        int answers = 0;
        bool refuses = true;
        TinyStore store = new();
        store.Instead = request => !refuses || request.Method is "DELETE" or "HEAD" ? null
            : ScriptedAnswer.Text("HTTP/1.1 400 No\r\nx-amz-request-id: R1", $"<Error><Code>InvalidArgument</Code><Message>{Interlocked.Increment(ref answers)}</Message></Error>");
        await using ScriptedServer server = new(store.Answer);
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, UploadPartSizeBytes = Part, MultipartThresholdBytes = Part });
        byte[] content = isLarge ? Large : Small;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(content), Bucket, Key).Within());

        Assert.Contains("InvalidArgument: 1", e.Message, StringComparison.Ordinal);
        refuses = false;
        UploadResult result = await client.UploadAsync(new MemoryStream(content), Bucket, Key).Within();
        Assert.EachEqual((true, ChecksumAlgorithm.Crc64Nvme), (result.Verdict.IsVerified, result.Verdict.Algorithm));
    }

    [Fact]
    public async Task ConfiguredChecksum_IsSentOrFails()
    {
        TinyStore store = new() { Instead = request => Names(request, "crc32c") ? ScriptedAnswer.Error(400, "InvalidArgument") : null };
        await using ScriptedServer server = new(store.Answer);

        await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Small, new UploadOptions { Checksum = ChecksumAlgorithm.Crc32C }));

        Assert.Null(store.Content);
    }

    [Theory]
    [MemberData(nameof(WiresAndSizes))]
    public async Task ContentMd5_OnRequest_IsVerifiedByTheETag(TransferWire wire, bool isLarge)
    {
        byte[] content = isLarge ? Large : Small;
        TinyStore store = new();
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, content, new UploadOptions { Checksum = ChecksumAlgorithm.ContentMd5 }, wire);

        Assert.EachEqual((true, ChecksumAlgorithm.Md5), (result.Verdict.IsVerified, result.Verdict.Algorithm));
    }

    [Fact]
    public async Task ContentMd5_ETagIsNotAnMd5_VerifiesNothing()
    {
        TinyStore store = new()
        {
            Afterwards = (request, answer) => request.Method != "PUT" ? answer
                : ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"0123456789abcdef0123456789abcdef\"", string.Empty),
        };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Small, new UploadOptions { Checksum = ChecksumAlgorithm.ContentMd5 });

        Assert.False(result.Verdict.IsVerified);
        Assert.Contains("ETag", result.Verdict.Reason, StringComparison.Ordinal);
    }

    /// <summary>An algorithm in the options is never replaced by another one.</summary>
    [Theory]
    [InlineData(ChecksumAlgorithm.XxHash128, false, TransferWire.Http)]
    [InlineData(ChecksumAlgorithm.XxHash128, true, TransferWire.Http)]
    [InlineData(ChecksumAlgorithm.Md5, false, TransferWire.Http)]
    [InlineData(ChecksumAlgorithm.Sha512, true, TransferWire.Sdk)]
    [InlineData(ChecksumAlgorithm.Sha256, false, TransferWire.Sdk)]
    public async Task Chosen_Rejected_ErrorNamesItAndWhatIsAccepted(ChecksumAlgorithm algorithm, bool isLarge, TransferWire wire)
    {
        string name = algorithm.ToString();
        TinyStore store = new() { Instead = request => Names(request, name) ? ScriptedAnswer.Error(400, "InvalidRequest") : null };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, isLarge ? Large : Small, new UploadOptions { Checksum = algorithm }, wire));

        Assert.Contains($"if the store doesn't support {name.ToLowerInvariant()} checksums, use Checksum Auto", e.Message, StringComparison.Ordinal);
        Assert.EachEqual(("InvalidRequest", (byte[]?)null, false), (e.ErrorCode, store.Content, store.HasOpenUpload));
        Assert.All(server.Requests, request => Assert.True(Names(request, name))); // the second of them signs its body
    }

    /// <summary>As MinIO and other stores do with algorithms that they don't know.</summary>
    [Theory]
    [MemberData(nameof(WiresAndSizes))]
    public async Task Chosen_Ignored_VerifiesNothing(TransferWire wire, bool isLarge)
    {
        byte[] content = isLarge ? Large : Small;
        TinyStore store = new();
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, content, new UploadOptions { Checksum = ChecksumAlgorithm.XxHash3 }, wire);

        Assert.Equal(content, store.Content);
        Assert.EachEqual((false, ChecksumAlgorithm.XxHash3), (result.Verdict.IsVerified, result.Verdict.Algorithm));
        Assert.Equal("the store did not confirm the checksum", result.Verdict.Reason);
    }

    private static bool Names(ScriptedRequest request, string algorithm)
        => request.Headers.Any(header => header.Key.StartsWith("x-amz-checksum-", StringComparison.OrdinalIgnoreCase)
            && (header.Key + header.Value).Contains(algorithm, StringComparison.OrdinalIgnoreCase));
}
