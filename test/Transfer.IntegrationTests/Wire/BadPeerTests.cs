using System.Globalization;
using System.IO.Compression;
using System.Text;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Servers with unusual or invalid responses. Valid data is read, and anything else is a clear error, but never wrong bytes.</summary>
public class BadPeerTests : WireTest
{
    private const int Part = 64 * 1024;
    private static readonly byte[] Content = Sample.Bytes((3 * Part) + 100);
    private static readonly byte[] Small = Sample.Bytes(1000);

    /// <summary>s3rver promises one byte of an empty object, and sends none.</summary>
    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task EmptyObject_ContentRangeHasAByte_IsRead(TransferWire wire)
    {
        await using ScriptedServer server = new(
            _ => ScriptedAnswer.Of("HTTP/1.1 206 Partial Content\r\nETag: \"d41d8cd98f00b204e9800998ecf8427e\"\r\nContent-Range: bytes 0-0/0\r\nContent-Length: 1"));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 1 });

        Assert.Empty(await ReadAsync(client));
    }

    [Theory]
    [InlineData("\r\nETag: \"not hex at all!\"")]
    [InlineData("\r\nETag: unquoted")]
    [InlineData("\r\nETag: W/\"weak\"")]
    [InlineData("\r\nETag: \"\"")]
    [InlineData("\r\nETag: \"ü€\"")]
    [InlineData("")]
    public async Task ETag_AnyFormat_IsAccepted(string header)
    {
        await using ScriptedServer server = new(request => ScriptedAnswer.Range(request, Content, header));

        Assert.Equal(Content, await ReadAsync(server));
    }

    [Fact]
    public async Task WeakETag_IsNotUsedInIfMatch()
    {
        await using ScriptedServer server = new(request => ScriptedAnswer.Range(request, Content, "\r\nETag: W/\"weak\""));

        await ReadAsync(server);

        Assert.DoesNotContain(server.Requests, request => request.Header("If-Match") is not null); // a weak ETag never matches (RFC 9110, section 13.1.1)
    }

    [Fact]
    public async Task ChunkedCoding_WithContentRange_IsRead()
    {
        await using ScriptedServer server = new(request => Chunked(request, Content));

        Assert.Equal(Content, await ReadAsync(server));
    }

    [Fact]
    public async Task ChunkedCoding_Truncated_ContinuesAfterTheLastByte()
    {
        int answers = 0;
        await using ScriptedServer server = new(request =>
        {
            ScriptedAnswer whole = Chunked(request, Small);
            return answers++ == 0 ? new ScriptedAnswer(whole.Bytes[..^500], ThenClose: true) : whole;
        });

        Assert.Equal(Small, await ReadAsync(server, attempts: 2));
        Assert.Contains(server.Requests, request => request.RangeStart > 0);
    }

    [Theory]
    [InlineData("HTTP/1.1 200 OK\r\nETag: \"e\"", "no valid Content-Length")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Length: 10\r\nContent-Range: bytes 9-0/100", "is invalid")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Length: 10\r\nContent-Range: bytes 0-9/5", "is invalid")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Length: 10\r\nContent-Range: bytes 0-9/*", "is invalid")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Length: 10\r\nContent-Range: bytes 5-14/100", "were requested")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Length: 10\r\nContent-Range: bytes 0-19/20", "its Content-Length is 10")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Length: 0\r\nContent-Range: bytes 0-19/20", "ended after 0 of 20 bytes")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Length: 10", "no Content-Range")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Length: 10\r\nContent-Type: multipart/byteranges; boundary=x", "no Content-Range")]
    [InlineData("HTTP/1.1 206 P\r\nETag: \"e\"\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\nContent-Range: bytes 0-9/20", "were requested")]
    [InlineData("HTTP/1.1 204 No Content\r\nETag: \"e\"", "status 204")]
    [InlineData("HTTP/1.1 202 Accepted\r\nETag: \"e\"\r\nContent-Length: 10", "status 202")]
    [InlineData("HTTP/1.1 304 Not Modified\r\nETag: \"e\"", "was not modified")]
    [InlineData("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Length: -1", "no valid Content-Length")]
    [InlineData("HTTP/1.1 2x0 OK\r\nContent-Length: 10", "is not valid HTTP")]
    [InlineData("HTTP/1.1 200 OK\r\nx-amz-meta-\u00e9: a\r\nContent-Length: 10", "is not valid HTTP")]
    [InlineData("nonsense", "is not valid HTTP")]
    public async Task InvalidResponse_ErrorSaysWhy(string head, string reason)
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of(head, "0123456789"u8.ToArray(), thenClose: true));

        TransferException e = await FailAsync(server);

        Assert.Contains(reason, e.Message, StringComparison.Ordinal);
        Assert.EachEqual((Bucket, Key), (e.Bucket, e.Key));
    }

    [Theory]
    [InlineData(200)]
    [InlineData(206)]
    public async Task ErrorWithASuccessStatus_IsThatError(int status)
    {
        await using ScriptedServer server = new(
            _ => ScriptedAnswer.Text($"HTTP/1.1 {status} OK\r\nContent-Type: application/xml\r\nx-amz-request-id: R1", "<Error><Code>InternalError</Code><Message>no</Message></Error>"));

        TransferException e = await FailAsync(server, attempts: 2);

        Assert.EachEqual(("InternalError", 2, "R1"), (e.ErrorCode, server.Requests.Count, e.RequestId));
    }

    /// <summary>A gateway that streams its response, without a Content-Length and with any type: in chunks, or until the connection is closed.</summary>
    [Theory]
    [InlineData(TransferWire.Http, "Transfer-Encoding: chunked")]
    [InlineData(TransferWire.Http, "Connection: close")]
    [InlineData(TransferWire.Http, "Content-Length: 67")]
    [InlineData(TransferWire.Sdk, "Transfer-Encoding: chunked")]
    [InlineData(TransferWire.Sdk, "Connection: close")]
    [InlineData(TransferWire.Sdk, "Content-Length: 67")]
    public async Task ErrorWithASuccessStatus_IsThatError_WhateverItsFraming(TransferWire wire, string framing)
    {
        byte[] body = "\n<Error><Code>InternalError</Code><Message>no, no</Message></Error>"u8.ToArray();
        Assert.Equal(67, body.Length);
        bool isChunked = framing.EndsWith("chunked", StringComparison.Ordinal);
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of(
            $"HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\n{framing}", isChunked ? [.. Chunk(body), .. "0\r\n\r\n"u8] : body, thenClose: framing.EndsWith("close", StringComparison.Ordinal)));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 2 });
        using TemporaryFolder folder = new();
        string target = folder.File("object");

        foreach (ObjectHint? hint in (ObjectHint?[])[null, new ObjectHint { Length = 67 }, new ObjectHint { Length = 20, ETag = "\"e\"" }])
        {
            int before = server.Requests.Count;
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(Bucket, Key, target, new DownloadOptions { Hint = hint }).Within());

            Assert.EachEqual(("InternalError", 2, "R1"), (e.ErrorCode, server.Requests.Count - before, e.RequestId));
            Assert.False(File.Exists(target));
        }

        if (wire == TransferWire.Http)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DeleteAsync(Bucket, Key).Within());
            Assert.Equal("InternalError", e.ErrorCode);
        }
    }

    [Fact]
    public async Task ObjectThatContainsErrorXml_IsDownloaded()
    {
        byte[] xml = Encoding.UTF8.GetBytes("<Error><Code>InternalError</Code></Error>");
        await using ScriptedServer server = new(request => ScriptedAnswer.Range(request, xml, "\r\nContent-Type: application/xml\r\nETag: \"e\""));

        Assert.Equal(xml, await ReadAsync(server));
    }

    [Theory]
    [InlineData(2 * Part)]
    [InlineData(4 * Part)]
    public async Task ObjectSizeChangesMeanwhile_ObjectChanged(int length)
    {
        byte[] other = Sample.Bytes(length);
        await using ScriptedServer server = new(request => ScriptedAnswer.Range(request, request.RangeStart == 0 ? Content : other, string.Empty));

        Assert.IsError(TransferError.ObjectChanged, await Record.ExceptionAsync(() => ReadAsync(server, attempts: 2)));
    }

    [Fact]
    public async Task ObjectEndsBeforeTheRange_ObjectChanged()
    {
        await using ScriptedServer server = new(
            request => request.RangeStart == 0 ? ScriptedAnswer.Range(request, Content) : ScriptedAnswer.Error(416, "InvalidRange", "<ActualObjectSize>5</ActualObjectSize>"));

        Assert.IsError(TransferError.ObjectChanged, await Record.ExceptionAsync(() => ReadAsync(server)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(17)]
    public async Task Connection_ClosedBeforeTheHeaders_IsRetried(int bytes)
    {
        int answers = 0;
        await using ScriptedServer server = new(request =>
        {
            ScriptedAnswer whole = ScriptedAnswer.Range(request, Small);
            return answers++ == 0 ? new ScriptedAnswer(whole.Bytes[..bytes], ThenClose: true) : whole;
        });

        Assert.Equal(Small, await ReadAsync(server, attempts: 2));
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("HTTP/1.1 2x0 OK\r\nContent-Length: 10")]
    [InlineData("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0")]
    public async Task InvalidResponseOfALoadBalancer_IsRetried(string head)
    {
        int answers = 0;
        await using ScriptedServer server = new(
            request => request.RangeStart == Part && answers++ == 0 ? ScriptedAnswer.Of(head, thenClose: true) : ScriptedAnswer.Range(request, Content));

        Assert.Equal(Content, await ReadAsync(server, attempts: 2));
    }

    [Fact]
    public async Task Connection_AlwaysClosed_ErrorNamesTheAttempts()
    {
        await using ScriptedServer server = new(_ => new ScriptedAnswer([], ThenClose: true));

        TransferException e = await FailAsync(server, attempts: 2);

        Assert.Equal(2, e.Attempts);
    }

    [Fact]
    public async Task InterimResponses_AreIgnored()
    {
        byte[] interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"u8.ToArray();
        await using ScriptedServer server = new(request => new ScriptedAnswer([.. interim, .. ScriptedAnswer.Range(request, Content).Bytes]));

        Assert.Equal(Content, await ReadAsync(server));
    }

    [Fact]
    public async Task BodyOfAnError_IsReadUpToALimit()
    {
        await using ScriptedServer server = new(
            _ => ScriptedAnswer.Text("HTTP/1.1 403 No\r\nx-amz-request-id: R1", "<Error><Code>AccessDenied</Code><Message>" + new string('x', 10_000_000) + "</Message></Error>"));

        TransferException e = await FailAsync(server);

        Assert.Equal("R1", e.RequestId);
        Assert.True(e.Message.Length < 1000, $"the message has {e.Message.Length} characters");
    }

    [Fact]
    public async Task BodyOfAnError_NeverEnds_HasATimeout()
    {
        await using ScriptedServer server = new(
            _ => ScriptedAnswer.Of("HTTP/1.1 403 No\r\nx-amz-request-id: R1\r\nContent-Length: 99999999999", new byte[200_000]));

        Assert.Equal("R1", (await FailAsync(server)).RequestId);
    }

    [Fact]
    public async Task Headers_TooLarge_Throws()
    {
        await using ScriptedServer server = new(request => ScriptedAnswer.Range(request, Small, "\r\nx-long: " + new string('x', 200_000)));

        TransferException e = await FailAsync(server);

        Assert.Contains("headers", e.Message, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task Headers_WithUnusualBytes_AreAccepted()
    {
        await using ScriptedServer server = new(request => ScriptedAnswer.Range(
            request, Small, "\r\nETag: \"e\"\r\nx-amz-meta-b: \u00ff\u0080\r\nx-amz-meta-a:\t odd\u0001 \r\nx-amz-meta-empty:\r\nLast-Modified: never\r\nContent-Type: ;;"));

        Assert.Equal(Small, await ReadAsync(server));
    }

    [Fact]
    public async Task ContentEncoding_OfTheStoredBytes_IsNotDecoded()
    {
        using MemoryStream packed = new();
        using (GZipStream zip = new(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            zip.Write(Content);
        }

        await using ScriptedServer server = new(request => ScriptedAnswer.Range(request, packed.ToArray(), "\r\nETag: \"e\"\r\nContent-Encoding: gzip"));

        Assert.Equal(packed.ToArray(), await ReadAsync(server));
        Assert.All(server.Requests, request => Assert.True(request.Header("User-Agent") is not null || request.Header("Accept-Encoding") == "identity"));
    }

    [Fact]
    public async Task Store_IgnoresRanges_IsReadInOneStream()
    {
        await using ScriptedServer server = new(
            _ => ScriptedAnswer.Of(string.Create(CultureInfo.InvariantCulture, $"HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: {Content.Length}"), Content));

        Assert.Equal(Content, await ReadAsync(server));
    }

    [Fact]
    public async Task Upload_ErrorWithASuccessStatus_Fails()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nContent-Type: application/xml", "<Error><Code>InternalError</Code></Error>"));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(Small), Bucket, Key).Within());

        Assert.Equal("InternalError", e.ErrorCode);
    }

    private static ScriptedAnswer Chunked(ScriptedRequest request, byte[] content)
    {
        int start = request.RangeStart ?? 0;
        int end = Math.Min(request.RangeEnd ?? int.MaxValue, content.Length - 1);
        byte[] bytes = content[start..(end + 1)];
        int half = bytes.Length / 2;
        return ScriptedAnswer.Of(
            $"HTTP/1.1 206 Partial Content\r\nETag: \"e\"\r\nTransfer-Encoding: chunked\r\nContent-Range: bytes {start}-{end}/{content.Length}",
            [.. Chunk(bytes[..half]), .. Chunk(bytes[half..]), .. "0\r\n\r\n"u8]);
    }

    private static byte[] Chunk(byte[] bytes) => [.. Encoding.ASCII.GetBytes($"{bytes.Length:x}\r\n"), .. bytes, .. "\r\n"u8];
}
