using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Uploads to a presigned URL that is bound to the length and the checksum of what is uploaded.</summary>
public sealed class PresignedUploadTests : RawServerTest
{
    private const string Header = "x-amz-checksum-crc32c";
    private static readonly byte[] Data = Sample.Bytes(5000);
    private static readonly string Checksum = RunningChecksum.Compute(ChecksumAlgorithm.Crc32C, Data);

    [Fact]
    public async Task Url_WithASignedLengthAndChecksum_TakesOnlyThat()
    {
        string url = Raw.Presigned("PUT", "/bucket/k", 60, ("content-length", "5000"), (Header, Checksum));
        byte[] other = [.. Data];
        other[0]++;

        Fails(await SendAsync(url, Data), 403, "SignatureDoesNotMatch"); // without the checksum
        Fails(await SendAsync(url, Data, (Header, "AAAAAA==")), 403, "SignatureDoesNotMatch");
        Fails(await SendAsync(url, Data[..4999], (Header, Checksum)), 403, "SignatureDoesNotMatch");
        Fails(await SendAsync(url, other, (Header, Checksum)), 400, "BadDigest");
        Fails(await SendAsync(url, Data, (Header, Checksum), ("x-amz-meta-a", "b")), 403, "AccessDenied"); // not signed
        HttpRequestMessage chunked = Raw.Plain("PUT", url, Data, (Header, Checksum));
        chunked.Headers.TransferEncodingChunked = true;
        Fails(await Raw.SendAsync(chunked), 403, "SignatureDoesNotMatch");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k"), 404, "NoSuchKey");

        RawAnswer stored = await SendAsync(url, Data, (Header, Checksum));
        Assert.EachEqual((200, Checksum), (stored.Status, stored.Header(Header)));
    }

    [Fact]
    public async Task Url_OfAPart_TakesOnlyThatPart()
    {
        string uploadId = (await Raw.SendSignedAsync("POST", "/bucket/k?uploads", null, ("x-amz-checksum-algorithm", "CRC32C"), ("x-amz-checksum-type", "FULL_OBJECT"))).Element("UploadId")!;
        string url = Raw.PresignedQuery("PUT", "/bucket/k", 60, [("partNumber", "1"), ("uploadId", uploadId)], ("content-length", "5000"), (Header, Checksum));

        Fails(await SendAsync(url.Replace("partNumber=1", "partNumber=2", StringComparison.Ordinal), Data, (Header, Checksum)), 403, "SignatureDoesNotMatch");
        Fails(await SendAsync(url, Data[1..], (Header, Checksum)), 403, "SignatureDoesNotMatch");
        Assert.Equal(200, (await SendAsync(url, Data, (Header, Checksum))).Status);
    }

    /// <summary>Some SDKs sign a checksum as a parameter of the URL. S3 ignores it there (aws/aws-sdk-js-v3#4448), so that such a URL isn't bound to anything.</summary>
    [Fact]
    public async Task Url_WithTheChecksumInItsQuery_TakesAnything()
    {
        string url = Raw.PresignedQuery("PUT", "/bucket/k", 60, [(Header, Checksum)]);

        RawAnswer stored = await SendAsync(url, Data[1..]);

        Assert.Equal(200, stored.Status);
        Assert.Null(stored.Header(Header));
    }

    private Task<RawAnswer> SendAsync(string url, byte[] body, params (string, string)[] headers) => Raw.SendAsync(Raw.Plain("PUT", url, body, headers));
}
