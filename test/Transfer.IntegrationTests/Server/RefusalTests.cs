using System.Text;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class RefusalTests : RawServerTest
{
    private static readonly byte[] Data = Sample.Bytes(1000);

    [Theory]
    [InlineData("x-amz-checksum-crc32", "AAAAAA==", "BadDigest")]
    [InlineData("x-amz-checksum-crc32c", "AAAAAA==", "BadDigest")]
    [InlineData("x-amz-checksum-crc64nvme", "AAAAAAAAAAA=", "BadDigest")]
    [InlineData("x-amz-checksum-crc32", "nonsense", "InvalidRequest")]
    [InlineData("x-amz-checksum-sha1", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "BadDigest")]
    [InlineData("x-amz-checksum-sha256", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "BadDigest")]
    [InlineData("x-amz-checksum-sha512", "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==", "BadDigest")]
    [InlineData("x-amz-checksum-md5", "1B2M2Y8AsgTpgAmY7PhCfg==", "BadDigest")]
    [InlineData("x-amz-checksum-xxhash64", "AAAAAAAAAAA=", "BadDigest")]
    [InlineData("x-amz-checksum-xxhash3", "AAAAAAAAAAA=", "BadDigest")]
    [InlineData("x-amz-checksum-xxhash128", "maoG0wFHmNhgAcMkRo1Jfw==", "BadDigest")]
    [InlineData("x-amz-checksum-xxhash128", "AAAAAAAAAAA=", "InvalidRequest")]
    [InlineData("x-amz-checksum-xxhash32", "AAAAAA==", "NotImplemented")]
    [InlineData("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==", "BadDigest")]
    [InlineData("Content-MD5", "AAAA", "InvalidDigest")]
    [InlineData("x-amz-sdk-checksum-algorithm", "CRC32", "InvalidRequest")]
    [InlineData("x-amz-trailer", "x-amz-checksum-crc32", "InvalidRequest")]
    [InlineData("x-amz-storage-class", "COLD", "InvalidStorageClass")]
    [InlineData("x-amz-acl", "public-read", "AccessControlListNotSupported")]
    [InlineData("x-amz-server-side-encryption", "aws:kms", "NotImplemented")]
    [InlineData("x-amz-server-side-encryption-customer-algorithm", "AES256", "InvalidArgument")]
    [InlineData("x-amz-object-lock-mode", "GOVERNANCE", "InvalidArgument")] // without its date
    [InlineData("If-None-Match", "\"x\"", "NotImplemented")]
    [InlineData("x-amz-tagging", "a=1&a=2", "InvalidTag")]
    [InlineData("x-amz-security-token", "x", "InvalidToken")]
    public async Task Put_UnsupportedHeader_StoresNothing(string header, string value, string code)
    {
        RawAnswer answer = await Raw.SendSignedAsync("PUT", "/bucket/k", Data, (header, value));

        Assert.Equal(code, answer.Code);
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k"), 404, "NoSuchKey");
    }

    [Fact]
    public async Task Put_TwoChecksums_IsInvalidRequest() =>
        Fails(
            await Raw.SendSignedAsync("PUT", "/bucket/k", Data, ("x-amz-checksum-crc32", "AAAAAA=="), ("x-amz-checksum-crc32c", "AAAAAA==")),
            400,
            "InvalidRequest");

    [Fact]
    public async Task Put_MetadataTooLarge_IsRejected() =>
        Fails(await Raw.SendSignedAsync("PUT", "/bucket/k", Data, ("x-amz-meta-a", new string('x', 2048))), 400, "MetadataTooLarge");

    [Fact]
    public async Task Put_UnknownLength_IsRejected()
    {
        HttpRequestMessage request = Raw.Signed("PUT", "/bucket/k", [], "UNSIGNED-PAYLOAD");
        request.Headers.TransferEncodingChunked = true;
        Fails(await Raw.SendAsync(request), 501, "NotImplemented");
    }

    [Theory]
    [InlineData("GET", "/bucket?acl", 501, "NotImplemented")]
    [InlineData("PUT", "/bucket?replication", 501, "NotImplemented")]
    [InlineData("PUT", "/bucket/k?acl", 501, "NotImplemented")]
    [InlineData("PATCH", "/bucket/k", 405, "MethodNotAllowed")]
    [InlineData("GET", "/no-such-bucket", 404, "NoSuchBucket")]
    [InlineData("GET", "/no-such-bucket/k", 404, "NoSuchBucket")]
    [InlineData("PUT", "/Bad_Name", 400, "InvalidBucketName")]
    [InlineData("GET", "/bucket/%ff", 400, "InvalidURI")]
    [InlineData("GET", "/bucket?list-type=2&max-keys=-1", 400, "InvalidArgument")]
    [InlineData("GET", "/bucket?list-type=2&continuation-token=x", 400, "InvalidArgument")]
    [InlineData("GET", "/bucket?encoding-type=hex", 400, "InvalidArgument")]
    [InlineData("GET", "/bucket/k?attributes", 400, "InvalidArgument")]
    public async Task Request_Invalid_ReturnsItsError(string method, string target, int status, string code) =>
        Fails(await Raw.SendSignedAsync(method, target), status, code);

    [Fact]
    public async Task Key_Of1025Bytes_IsTooLong()
    {
        await PutAsync("/bucket/" + string.Concat(Enumerable.Repeat("%C3%A9", 512)), Data);
        Fails(await Raw.SendSignedAsync("GET", "/bucket/" + new string('k', 1025)), 400, "KeyTooLongError");
    }

    [Fact]
    public async Task HeadError_HasNoBody()
    {
        RawAnswer answer = await Raw.SendSignedAsync("HEAD", "/bucket/missing");

        Assert.EachEqual((404, 0), (answer.Status, answer.Body.Length));
        Assert.NotNull(answer.Header("x-amz-request-id"));
        Assert.Equal("NoSuchKey", Server.Requests[^1].ErrorCode);
    }

    [Theory]
    [InlineData("<Delete><Object><Key>a</Key></Object></Delete>", false, "InvalidRequest")]
    [InlineData("<Delete>", true, "MalformedXML")]
    [InlineData("<!DOCTYPE d><Delete><Object><Key>a</Key></Object></Delete>", true, "MalformedXML")]
    [InlineData("<Delete></Delete>", true, "MalformedXML")]
    public async Task DeleteObjects_InvalidBody_IsRejected(string xml, bool withChecksum, string code)
    {
        byte[] body = Encoding.UTF8.GetBytes(xml);
        (string, string)[] headers = withChecksum ? [("x-amz-checksum-crc32", RunningChecksum.Compute(ChecksumAlgorithm.Crc32, body))] : [];

        Assert.Equal(code, (await Raw.SendSignedAsync("POST", "/bucket?delete", body, headers)).Code);
    }

    [Fact]
    public async Task Complete_BodyTooLarge_IsRejected() =>
        Fails(await Raw.SendSignedAsync("POST", "/bucket/k?uploadId=x", new byte[(8 << 20) + 1]), 400, "MaxMessageLengthExceeded");

    [Theory]
    [InlineData("x-amz-mp-object-size", "1001", "InvalidRequest")]
    [InlineData("x-amz-checksum-crc64nvme", "AAAAAAAAAAA=", "BadDigest")]
    [InlineData("x-amz-checksum-crc32", "AAAAAA==", "InvalidRequest")]
    [InlineData("x-amz-checksum-type", "COMPOSITE", "BadDigest")]
    public async Task Complete_WrongSizeOrChecksum_IsRejectedAndCanBeRetried(string header, string value, string code)
    {
        string uploadId = (await Raw.SendSignedAsync("POST", "/bucket/k?uploads")).Element("UploadId")!;
        await PutAsync($"/bucket/k?partNumber=1&uploadId={uploadId}", Data);
        byte[] body = Encoding.UTF8.GetBytes(
            $"<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>{Sample.ETag(Data)}</ETag></Part></CompleteMultipartUpload>");

        Assert.Equal(code, (await Raw.SendSignedAsync("POST", $"/bucket/k?uploadId={uploadId}", body, (header, value))).Code);

        RawAnswer done = await Raw.SendSignedAsync(
            "POST",
            $"/bucket/k?uploadId={uploadId}",
            body,
            ("x-amz-mp-object-size", "1000"),
            ("x-amz-checksum-type", "FULL_OBJECT"),
            ("x-amz-checksum-crc64nvme", RunningChecksum.Compute(ChecksumAlgorithm.Crc64Nvme, Data)));
        Assert.Equal(200, done.Status);
    }

    [Theory]
    [InlineData("SHA256", "FULL_OBJECT")]
    [InlineData("CRC64NVME", "COMPOSITE")]
    [InlineData("MD4", null)]
    [InlineData(null, "COMPOSITE")]
    public async Task Create_UnsupportedChecksum_IsRejected(string? algorithm, string? type)
    {
        (string, string)[] headers =
        [
            .. algorithm is null ? [] : new[] { ("x-amz-checksum-algorithm", algorithm) },
            .. type is null ? [] : new[] { ("x-amz-checksum-type", type) },
        ];

        Fails(await Raw.SendSignedAsync("POST", "/bucket/k?uploads", null, headers), 400, "InvalidRequest");
    }

    [Theory]
    [InlineData("SHA256", null)]
    [InlineData("CRC32", "x-amz-checksum-crc32c")]
    public async Task UploadPart_ChecksumDiffersFromTheDeclaredAlgorithm_IsRejected(string algorithm, string? header)
    {
        RawAnswer begun = await Raw.SendSignedAsync("POST", "/bucket/k?uploads", null, ("x-amz-checksum-algorithm", algorithm));
        (string, string)[] headers = header is null ? [] : [(header, "AAAAAA==")];

        Fails(
            await Raw.SendSignedAsync("PUT", $"/bucket/k?partNumber=1&uploadId={begun.Element("UploadId")}", Data, headers),
            400,
            "InvalidRequest");
    }

    [Theory]
    [InlineData("0")]
    [InlineData("10001")]
    [InlineData("x")]
    public async Task UploadPart_NumberOutOfRange_IsRejected(string number)
    {
        string uploadId = (await Raw.SendSignedAsync("POST", "/bucket/k?uploads")).Element("UploadId")!;

        Fails(await Raw.SendSignedAsync("PUT", $"/bucket/k?partNumber={number}&uploadId={uploadId}", Data), 400, "InvalidArgument");
    }

    [Theory]
    [InlineData("/bucket/k", 0, true)]
    [InlineData("/bucket/k", 1000, false)]
    [InlineData("/no-such-bucket/k", 1000, true)]
    public async Task ExpectContinue_NoContinueIsSent_ConnectionCloses(string path, int length, bool closes)
    {
        HttpRequestMessage request = Raw.Signed("PUT", path, Data[..length]);
        request.Headers.ExpectContinue = true;

        Assert.Equal(closes ? "close" : null, (await Raw.SendAsync(request)).Header("Connection"));
    }
}
