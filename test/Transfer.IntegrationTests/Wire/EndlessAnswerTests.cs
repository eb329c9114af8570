using System.Text;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Endless responses fail after a limited number of bytes, whichever element of the response doesn't end.</summary>
public class EndlessAnswerTests : WireTest
{
    /// <summary>The bytes that sockets on both sides may buffer, and that a connection reads of an unneeded rest before it is closed.</summary>
    private const long Slack = 24L << 20;

    private const long MiB = 1 << 20;

    private static readonly byte[] Blanks = Encoding.ASCII.GetBytes(new string(' ', 16 * 1024));

    private static readonly byte[] Headers = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("x-amz-meta-name: value\r\n", 500)));

    private static readonly byte[] Elements = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("<Code>InternalError</Code>", 500)));

    private static readonly byte[] Entries = Encoding.ASCII.GetBytes(
        string.Concat(Enumerable.Repeat("<Contents><Key>k</Key><Size>1</Size></Contents>", 500)));

    [Fact]
    public async Task Headers_Endless_AreRejected()
    {
        await using ScriptedServer server = new(_ => new ScriptedAnswer("HTTP/1.1 206 Partial Content\r\n"u8.ToArray()) { Endlessly = Headers });

        TransferException e = await FailAsync(server);

        Assert.Contains("larger than any S3 response", e.Message, StringComparison.Ordinal);
        Assert.InRange(server.EndlessBytes, 0, Slack);
    }

    [Fact]
    public async Task InterimResponses_Endless_AreRejected()
    {
        await using ScriptedServer server = new(_ => new ScriptedAnswer([]) { Endlessly = "HTTP/1.1 103 Early Hints\r\n\r\n"u8.ToArray() });

        TransferException e = await FailAsync(server);

        Assert.Contains("larger than any S3 response", e.Message, StringComparison.Ordinal);
        Assert.InRange(server.EndlessBytes, 0, Slack);
    }

    [Fact]
    public async Task ErrorBody_Endless_IsReadUpToALimit()
    {
        await using ScriptedServer server = new(_ => Chunks("HTTP/1.1 403 No\r\nx-amz-request-id: R1", "<Error>", Elements));

        TransferException e = await FailAsync(server);

        Assert.Equal("R1", e.RequestId);
        Assert.True(e.Message.Length < 1000, $"the message has {e.Message.Length} characters");
        Assert.InRange(server.EndlessBytes, 0, Slack);
    }

    [Fact]
    public async Task ErrorBody_EndlessWhitespace_IsReadUpToALimit()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of("HTTP/1.1 500 No\r\nx-amz-request-id: R1") with { Endlessly = Blanks });

        Assert.Equal("R1", (await FailAsync(server)).RequestId);
        Assert.InRange(server.EndlessBytes, 0, Slack);
    }

    [Theory]
    [InlineData("<InitiateMultipartUploadResult>")]
    [InlineData("")]
    public async Task XmlResponse_Endless_IsReadUpToALimit(string beginning)
    {
        await using ScriptedServer server = new(request => request.Method == "POST"
            ? Chunks("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", beginning, beginning.Length > 0 ? Elements : Blanks)
            : ScriptedAnswer.Of("HTTP/1.1 204 No Content"));

        TransferException e = await UploadFailsAsync(server);

        Assert.Contains("larger than any S3 response", e.Message, StringComparison.Ordinal);
        Assert.InRange(server.EndlessBytes, MiB - 64 * 1024, MiB + Slack);
    }

    /// <summary>A response ends with its document, so what follows it is neither read nor waited for.</summary>
    [Fact]
    public async Task Trailers_Endless_AreNotRead()
    {
        const string xml = "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>";
        byte[] body = [.. Encoding.ASCII.GetBytes($"{xml.Length:x}\r\n{xml}\r\n0\r\n")];
        await using ScriptedServer server = new(request => request.Method == "POST"
            ? ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", body) with { Endlessly = Headers }
            : ScriptedAnswer.Of("HTTP/1.1 204 No Content"));

        await UploadFailsAsync(server); // its parts get no response of a store

        Assert.InRange(server.EndlessBytes, 0, Slack);
    }

    [Fact]
    public async Task ChunkExtensions_Endless_AreRejected()
    {
        await using ScriptedServer server = new(request => request.Method == "POST"
            ? ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", "5;"u8.ToArray()) with { Endlessly = Blanks }
            : ScriptedAnswer.Of("HTTP/1.1 204 No Content"));

        await UploadFailsAsync(server);

        Assert.InRange(server.EndlessBytes, 0, Slack);
    }

    [Theory]
    [InlineData("<ListBucketResult>", true)]
    [InlineData("<ListBucketResult><Contents><Key>", false)]
    [InlineData("<ListBucketResult a='", false)]
    [InlineData("<", false)]
    [InlineData("", false)]
    public async Task Listing_Endless_IsReadUpToALimit(string beginning, bool ofEntries)
    {
        byte[] more = ofEntries ? Entries : beginning.Length == 0 ? Blanks : Encoding.ASCII.GetBytes(new string('k', 16 * 1024));
        await using ScriptedServer server = new(_ => Chunks("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", beginning, more));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);
        string folder = Path.Combine(Path.GetTempPath(), $"transfer-test-{Guid.NewGuid():N}");

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadDirectoryAsync(Bucket, "p/", folder).Within());

        Assert.Contains("the listing failed", e.Message, StringComparison.Ordinal);
        Assert.InRange(server.EndlessBytes, 0, (16 * MiB) + Slack);
        Assert.False(Directory.Exists(folder));
    }

    [Fact]
    public async Task Attributes_Endless_DownloadIsUnverified()
    {
        byte[] content = Sample.Bytes(100_000);
        await using ScriptedServer server = new(request => request.Target.Contains("attributes", StringComparison.Ordinal)
            ? Chunks("HTTP/1.1 200 OK", "<GetObjectAttributesResponse>", Elements)
            : request.RangeStart is null ? ScriptedAnswer.Error(404, "NoSuchKey") : ScriptedAnswer.Range(request, content));

        Assert.Equal(content, await ReadAsync(server));
        Assert.InRange(server.EndlessBytes, 0, MiB + Slack);
    }

    private static ScriptedAnswer Chunks(string head, string beginning, byte[] more)
    {
        string first = beginning.Length == 0 ? string.Empty : $"{beginning.Length:x}\r\n{beginning}\r\n";
        return ScriptedAnswer.Of(head + "\r\nTransfer-Encoding: chunked", Encoding.ASCII.GetBytes(first)) with
        {
            Endlessly = [.. Encoding.ASCII.GetBytes($"{more.Length:x}\r\n"), .. more, .. "\r\n"u8],
        };
    }

    /// <summary>Starts a multipart upload, which fails.</summary>
    private static async Task<TransferException> UploadFailsAsync(ScriptedServer server)
    {
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = TransferWire.Http }, MaxAttempts = 1, MultipartThresholdBytes = 0 });
        return await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(Sample.Bytes(6 << 20)), Bucket, Key).Within());
    }
}
