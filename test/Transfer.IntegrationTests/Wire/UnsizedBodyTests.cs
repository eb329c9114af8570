using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

#pragma warning disable CA5351 // ETags are MD5s

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Whole objects in responses without a Content-Length: in chunks, or until the connection is closed.</summary>
[LongRunning]
public sealed class UnsizedBodyTests : WireTest
{
    public static TheoryData<int, bool, bool> Bodies => new()
    {
        { 0, true, false },
        { 1000, true, false },
        { 1000, true, true },
        { 300_000, true, false },
        { 300_000, true, true },
        { 0, false, false },
        { 1000, false, false },
        { 1000, false, true },
        { 300_000, false, false },
        { 300_000, false, true },
    };

    /// <summary>A store that ignores ranges. If its HEAD responses have no length either, the chunks or the MD5 show where the object ends.</summary>
    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task LengthIsUnknown_IsReadCompletely(int length, bool chunked, bool headHasLength)
    {
        byte[] content = Sample.Bytes(length);
        await using ScriptedServer server = new(request => Answer(request, content, chunked, headHasLength ? length : null));

        Assert.Equal(content, await ReadAsync(server));

        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);
        Assert.Equal(length, (await client.GetInfoAsync(Bucket, Key).Within()).Length);
    }

    [Theory]
    [InlineData(TransferWire.Http, true)]
    [InlineData(TransferWire.Http, false)]
    [InlineData(TransferWire.Sdk, true)]
    [InlineData(TransferWire.Sdk, false)]
    public async Task LengthIsKnown_NoOtherRequestIsSent(TransferWire wire, bool chunked)
    {
        byte[] content = Sample.Bytes(1000);
        await using ScriptedServer server = new(request => Answer(request, content, chunked, null));

        Assert.Equal(content, await ReadAsync(server, wire, content.Length));
        Assert.Single(server.Requests);
    }

    /// <summary>A size of a listing that isn't that of the object anymore, larger or smaller.</summary>
    [Theory]
    [InlineData(true, 0)]
    [InlineData(true, 999)]
    [InlineData(true, 1001)]
    [InlineData(false, 0)]
    [InlineData(false, 999)]
    [InlineData(false, 1001)]
    public async Task LengthIsKnownAndWrong_Fails(bool chunked, int known)
    {
        byte[] content = Sample.Bytes(1000);
        await using ScriptedServer server = new(request => Answer(request, content, chunked, null));

        await Assert.ThrowsAnyAsync<TransferException>(() => ReadAsync(server, TransferWire.Http, known));
    }

    /// <summary>A connection that is closed early looks like the end of the object.</summary>
    [Theory]
    [InlineData(1000, true)]
    [InlineData(1000, false)]
    [InlineData(300_000, true)]
    [InlineData(300_000, false)]
    public async Task ClosedEarly_IsNotTheWholeObject(int length, bool headHasLength)
    {
        byte[] content = Sample.Bytes(length);
        await using ScriptedServer server = new(request => Answer(request, content[..(length / 2)], chunked: false, headHasLength ? length : null, content));

        TransferException e = await FailAsync(server);

        Assert.Contains(headHasLength ? "body ended" : "the length of the object can't be determined", e.Message, StringComparison.Ordinal);
    }

    private static ScriptedAnswer Answer(ScriptedRequest request, byte[] body, bool chunked, int? headLength, byte[]? content = null)
    {
        string head = $"HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"{Convert.ToHexStringLower(MD5.HashData(content ?? body))}\"";
        return request.Method == "HEAD" ? ScriptedAnswer.Of(headLength is { } length ? string.Create(CultureInfo.InvariantCulture, $"{head}\r\nContent-Length: {length}") : $"{head}\r\nTransfer-Encoding: chunked")
            : !chunked ? ScriptedAnswer.Of($"{head}\r\nConnection: close", body, thenClose: true)
            : ScriptedAnswer.Of(
                $"{head}\r\nTransfer-Encoding: chunked",
                [.. body.Chunk(10_000).SelectMany(piece => (byte[])[.. Encoding.ASCII.GetBytes($"{piece.Length:x}\r\n"), .. piece, .. "\r\n"u8]), .. "0\r\n\r\n"u8]);
    }

    private static async Task<byte[]> ReadAsync(ScriptedServer server, TransferWire wire, int known)
    {
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 2 });
        using MemoryStream target = new();
        await client.DownloadAsync(Bucket, Key, target, new DownloadOptions { Hint = new ObjectHint { Length = known } }).Within();
        return target.ToArray();
    }
}
