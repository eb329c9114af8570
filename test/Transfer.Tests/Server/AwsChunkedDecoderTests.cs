using System.Buffers;
using System.Text;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Signing;

namespace Transfer.S3.Tests.Server;

public sealed class AwsChunkedDecoderTests
{
    private const string Scope = "20130524/us-east-1/s3/aws4_request";
    private const string Unsigned = "a\r\n0123456789\r\n3\r\nabc\r\n0\r\nx-amz-checksum-crc64nvme:Ffmx7kz9nB0=\r\n\r\n";

    // "Signature calculations for the Authorization header: transferring payload in multiple chunks" in the Amazon S3 API reference.
    private const string SignedSeed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
    private const string TrailerSeed = "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e";

    [Fact]
    public void TryRead_UnsignedSplitAnywhere_HasTheSamePayloadAndTrailer()
    {
        byte[] body = Encoding.ASCII.GetBytes(Unsigned);
        for (int cut = 0; cut <= body.Length; cut++)
        {
            var decoder = new AwsChunkedDecoder(chain: null, hasTrailer: true);

            Assert.Equal("0123456789abc", Encoding.ASCII.GetString(Decode(decoder, body, cut)));
            Assert.True(decoder.IsComplete);
            Assert.Equal([new("x-amz-checksum-crc64nvme", "Ffmx7kz9nB0=")], decoder.Trailers);
        }
    }

    [Fact]
    public void TryRead_UnsignedByteByByte_HasTheSamePayload()
    {
        var decoder = new AwsChunkedDecoder(chain: null, hasTrailer: true);

        Assert.Equal("0123456789abc", Encoding.ASCII.GetString(Decode(decoder, Encoding.ASCII.GetBytes(Unsigned), [.. Enumerable.Range(1, Unsigned.Length)])));
        Assert.True(decoder.IsComplete);
    }

    [Fact]
    public void TryRead_BodyIsTruncated_IsNotComplete()
    {
        byte[] body = Encoding.ASCII.GetBytes(Unsigned);
        for (int length = 0; length < body.Length; length++)
        {
            var decoder = new AwsChunkedDecoder(chain: null, hasTrailer: true);
            Decode(decoder, body[..length], 0);
            Assert.False(decoder.IsComplete);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(65536 + 90)]
    [InlineData(66700)]
    public void TryRead_SignedChunksWithKnownSignatures_IsAccepted(int cut)
    {
        using var chain = new ChunkSignatureChain(SignatureVerifierTests.Key(), "20130524T000000Z", Scope, SignedSeed);
        var decoder = new AwsChunkedDecoder(chain, hasTrailer: false);

        byte[] payload = Decode(decoder, SignedBody(), cut);

        Assert.True(decoder.IsComplete);
        Assert.Equal(66560, payload.Length);
        Assert.DoesNotContain(payload, static value => value != (byte)'a');
    }

    [Theory]
    [InlineData(95)]
    [InlineData(65536 + 100)]
    [InlineData(20)]
    public void TryRead_SignedChunkChanged_IsRejected(int index)
    {
        byte[] body = SignedBody();
        body[index] ^= 1;
        using var chain = new ChunkSignatureChain(SignatureVerifierTests.Key(), "20130524T000000Z", Scope, SignedSeed);
        var decoder = new AwsChunkedDecoder(chain, hasTrailer: false);

        Assert.Throws<S3Exception>(() => Decode(decoder, body, 0));
        Assert.False(decoder.IsComplete);
    }

    [Theory]
    [InlineData("x-amz-checksum-crc32c:sOO8/Q==\r\n")]
    [InlineData("x-amz-checksum-crc32c:sOO8/Q==\n\r\n")]
    public void TryRead_SignedTrailerWithKnownSignature_IsAccepted(string trailer)
    {
        byte[] body = TrailerBody(trailer, "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435");
        using var chain = new ChunkSignatureChain(SignatureVerifierTests.Key(), "20130524T000000Z", Scope, TrailerSeed);
        var decoder = new AwsChunkedDecoder(chain, hasTrailer: true);

        Assert.Equal(66560, Decode(decoder, body, 0).Length);
        Assert.True(decoder.IsComplete);
        Assert.Equal([new("x-amz-checksum-crc32c", "sOO8/Q==")], decoder.Trailers);
    }

    [Fact]
    public void TryRead_SignedTrailerChanged_IsRejected()
    {
        byte[] body = TrailerBody("x-amz-checksum-crc32c:sOO8/A==\r\n", "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435");
        using var chain = new ChunkSignatureChain(SignatureVerifierTests.Key(), "20130524T000000Z", Scope, TrailerSeed);

        S3Exception error = Assert.Throws<S3Exception>(() => Decode(new AwsChunkedDecoder(chain, hasTrailer: true), body, 0));

        Assert.Equal("SignatureDoesNotMatch", error.Code);
    }

    [Fact]
    public void TryRead_SignedTrailerWithoutSignature_IsNotComplete()
    {
        byte[] body = TrailerBody("x-amz-checksum-crc32c:sOO8/Q==\r\n", signature: null);
        using var chain = new ChunkSignatureChain(SignatureVerifierTests.Key(), "20130524T000000Z", Scope, TrailerSeed);
        var decoder = new AwsChunkedDecoder(chain, hasTrailer: true);

        Decode(decoder, body, 0);

        Assert.False(decoder.IsComplete);
    }

    [Theory]
    [InlineData("zz\r\n")]
    [InlineData("\r\n")]
    [InlineData("-1\r\n")]
    [InlineData("FFFFFFFFFFFFFFFF\r\n")]
    [InlineData("3\r\nabcdef\r\n")]
    [InlineData("0\r\n\r\nmore")]
    [InlineData("0\r\nno colon\r\n\r\n")]
    public void TryRead_Malformed_IsRejected(string body) =>
        Assert.Equal(
            "InvalidChunkSizeError",
            Assert.Throws<S3Exception>(() => Decode(new AwsChunkedDecoder(chain: null, hasTrailer: true), Encoding.ASCII.GetBytes(body), 0)).Code);

    [Fact]
    public void TryRead_EndlessLine_IsRejected() =>
        Assert.Throws<S3Exception>(() => Decode(new AwsChunkedDecoder(chain: null, hasTrailer: false), new byte[5000], 0));

    private static byte[] SignedBody() => Body(
        [
            "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
            "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
            "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
        ],
        "\r\n");

    private static byte[] TrailerBody(string trailer, string? signature) => Body(
        [
            "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
            "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
            "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992",
        ],
        trailer + (signature is null ? "\r\n" : $"x-amz-trailer-signature:{signature}\r\n\r\n"));

    private static byte[] Body(string[] signatures, string end)
    {
        var body = new StringBuilder();
        body.Append("10000;chunk-signature=").Append(signatures[0]).Append("\r\n").Append('a', 65536).Append("\r\n");
        body.Append("400;chunk-signature=").Append(signatures[1]).Append("\r\n").Append('a', 1024).Append("\r\n");
        body.Append("0;chunk-signature=").Append(signatures[2]).Append("\r\n").Append(end);
        return Encoding.ASCII.GetBytes(body.ToString());
    }

    /// <summary>Feeds the decoder like a pipe: at each cut, it gets all bytes that have arrived and were not yet consumed.</summary>
    private static byte[] Decode(AwsChunkedDecoder decoder, byte[] body, params int[] cuts)
    {
        var payload = new ArrayBufferWriter<byte>();
        int start = 0;
        foreach (int end in cuts.Append(body.Length))
        {
            var input = new ReadOnlySequence<byte>(body, start, Math.Max(end - start, 0));
            while (decoder.TryRead(ref input, out ReadOnlySequence<byte> run))
            {
                payload.Write(run.ToArray());
            }

            start = Math.Max(start, end) - (int)input.Length;
        }

        return payload.WrittenSpan.ToArray();
    }
}
