using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Credentials that expire during a transfer.</summary>
public class CredentialTests : WireTest
{
    private static readonly byte[] Content = Sample.Bytes(8 * 64 * 1024);

    [Fact]
    public async Task Token_ExpiresDuringSeveralRequests_IsRenewedOnceAndNothingFails()
    {
        const int underWay = 3;
        int arrived = 0;
        TaskCompletionSource all = new(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ScriptedServer server = new(async request =>
        {
            if (request.RangeStart is null)
            {
                return ScriptedAnswer.Error(404, "NoSuchKey");
            }

            if (request.Header("x-amz-security-token") == "token-1" && request.RangeStart > 0)
            {
                // The token expires only when all of these requests are in flight.
                if (Interlocked.Increment(ref arrived) == underWay)
                {
                    all.SetResult();
                }

                await all.Task;
                return ScriptedAnswer.Error(400, "ExpiredToken");
            }

            return ScriptedAnswer.Range(request, Content);
        });
        CountingCredentials credentials = new();
        using AmazonS3Client s3 = S3(server.Url, credentials: credentials);
        await using TransferClient client = Client(s3);

        Assert.Equal(Content, await ReadAsync(client));
        Assert.Equal(2, credentials.Made);
        Assert.Contains(server.Requests, request => request.Header("x-amz-security-token") == "token-2");
    }

    [Fact]
    public async Task Token_StillExpiredAfterRenewal_Throws()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Error(400, "ExpiredToken"));
        using AmazonS3Client s3 = S3(server.Url, credentials: new CountingCredentials());
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));

        Assert.EachEqual(("ExpiredToken", 2), (e.ErrorCode, server.Requests.Count));
    }

    [Fact]
    public async Task Token_CannotBeRenewed_IsRequestedOnce()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Error(400, "ExpiredToken"));
        using AmazonS3Client s3 = S3(server.Url, credentials: new SessionAWSCredentials("key", "secret", "token"));
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));

        Assert.EachEqual(("ExpiredToken", 1), (e.ErrorCode, server.Requests.Count));
    }

    [Fact]
    public async Task Provider_Fails_ErrorContainsItsMessage()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Error(400, "ExpiredToken"));
        using AmazonS3Client s3 = S3(server.Url, credentials: new CountingCredentials(last: 1));
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));

        Assert.Contains("no more tokens", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Provider_Hangs_CallerCanCancel(TransferWire wire)
    {
        HangingCredentials credentials = new();
        using AmazonS3Client s3 = S3("http://127.0.0.1:1", credentials: credentials);
        TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire } });
        using CancellationTokenSource cancel = new();
        Task download = client.DownloadAsync(Bucket, Key, Stream.Null, null, null, cancel.Token);
        Task upload = client.UploadAsync(new MemoryStream(Content), Bucket, Key, null, null, cancel.Token);
        Task list = client.DownloadDirectoryAsync(Bucket, "a/", "nowhere", null, null, cancel.Token);
        await Deadline.Until(() => credentials.Asked == 3);

        await cancel.CancelAsync();

        foreach (Task transfer in (Task[])[download, upload, list])
        {
            OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => transfer.Within());
            Assert.Equal(cancel.Token, e.CancellationToken);
        }

        await client.DisposeAsync().Within();
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Provider_Hangs_IsAStall(TransferWire wire)
    {
        FakeTimeProvider time = new(DateTimeOffset.UnixEpoch);
        HangingCredentials credentials = new();
        using AmazonS3Client s3 = S3("http://127.0.0.1:1", credentials: credentials);
        TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire, TimeProvider = time }, MaxAttempts = 1 });
        Task<ObjectReadStream> open = client.OpenReadAsync(Bucket, Key);
        await Deadline.Until(() => credentials.Asked == 1);

        time.Advance(TimeSpan.FromSeconds(30));

        Assert.Contains("30 s", (await Assert.ThrowsAsync<TransferException>(() => open.Within())).Message, StringComparison.Ordinal);
        await client.DisposeAsync().Within();
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Provider_Hangs_DisposingTheClientEndsTheWait(TransferWire wire)
    {
        HangingCredentials credentials = new();
        using AmazonS3Client s3 = S3("http://127.0.0.1:1", credentials: credentials);
        TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire } });
        Task download = client.DownloadAsync(Bucket, Key, Stream.Null);
        Task upload = client.UploadAsync(new MemoryStream(Content), Bucket, Key);
        await Deadline.Until(() => credentials.Asked == 2);

        await client.DisposeAsync().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => download.Within());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => upload.Within());
    }
}
