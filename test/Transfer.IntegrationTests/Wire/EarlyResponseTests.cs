using System.Net;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>
/// Stores that respond to the headers of an upload, and close the connection while its body is being sent, as versitygw and <c>rclone serve s3</c> do.
/// </summary>
public sealed class EarlyResponseTests : WireTest
{
    /// <summary>More than the buffers of a socket, so that sending the body fails.</summary>
    private static readonly byte[] Body = new byte[48 << 20];

    [Theory]
    [InlineData(403, "SignatureDoesNotMatch")]
    [InlineData(404, "NoSuchBucket")]
    public async Task Rejection_DuringTheBody_IsTheErrorAndNotRetried(int status, string code)
    {
        await using ScriptedServer server = new(_ => Close(ScriptedAnswer.Error(status, code))) { AnswersBeforeBody = _ => true };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server));

        Assert.EachEqual((code, (HttpStatusCode)status, 1), (e.ErrorCode, e.StatusCode, e.Attempts));
        Assert.Single(server.Requests);
    }

    /// <summary>The connection was used before, so the handler already waits for its next byte.</summary>
    [Fact]
    public async Task Rejection_OnAConnectionThatIsReused_IsTheError()
    {
        await using ScriptedServer server = new(
            request => request.Method == "HEAD" ? ScriptedAnswer.Of("HTTP/1.1 404 No\r\nx-amz-request-id: R1\r\nContent-Length: 0") : Close(ScriptedAnswer.Error(403, "AccessDenied")))
        {
            AnswersBeforeBody = request => request.Method == "PUT",
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, new UploadOptions { Overwrite = false }));

        Assert.EachEqual(("AccessDenied", 1), (e.ErrorCode, server.Connections));
    }

    [Fact]
    public async Task Success_DuringTheBody_IsNotTrusted()
    {
        await using ScriptedServer server = new(_ => Close(ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Length: 0")))
        {
            AnswersBeforeBody = _ => true,
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server));

        Assert.Equal(3, e.Attempts);
    }

    [Fact]
    public async Task Connection_ClosedDuringTheBodyWithoutAResponse_IsRetried()
    {
        int bodies = 0;
        TinyStore store = new();
        await using ScriptedServer server = new(request => bodies < 2 && request.Method == "PUT" ? new ScriptedAnswer([], ThenClose: true) : store.Answer(request))
        {
            AnswersBeforeBody = request => request.Method == "PUT" && ++bodies < 2,
        };

        await UploadAsync(server);

        Assert.Equal(Body.Length, store.Content!.Length);
        Assert.Equal(2, bodies);
    }

    private static ScriptedAnswer Close(ScriptedAnswer answer) => answer with { ThenClose = true };

    private static async Task UploadAsync(ScriptedServer server, UploadOptions? options = null)
    {
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = TransferWire.Http, PayloadSigning = PayloadSigning.Always }, MaxAttempts = 3, MultipartThresholdBytes = 64 << 20 });
        await client.UploadAsync(new System.Buffers.ReadOnlySequence<byte>(Body), Bucket, Key, options).Within();
    }
}
