using System.Diagnostics;
using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Each fault as a client sees it that sends raw requests.</summary>
public sealed class FaultTests : RawServerTest
{
    private const string Path = "/bucket/k";
    private const int Large = 8 << 20; // more than the buffers between server and client, so that a reset can't lose everything
    private static readonly byte[] Data = Sample.Bytes(1000);

    [Theory]
    [InlineData(ServerFault.SlowDown, 503, "SlowDown", null)]
    [InlineData(ServerFault.SlowDownRetryAfter, 503, "SlowDown", "1")]
    [InlineData(ServerFault.InternalError, 500, "InternalError", null)]
    [InlineData(ServerFault.TooManyRequests, 429, "TooManyRequests", null)]
    [InlineData(ServerFault.ExpireToken, 400, "ExpiredToken", null)]
    public async Task Rejections_ReturnTheirErrorAndDoNothing(ServerFault fault, int status, string code, string? retryAfter)
    {
        Strike(fault);

        RawAnswer answer = await Raw.SendSignedAsync("PUT", Path, Data);

        Fails(answer, status, code);
        Assert.Equal(retryAfter, answer.Header("Retry-After"));
        Assert.Equal(1, Server.Statistics.FaultCount(fault));
        Fails(await Raw.SendSignedAsync("GET", Path), 404, "NoSuchKey");
    }

    [Fact]
    public async Task SkewClock_AcceptsOnlyRequestsSignedWithTheTimeOfTheServer()
    {
        await PutAsync(Path, Data);
        Strike(ServerFault.SkewClock);

        RawAnswer refused = await Raw.SendSignedAsync("GET", Path);
        Fails(refused, 403, "RequestTimeTooSkewed");
        Fails(await Raw.SendSignedAsync("GET", Path), 403, "RequestTimeTooSkewed");
        DateTimeOffset told = DateTimeOffset.Parse(refused.Element("ServerTime")!, CultureInfo.InvariantCulture);
        Assert.InRange((told - DateTimeOffset.Parse(refused.Header("Date")!, CultureInfo.InvariantCulture)).TotalSeconds, -2, 2);
        DateTimeOffset wrong = Raw.Now;
        Raw.Now = told;
        Assert.Equal(200, (await Raw.SendSignedAsync("GET", Path)).Status);

        Server.SetFaults(null);
        Fails(await Raw.SendSignedAsync("GET", Path), 403, "RequestTimeTooSkewed");
        Raw.Now = wrong;
        Assert.Equal(200, (await Raw.SendSignedAsync("GET", Path)).Status);
    }

    [Fact]
    public async Task RefuseConnection_ClosesTheGivenNumberOfConnections()
    {
        Strike(ServerFault.RefuseConnection, times: 2);

        for (int refused = 0; refused < 2; refused++)
        {
            // HttpClient passes on the socket exception if it detects the closed connection before it sends.
            Exception e = await Assert.ThrowsAnyAsync<Exception>(() => Raw.SendSignedAsync("GET", Path));
            Assert.True(e is HttpRequestException or SocketException && e.GetBaseException() is SocketException, $"{e}");
        }

        Assert.Equal(404, (await Raw.SendSignedAsync("GET", Path)).Status);
        Assert.Equal(2, Server.Statistics.FaultCount(ServerFault.RefuseConnection));
        Assert.Equal(1, Server.Statistics.TotalRequests);
    }

    [Fact]
    public async Task SetFaults_RuleForConnections_ClosesThoseThatAreOpen()
    {
        await PutAsync(Path, Data);
        Assert.Equal(1, Server.Statistics.OpenConnections);

        Strike(ServerFault.SlowDown);
        Assert.Equal(503, (await Raw.SendSignedAsync("GET", Path)).Status);
        Assert.Equal(1, Server.Statistics.AcceptedConnections); // a rule for requests closes nothing

        Strike(ServerFault.RefuseConnection);
        await Deadline.Until(() => Server.Statistics.OpenConnections == 0);
        await Assert.ThrowsAnyAsync<Exception>(() => Raw.SendSignedAsync("GET", Path));
        Assert.Equal(1, Server.Statistics.FaultCount(ServerFault.RefuseConnection));
    }

    [Fact]
    public async Task FailHandshake_SendsAnAlertAndServesTheNextConnection()
    {
        using X509Certificate2 certificate = TestCertificate.Create();
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions
        {
            Certificate = certificate,
            Faults = new FaultPlan { Rules = [new FaultRule(ServerFault.FailHandshake)] },
        }).Within();

        await Assert.ThrowsAsync<AuthenticationException>(HandshakeAsync);
        await HandshakeAsync();

        Assert.Equal(1, server.Statistics.FaultCount(ServerFault.FailHandshake));

        async Task HandshakeAsync()
        {
            using TcpClient client = new();
            await client.ConnectAsync("127.0.0.1", server.Endpoint.Port).Within();
#pragma warning disable CA5359 // the issuer of the certificate doesn't matter here
            await using SslStream tls = new(client.GetStream(), leaveInnerStreamOpen: false, static (_, _, _, _) => true);
#pragma warning restore CA5359
            await tls.AuthenticateAsClientAsync("localhost").Within();
        }
    }

    [Fact]
    public async Task ResetBeforeHeaders_DoesNothing()
    {
        Strike(ServerFault.ResetBeforeHeaders);

        Assert.True(IsReset(await BreaksAsync(() => Raw.SendSignedAsync("PUT", Path, Data))));
        Fails(await Raw.SendSignedAsync("GET", Path), 404, "NoSuchKey");
        Assert.Equal([0, 404], Server.Requests.Select(static request => request.StatusCode));
    }

    [Fact]
    public async Task ResetInBody_ResetsAfterTheStartOfTheResponse()
    {
        await PutAsync(Path, Sample.Bytes(Large));
        Strike(ServerFault.ResetInBody);

        (long read, Exception e) = await ReadUntilBrokenAsync();

        Assert.InRange(read, 1, Large / 2);
        Assert.True(IsReset(e), e.ToString());
    }

    [Fact]
    public async Task TruncateBody_SendsHalfAndClosesTheConnection()
    {
        await PutAsync(Path, Data);
        Strike(ServerFault.TruncateBody);

        (long read, Exception e) = await ReadUntilBrokenAsync();

        Assert.Equal(Data.Length / 2, read);
        Assert.Equal(HttpRequestError.ResponseEnded, Assert.IsType<HttpIOException>(e).HttpRequestError);
        Assert.Equal(200, (await Raw.SendSignedAsync("GET", Path)).Status);
    }

    [Theory]
    [InlineData(ServerFault.StallHeaders)]
    [InlineData(ServerFault.StallBody)]
    public async Task Stall_LastsUntilTheClientCloses(ServerFault fault)
    {
        await PutAsync(Path, Data);
        Strike(fault);
        using (TcpClient client = await SendOnSocketAsync())
        {
            byte[] answer = new byte[64 << 10];
            int read = 0;
            if (fault == ServerFault.StallBody)
            {
                while (!System.Text.Encoding.Latin1.GetString(answer, 0, read).Contains("\r\n\r\n", StringComparison.Ordinal)
                    || !answer.AsSpan(0, read).EndsWith(Data.AsSpan(0, Data.Length / 2)))
                {
                    read += await client.GetStream().ReadAsync(answer.AsMemory(read)).Within();
                }
            }

            await Deadline.Until(() => Server.Statistics.FaultCount(fault) == 1);
            Assert.Equal(0, client.Available);
            Assert.Equal(1, Server.Statistics.ActiveRequests);
        }

        await Deadline.Until(() => Server.Statistics.ActiveRequests == 0);
    }

    [Theory]
    [InlineData(ServerFault.StallHeaders)]
    [InlineData(ServerFault.StallBody)]
    public async Task Stall_EndsWhenTheServerIsDisposed(ServerFault fault)
    {
        EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"], Faults = Always(fault) }).Within();
        using RawClient raw = new(server);
        Task<Exception> broken = BreaksAsync(() => raw.SendSignedAsync("GET", "/bucket?list-type=2"));
        await Deadline.Until(() => server.Statistics.FaultCount(fault) == 1);

        await server.DisposeAsync().Within();

        await broken.Within();
        Assert.Equal(0, server.Statistics.ActiveRequests);
    }

    [Fact]
    public async Task StallHeaders_ReadsTheBodyToDetectThatTheClientCloses()
    {
        Strike(ServerFault.StallHeaders);
        HttpRequestMessage request = Raw.Signed("PUT", Path, Sample.Bytes(Large));
        using CancellationTokenSource leave = new();
        using HttpClient client = new();
        Task<HttpResponseMessage> sending = client.SendAsync(request, leave.Token);
        await Deadline.Until(() => Server.Statistics.FaultCount(ServerFault.StallHeaders) == 1);

        await leave.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending.Within());
        await Deadline.Until(() => Server.Statistics.ActiveRequests == 0);
    }

    [Fact]
    public async Task SlowDrip_SendsTheWholeBodyInItsTime()
    {
        SteppedClock time = new(TimeProvider.System.GetUtcNow());
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(
            time, new EmbeddedS3ServerOptions { Buckets = ["bucket"], Faults = new FaultPlan { Rules = [new(ServerFault.SlowDrip) { Operation = "GetObject" }] } });
        using RawClient raw = new(server) { Now = time.GetUtcNow() };
        Assert.Equal(200, (await raw.SendSignedAsync("PUT", Path, Data)).Status);
        Task<RawAnswer> reading = raw.SendSignedAsync("GET", Path);

        for (int drop = 0; drop < 20; drop++)
        {
            await time.TimerWaitingAsync();
            Assert.False(reading.IsCompleted);
            time.Advance(TimeSpan.FromMilliseconds(100));
        }

        Assert.Equal(Data, (await reading.Within()).Body);
    }

    [Fact]
    public async Task FlipDownload_ChangesOneBitAndKeepsTheChecksum()
    {
        await PutAsync(Path, Data);
        Strike(ServerFault.FlipDownload);

        RawAnswer flipped = await Raw.SendSignedAsync("GET", Path, null, ("x-amz-checksum-mode", "ENABLED"));
        RawAnswer right = await Raw.SendSignedAsync("GET", Path, null, ("x-amz-checksum-mode", "ENABLED"));

        Assert.Equal(Data, right.Body);
        Assert.Equal(right.Header("x-amz-checksum-crc64nvme"), flipped.Header("x-amz-checksum-crc64nvme"));
        Assert.Equal(right.Header("ETag"), flipped.Header("ETag"));
        int[] changed = [.. Enumerable.Range(0, Data.Length).Where(i => Data[i] != flipped.Body[i])];
        Assert.Equal([Data.Length / 2], changed);
        Assert.Equal(1, System.Numerics.BitOperations.PopCount((uint)(Data[changed[0]] ^ flipped.Body[changed[0]])));
    }

    [Theory]
    [InlineData("x-amz-content-sha256", "XAmzContentSHA256Mismatch")]
    [InlineData("x-amz-checksum-crc32", "BadDigest")]
    public async Task FlipUpload_WithAChecksum_IsRejected(string header, string code)
    {
        Strike(ServerFault.FlipUpload);
        HttpRequestMessage request = header == "x-amz-checksum-crc32"
            ? Raw.Signed("PUT", Path, "123456789"u8.ToArray(), "UNSIGNED-PAYLOAD", (header, "y/Q5Jg=="))
            : Raw.Signed("PUT", Path, Data);

        Fails(await Raw.SendAsync(request), 400, code);
        Fails(await Raw.SendSignedAsync("GET", Path), 404, "NoSuchKey");
    }

    [Fact]
    public async Task FlipUpload_WithoutAChecksum_IsStored()
    {
        Strike(ServerFault.FlipUpload);
        Assert.Equal(200, (await Raw.SendAsync(Raw.Signed("PUT", Path, Data, "UNSIGNED-PAYLOAD"))).Status);

        byte[] kept = (await Raw.SendSignedAsync("GET", Path)).Body;

        Assert.Equal(Data[Data.Length / 2] ^ 1, kept[Data.Length / 2]);
    }

    [Theory]
    [InlineData("bytes=100-199", "bytes 99-198/1000", 99)]
    [InlineData("bytes=0-199", "bytes 1-200/1000", 1)]
    [InlineData("bytes=0-999", "bytes 0-998/1000", 0)]
    public async Task WrongRange_ReturnsAnotherRange(string asked, string answered, int offset)
    {
        await PutAsync(Path, Data);
        Strike(ServerFault.WrongRange);

        RawAnswer answer = await Raw.SendSignedAsync("GET", Path, null, ("Range", asked));

        Assert.EachEqual((206, answered), (answer.Status, answer.Header("Content-Range")));
        Assert.Equal(Data[offset..(offset + answer.Body.Length)], answer.Body);
    }

    [Fact]
    public async Task IgnoreRange_ReturnsTheWholeObject()
    {
        await PutAsync(Path, Data);
        Strike(ServerFault.IgnoreRange);

        RawAnswer answer = await Raw.SendSignedAsync("GET", Path, null, ("Range", "bytes=100-199"));

        Assert.EachEqual((200, null), (answer.Status, answer.Header("Content-Range")));
        Assert.Equal(Data, answer.Body);
    }

    [Fact]
    public async Task ChangeETag_ReturnsAnotherETagOrFailsTheCondition()
    {
        string etag = (await PutAsync(Path, Data)).Header("ETag")!;
        Strike(ServerFault.ChangeETag, times: 2);

        string other = (await Raw.SendSignedAsync("HEAD", Path)).Header("ETag")!;
        Assert.NotEqual(etag, other);
        Assert.Equal(etag.Length, other.Length);
        Fails(await Raw.SendSignedAsync("GET", Path, null, ("If-Match", etag)), 412, "PreconditionFailed");
        Assert.Equal(200, (await Raw.SendSignedAsync("GET", Path, null, ("If-Match", etag))).Status);
    }

    [Fact]
    public async Task ErrorInCompletion_Returns200AndPublishesNothing()
    {
        (string upload, byte[] completion) = await BeginAsync();
        Strike(ServerFault.ErrorInCompletion);

        Fails(await Raw.SendSignedAsync("POST", $"{Path}?uploadId={upload}", completion), 200, "InternalError");

        Assert.Equal(1, Server.Statistics.OpenMultipartUploads);
        Assert.Equal(200, (await Raw.SendSignedAsync("POST", $"{Path}?uploadId={upload}", completion)).Status);
    }

    [Fact]
    public async Task LoseReply_PerformsTheOperation()
    {
        Strike(ServerFault.LoseReply, times: null);

        Assert.True(IsReset(await BreaksAsync(() => Raw.SendSignedAsync("PUT", Path, Data))));
        Assert.Equal(Data, (await Raw.SendSignedAsync("GET", Path)).Body);

        Assert.True(IsReset(await BreaksAsync(() => Raw.SendSignedAsync("POST", $"{Path}?uploads"))));
        string upload = (await Raw.SendSignedAsync("GET", "/bucket?uploads")).Element("UploadId")!;
        Assert.True(IsReset(await BreaksAsync(() => Raw.SendSignedAsync("PUT", $"{Path}?partNumber=1&uploadId={upload}", Data))));
        Assert.Equal("1000", (await Raw.SendSignedAsync("GET", $"{Path}?uploadId={upload}")).Element("Size"));
        Assert.True(IsReset(await BreaksAsync(() => Raw.SendSignedAsync("POST", $"{Path}?uploadId={upload}", Completion(Sample.ETag(Data))))));
        Assert.Equal(Sample.ETag([Data]), (await Raw.SendSignedAsync("HEAD", Path)).Header("ETag"));

        Assert.True(IsReset(await BreaksAsync(() => Raw.SendSignedAsync("POST", $"{Path}?uploads"))));
        upload = (await Raw.SendSignedAsync("GET", "/bucket?uploads")).Element("UploadId")!;
        Assert.True(IsReset(await BreaksAsync(() => Raw.SendSignedAsync("DELETE", $"{Path}?uploadId={upload}"))));
        Assert.Equal(0, Server.Statistics.OpenMultipartUploads);
        Assert.Equal(6, Server.Statistics.FaultCount(ServerFault.LoseReply));
    }

    [Fact]
    public async Task Rule_AffectsTheNthPartOfOneKey()
    {
        (string upload, _) = await BeginAsync();
        Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.InternalError) { Operation = "UploadPart", Key = "k", PartNumber = 2, After = 1 }] });

        List<int> answers = [];
        foreach (int part in (int[])[1, 2, 2, 2])
        {
            answers.Add((await Raw.SendSignedAsync("PUT", $"{Path}?partNumber={part}&uploadId={upload}", Data)).Status);
        }

        Assert.Equal([200, 200, 500, 200], answers);
    }

    [Fact]
    public async Task Probability_SameSeed_FailsTheSameRequests()
    {
        FaultPlan plan = new() { Probabilities = new Dictionary<ServerFault, double> { [ServerFault.SlowDown] = 0.3, [ServerFault.InternalError] = 0.2 }, Seed = 5 };

        List<int> first = await AskAsync();

        Assert.Equal(first, await AskAsync());
        Assert.Equal([404, 500, 503], first.Distinct().Order());

        async Task<List<int>> AskAsync()
        {
            Server.SetFaults(plan);
            List<int> statuses = [];
            for (int i = 0; i < 30; i++)
            {
                statuses.Add((await Raw.SendSignedAsync("HEAD", Path)).Status);
            }

            return statuses;
        }
    }

    [Fact]
    public void SetFaults_InvalidPlan_ChangesNothing() =>
        Assert.Throws<ArgumentException>(() => Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.FailHandshake)] }));

    protected override EmbeddedS3ServerOptions Options() => new() { Buckets = ["bucket"], Host = LoopbackAddress.Next() }; // see ClockedServer

    private static FaultPlan Always(ServerFault fault) => new() { Rules = [new FaultRule(fault) { Times = null }] };

    private static byte[] Completion(string etag) =>
        System.Text.Encoding.UTF8.GetBytes($"<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>{etag}</ETag></Part></CompleteMultipartUpload>");

    private static async Task<Exception> BreaksAsync(Func<Task> request) => await Assert.ThrowsAsync<HttpRequestException>(request);

    private static bool IsReset(Exception exception) => exception.GetBaseException() is SocketException { SocketErrorCode: SocketError.ConnectionReset };

    private void Strike(ServerFault fault, int? times = 1) => Server.SetFaults(new FaultPlan { Rules = [new FaultRule(fault) { Times = times }] });

    private async Task<(string UploadId, byte[] Completion)> BeginAsync()
    {
        string upload = (await Raw.SendSignedAsync("POST", $"{Path}?uploads")).Element("UploadId")!;
        await PutAsync($"{Path}?partNumber=1&uploadId={upload}", Data);
        return (upload, Completion(Sample.ETag(Data)));
    }

    private async Task<(long Read, Exception Error)> ReadUntilBrokenAsync()
    {
        using HttpClient client = new();
        using HttpResponseMessage response = await client.SendAsync(Raw.Signed("GET", Path), HttpCompletionOption.ResponseHeadersRead).Within();
        await using Stream body = await response.Content.ReadAsStreamAsync().Within();
        byte[] buffer = new byte[64 << 10];
        long read = 0;
        try
        {
            while (await body.ReadAsync(buffer).Within() is > 0 and int count)
            {
                read += count;
            }
        }
        catch (IOException e)
        {
            return (read, e);
        }

        throw new UnreachableException("The body arrived completely.");
    }

    private async Task<TcpClient> SendOnSocketAsync()
    {
        HttpRequestMessage request = Raw.Signed("GET", Path);
        TcpClient client = new();
        await client.ConnectAsync(Server.Endpoint.Host, Server.Endpoint.Port).Within();
        string headers = string.Concat(request.Headers.Select(static header => $"{header.Key}: {string.Join(',', header.Value)}\r\n"));
        await client.GetStream().WriteAsync(System.Text.Encoding.ASCII.GetBytes($"GET {Path} HTTP/1.1\r\nHost: {Server.Endpoint.Authority}\r\n{headers}\r\n")).Within();
        return client;
    }
}
