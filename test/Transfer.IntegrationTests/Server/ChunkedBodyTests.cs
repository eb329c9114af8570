using System.Text;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class ChunkedBodyTests : RawServerTest
{
    private const string Unsigned = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
    private const string SignedChunks = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
    private static readonly byte[] Data = Sample.Bytes(300_000);

    [Theory]
    [InlineData("crc64nvme", 300_000)]
    [InlineData("crc32", 65_536)]
    [InlineData("crc32c", 8192)]
    [InlineData("sha1", 100_000)]
    [InlineData("sha256", 299_999)]
    [InlineData("sha512", 65_536)]
    [InlineData("md5", 8192)]
    [InlineData("xxhash64", 8192)]
    [InlineData("xxhash3", 100_000)]
    [InlineData("xxhash128", 65_536)]
    public async Task UnsignedChunks_CorrectTrailer_AreStored(string algorithm, int chunkBytes)
    {
        string checksum = RunningChecksum.Compute(ChecksumInfo.FromApiName(algorithm)!.Algorithm, Data);

        RawAnswer answer = await SendUnsignedAsync($"x-amz-checksum-{algorithm}", checksum, chunkBytes);

        Assert.EachEqual((200, checksum), (answer.Status, answer.Header($"x-amz-checksum-{algorithm}")));
        RawAnswer get = await Raw.SendSignedAsync("GET", "/bucket/k", headers: ("x-amz-checksum-mode", "ENABLED"));
        Assert.Equal(Data, get.Body);
        Assert.Equal(checksum, get.Header($"x-amz-checksum-{algorithm}"));
        Assert.Equal("gzip", get.Header("Content-Encoding"));
    }

    [Fact]
    public async Task UnsignedChunks_WrongTrailer_IsBadDigest()
    {
        Fails(await SendUnsignedAsync("x-amz-checksum-crc32", "AAAAAA==", 65_536), 400, "BadDigest");
        Fails(await SendUnsignedAsync("x-amz-checksum-crc32", "AAAA", 65_536), 400, "InvalidRequest");
        Fails(await SendUnsignedAsync("x-amz-checksum-crc32", null, 65_536), 400, "MalformedTrailerError");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k"), 404, "NoSuchKey");
    }

    [Theory]
    [InlineData(299_999)]
    [InlineData(300_001)]
    public async Task UnsignedChunks_LengthDiffersFromTheHeader_IsIncomplete(int promised)
    {
        byte[] body = Framed(65_536, static _ => string.Empty, "x-amz-checksum-crc32:" + RunningChecksum.Compute(ChecksumAlgorithm.Crc32, Data) + "\r\n\r\n");
        HttpRequestMessage request = Raw.Signed(
            "PUT", "/bucket/k", body, Unsigned, ("x-amz-decoded-content-length", $"{promised}"), ("x-amz-trailer", "x-amz-checksum-crc32"));

        Fails(await Raw.SendAsync(request), 400, "IncompleteBody");
    }

    [Fact]
    public async Task SignedChunks_CorrectSignatures_AreStored()
    {
        Assert.Equal(200, (await SendSignedChunksAsync(static body => body)).Status);
        Assert.Equal(Data, (await Raw.SendSignedAsync("GET", "/bucket/k")).Body);
    }

    [Fact]
    public async Task SignedChunks_ByteChanged_AreRejected()
    {
        Fails(await SendSignedChunksAsync(static body => Changed(body, 150_000)), 403, "SignatureDoesNotMatch");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k"), 404, "NoSuchKey");
    }

    [Fact]
    public async Task SignedTrailer_CorrectAndWrong_AreDistinguished()
    {
        string checksum = RunningChecksum.Compute(ChecksumAlgorithm.Crc64Nvme, Data);
        Assert.Equal(200, (await SendSignedTrailerAsync(checksum, checksum)).Status);
        Fails(await SendSignedTrailerAsync(checksum, "AAAAAAAAAAA="), 403, "SignatureDoesNotMatch");
        Fails(await SendSignedTrailerAsync("AAAAAAAAAAA=", "AAAAAAAAAAA="), 400, "BadDigest");
    }

    [Fact]
    public async Task Chunks_NoDecodedLength_AreRejected()
    {
        byte[] body = Encoding.ASCII.GetBytes("0\r\n\r\n");
        Fails(await Raw.SendAsync(Raw.Signed("PUT", "/bucket/k", body, Unsigned)), 411, "MissingContentLength");
    }

    private static byte[] Changed(byte[] body, int index)
    {
        body[index] ^= 1;
        return body;
    }

    private static byte[] Framed(int chunkBytes, Func<byte[], string> extension, string end)
    {
        var body = new MemoryStream();
        foreach (byte[] chunk in Data.Chunk(chunkBytes).Append([]))
        {
            body.Write(Encoding.ASCII.GetBytes($"{chunk.Length:x}{extension(chunk)}\r\n"));
            body.Write(chunk);
            body.Write(chunk.Length == 0 ? [] : "\r\n"u8);
        }

        body.Write(Encoding.ASCII.GetBytes(end));
        return body.ToArray();
    }

    private Task<RawAnswer> SendUnsignedAsync(string trailer, string? value, int chunkBytes)
    {
        byte[] body = Framed(chunkBytes, static _ => string.Empty, value is null ? "\r\n" : $"{trailer}:{value}\r\n\r\n");
        return Raw.SendAsync(Raw.Signed(
            "PUT",
            "/bucket/k",
            body,
            Unsigned,
            ("x-amz-decoded-content-length", $"{Data.Length}"),
            ("x-amz-trailer", trailer),
            ("Content-Encoding", "aws-chunked,gzip")));
    }

    private Task<RawAnswer> SendSignedChunksAsync(Func<byte[], byte[]> change)
    {
        HttpRequestMessage request = Raw.Signed("PUT", "/bucket/k", [], SignedChunks, ("x-amz-decoded-content-length", $"{Data.Length}"));
        string previous = RawClient.SignatureOf(request);
        byte[] body = Framed(65_536, chunk => $";chunk-signature={previous = Raw.ChunkSignature(previous, chunk)}", "\r\n");
        request.Content = new ByteArrayContent(change(body));
        return Raw.SendAsync(request);
    }

    private Task<RawAnswer> SendSignedTrailerAsync(string signedChecksum, string sentChecksum)
    {
        HttpRequestMessage request = Raw.Signed(
            "PUT",
            "/bucket/k",
            [],
            SignedChunks + "-TRAILER",
            ("x-amz-decoded-content-length", $"{Data.Length}"),
            ("x-amz-trailer", "x-amz-checksum-crc64nvme"));
        string previous = RawClient.SignatureOf(request);
        byte[] body = Framed(100_000, chunk => $";chunk-signature={previous = Raw.ChunkSignature(previous, chunk)}", string.Empty);
        string signature = Raw.TrailerSignature(previous, $"x-amz-checksum-crc64nvme:{signedChecksum}\n");
        string trailer = $"x-amz-checksum-crc64nvme:{sentChecksum}\r\nx-amz-trailer-signature:{signature}\r\n\r\n";
        request.Content = new ByteArrayContent([.. body, .. Encoding.ASCII.GetBytes(trailer)]);
        return Raw.SendAsync(request);
    }
}
